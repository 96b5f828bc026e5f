/* The bottom-up tree, see callers.h. Level by level: each context stands at one frame of its path, first at
 * the last one, and adds its count to the node of the chain from there to the end. Then it moves up, if that
 * node is large enough to be told apart. */
#include "decoder/query/callers.h"

#include <stdlib.h>

#include "decoder/store/sum.h"
#include "decoder/text/memory.h"

struct context {
    uint64_t count, error;
    uint32_t at;    /* the frame of its path that it stands at: a node of `from` */
    uint32_t below; /* the node of `to` for the rest of the path; HCCT_NODE_NONE: there is none */
    uint32_t site;  /* of the call that leads from `at` to the rest */
};

struct builder {
    const struct hcct_tree *from;
    const struct hcct_callers_options *options;
    struct hcct_tree *to;
    struct context *contexts;
    uint32_t count;
    uint64_t *amount;
    uint32_t amount_capacity;
};

/* Per node of `from`: the outermost wanted frame of its path, or HCCT_NODE_NONE. */
static uint32_t *outermost_wanted(const struct hcct_tree *from, const bool *wanted)
{
    uint32_t *outermost = hcct_memory_array(from->node_count, sizeof *outermost);
    for (uint32_t i = 0; i < from->node_count; i++) {
        const struct hcct_tree_node *node = &from->nodes[i];
        outermost[i] = node->parent == HCCT_NODE_NONE ? HCCT_NODE_NONE : outermost[node->parent];
        if (outermost[i] == HCCT_NODE_NONE && wanted[node->frame])
            outermost[i] = i;
    }
    return outermost;
}

static void collect(struct builder *builder)
{
    const struct hcct_tree *from = builder->from;
    const struct hcct_callers_options *options = builder->options;
    uint32_t *outermost =
        options->inclusive && options->wanted ? outermost_wanted(from, options->wanted) : NULL;
    builder->contexts = hcct_memory_array(from->node_count, sizeof *builder->contexts);
    for (uint32_t i = 0; i < from->node_count; i++) {
        const struct hcct_tree_node *node = &from->nodes[i];
        uint32_t at = outermost                                          ? outermost[i]
                      : options->wanted && !options->wanted[node->frame] ? HCCT_NODE_NONE
                                                                         : i;
        if (node->flags & HCCT_NODE_COUNTED && at != HCCT_NODE_NONE)
            builder->contexts[builder->count++] = (struct context){ .count = node->count,
                                                                    .error = node->error,
                                                                    .at = at,
                                                                    .below = HCCT_NODE_NONE,
                                                                    .site = HCCT_FRAMES_NONE };
    }
    free(outermost);
}

/* Adds each context to the node for its chain, which becomes its `below`. */
static void add_level(struct builder *builder)
{
    struct hcct_tree *to = builder->to;
    for (uint32_t i = 0; i < builder->count && !to->is_over; i++) {
        struct context *context = &builder->contexts[i];
        uint32_t before = to->node_count;
        uint32_t frame = builder->options->shown[builder->from->nodes[context->at].frame];
        uint32_t node = hcct_tree_child(to, context->below, frame, context->site);
        hcct_memory_grow(&builder->amount, &builder->amount_capacity, node, sizeof *builder->amount);
        if (node == before)
            builder->amount[node] = 0;
        builder->amount[node] =
            hcct_sum(builder->amount[node], hcct_claim_low(context->count, context->error));
        context->below = node;
    }
}

/* Moves contexts to their callers, and leaves those whose path ends here, or is not told further. */
static void move_up(struct builder *builder, bool last_level)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < builder->count; i++) {
        struct context context = builder->contexts[i];
        const struct hcct_tree_node *at = &builder->from->nodes[context.at];
        bool ends = at->parent == HCCT_NODE_NONE || last_level ||
                    builder->amount[context.below] < builder->options->threshold;
        if (ends) {
            struct hcct_tree_node own = { .count = context.count,
                                          .error = context.error,
                                          .flags = HCCT_NODE_COUNTED };
            hcct_tree_add(&builder->to->nodes[context.below], &own);
            continue;
        }
        context.at = at->parent;
        context.site = at->site;
        builder->contexts[left++] = context;
    }
    builder->count = left;
}

uint64_t *hcct_callers_build(const struct hcct_tree *from, const struct hcct_callers_options *options,
                             struct hcct_tree *to)
{
    struct builder builder = { .from = from, .options = options, .to = to };
    collect(&builder);
    for (uint32_t level = 1; builder.count && !to->is_over; level++) {
        add_level(&builder);
        if (!to->is_over)
            move_up(&builder, level >= options->depth);
    }
    free(builder.contexts);
    return builder.amount;
}
