/* Leaves [other], see other.h. */
#include "decoder/tree/other.h"

#include <stdlib.h>

#include "decoder/profile/sum.h"

struct adder {
    struct hcct_tree *tree;
    enum hcct_other_shown shown;
    uint32_t frame; /* of [other] */
};

#define SHOWN (HCCT_NODE_COUNTED | HCCT_NODE_SELECTED | HCCT_NODE_KEPT)

/* The leaf [other] below `parent`, with `count` and `error` added to it, or to its leaf of that function.
 * `function` HCCT_FRAMES_NONE: none. */
static bool add(struct adder *adder, uint32_t parent, uint32_t function, uint64_t count, uint64_t error)
{
    struct hcct_tree *tree = adder->tree;
    const struct hcct_tree_node amount = { .count = count, .error = error, .flags = SHOWN };
    uint32_t node = hcct_tree_child(tree, parent, adder->frame, HCCT_FRAMES_NONE);
    if (node != HCCT_NODE_NONE && function != HCCT_FRAMES_NONE) {
        tree->nodes[node].flags |= HCCT_NODE_KEPT;
        node = hcct_tree_child(tree, node, function, HCCT_FRAMES_NONE);
    }
    if (node == HCCT_NODE_NONE)
        return false;
    hcct_tree_add(&tree->nodes[node], &amount);
    return true;
}

static bool is_shown(const struct adder *adder, const struct hcct_tree_node *node)
{
    return node->flags & (adder->shown == HCCT_OTHER_BELOW_SELECTED ? HCCT_NODE_SELECTED : HCCT_NODE_KEPT);
}

bool hcct_other_add(struct hcct_tree *tree, struct hcct_frames *frames, uint64_t total,
                    enum hcct_other_shown shown)
{
    const struct hcct_tree_frame other = {
        .linkage = "", .source = "", .file = "", .kind = HCCT_FRAME_OTHER
    };
    struct adder adder = { .tree = tree, .shown = shown, .frame = hcct_frames_frame(frames, &other) };
    uint32_t count = tree->node_count;
    uint32_t *nearest = malloc(((size_t)count + 1) * sizeof *nearest); /* per node: itself or an ancestor */
    bool done = nearest && adder.frame != HCCT_FRAMES_NONE &&
                hcct_frames_name(frames, adder.frame, HCCT_NAMES_LINKAGE);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        if (tree->nodes[i].flags & HCCT_NODE_COUNTED)
            sum = hcct_sum(sum, tree->nodes[i].count);
    for (uint32_t i = 0; done && i < count; i++) {
        const struct hcct_tree_node node = tree->nodes[i]; /* the array moves */
        nearest[i] = node.flags & HCCT_NODE_KEPT     ? i
                     : node.parent == HCCT_NODE_NONE ? HCCT_NODE_NONE
                                                     : nearest[node.parent];
        if (!(node.flags & HCCT_NODE_COUNTED) || !node.count || is_shown(&adder, &node))
            continue;
        if (node.frame == adder.frame) { /* it may be the leaf that it goes to */
            tree->nodes[i].count = tree->nodes[i].error = 0;
            tree->nodes[i].flags &= ~(uint32_t)HCCT_NODE_COUNTED;
        }
        done = add(&adder, nearest[i], shown == HCCT_OTHER_BY_FUNCTION ? node.frame : HCCT_FRAMES_NONE,
                   node.count, node.error);
    }
    if (done && sum < total)
        done = add(&adder, HCCT_NODE_NONE, HCCT_FRAMES_NONE, total - sum, 0);
    free(nearest);
    return done;
}
