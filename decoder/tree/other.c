/* Leaves [other], see other.h. */
#include "decoder/tree/other.h"

#include <stdlib.h>

#include "decoder/store/sum.h"
#include "decoder/text/memory.h"

struct adder {
    struct hcct_tree *tree;
    enum hcct_other_shown shown;
    uint32_t frame; /* of [other] */
};

struct amount {
    uint64_t count, values[HCCT_TREE_VALUES];
    uint64_t error; /* how much more than `count` it may be */
};

static struct amount amount_of(const struct hcct_tree *tree, uint32_t node)
{
    struct amount amount;
    amount.count = hcct_tree_low(&tree->nodes[node]);
    amount.error = tree->nodes[node].flags & HCCT_NODE_COUNTED ? tree->nodes[node].count - amount.count : 0;
    for (uint32_t i = 0; i < tree->value_count; i++)
        amount.values[i] = hcct_tree_values(tree, node)[i];
    return amount;
}

static bool is_nothing(const struct hcct_tree *tree, const struct amount *amount)
{
    bool any = amount->count || amount->error;
    for (uint32_t i = 0; i < tree->value_count; i++)
        any |= amount->values[i] != 0;
    return !any;
}

/* What `totals` has and the tree lacks. */
static struct amount lacking(const struct hcct_tree *tree, const struct hcct_other_totals *totals)
{
    struct amount sum = { 0 }, lack = { 0 };
    for (uint32_t i = 0; i < tree->node_count; i++) {
        if (!(tree->nodes[i].flags & HCCT_NODE_COUNTED))
            continue;
        struct amount own = amount_of(tree, i);
        sum.count = hcct_sum(sum.count, own.count);
        for (uint32_t k = 0; k < tree->value_count; k++)
            sum.values[k] = hcct_sum(sum.values[k], own.values[k]);
    }
    lack.count = totals->count > sum.count ? totals->count - sum.count : 0;
    for (uint32_t k = 0; totals->values && k < tree->value_count; k++)
        lack.values[k] = totals->values[k] > sum.values[k] ? totals->values[k] - sum.values[k] : 0;
    return lack;
}

#define SHOWN (HCCT_NODE_COUNTED | HCCT_NODE_SELECTED | HCCT_NODE_KEPT)

/* The leaf [other] below `parent`, with the amount added to it, or to its leaf of that function.
 * `function` HCCT_FRAMES_NONE: none. */
static void add(struct adder *adder, uint32_t parent, uint32_t function, const struct amount *amount)
{
    struct hcct_tree *tree = adder->tree;
    struct hcct_tree_node leaf = { .count = amount->count, .flags = SHOWN };
    uint32_t node = hcct_tree_child(tree, parent, adder->frame, HCCT_FRAMES_NONE);
    if (function != HCCT_FRAMES_NONE) {
        tree->nodes[node].flags |= HCCT_NODE_KEPT;
        node = hcct_tree_child(tree, node, function, HCCT_FRAMES_NONE);
        leaf.count = hcct_sum(amount->count, amount->error);
        leaf.error = amount->error;
    }
    hcct_tree_add(&tree->nodes[node], &leaf);
    hcct_tree_add_values(tree, node, amount->values);
}

static bool is_shown(const struct adder *adder, const struct hcct_tree_node *node)
{
    return node->flags & (adder->shown == HCCT_OTHER_BELOW_SELECTED ? HCCT_NODE_SELECTED : HCCT_NODE_KEPT);
}

/* Adds the calls of functions that no context has, as far as the tree lacks so many. `count`: the nodes
 * without leaves. */
static void add_evicted(struct adder *adder, const struct hcct_frames *frames, uint32_t count,
                        struct amount *lack)
{
    bool by_function = adder->shown == HCCT_OTHER_BY_FUNCTION;
    if (!hcct_frames_evicted(frames))
        return;
    uint32_t *root =
        hcct_memory_array(frames->frame_count, sizeof *root); /* by frame: the one that is shown */
    for (uint32_t i = 0; i < frames->frame_count; i++)
        root[i] = HCCT_NODE_NONE;
    for (uint32_t i = 0; i < count; i++)
        if (adder->tree->nodes[i].parent == HCCT_NODE_NONE && adder->tree->nodes[i].flags & HCCT_NODE_KEPT)
            root[adder->tree->nodes[i].frame] = i;
    for (uint32_t i = 0; i < frames->frame_count; i++) {
        uint64_t evicted = frames->frames[i].evicted;
        struct amount amount = { .count = evicted < lack->count ? evicted : lack->count };
        bool is_told = by_function || (adder->shown == HCCT_OTHER_OF_CALLERS && root[i] != HCCT_NODE_NONE);
        if (!amount.count || !is_told)
            continue;
        lack->count -= amount.count;
        add(adder, by_function ? HCCT_NODE_NONE : root[i], by_function ? i : HCCT_FRAMES_NONE, &amount);
    }
    free(root);
}

void hcct_other_add(struct hcct_tree *tree, struct hcct_frames *frames, struct hcct_other_totals totals,
                    enum hcct_other_shown shown)
{
    const struct hcct_tree_frame other = {
        .linkage = "", .source = "", .file = "", .kind = HCCT_FRAME_OTHER
    };
    struct adder adder = { .tree = tree, .shown = shown, .frame = hcct_frames_frame(frames, &other) };
    uint32_t count = tree->node_count;
    uint32_t *nearest = hcct_memory_array(count, sizeof *nearest); /* per node: itself or an ancestor */
    hcct_tree_reopen(tree, adder.frame);
    hcct_frames_name(frames, adder.frame, HCCT_NAMES_LINKAGE);
    struct amount lack = lacking(tree, &totals);
    for (uint32_t i = 0; i < count; i++) {
        const struct hcct_tree_node node = tree->nodes[i]; /* the array moves */
        nearest[i] = node.flags & HCCT_NODE_KEPT     ? i
                     : node.parent == HCCT_NODE_NONE ? HCCT_NODE_NONE
                                                     : nearest[node.parent];
        if (!(node.flags & HCCT_NODE_COUNTED) || is_shown(&adder, &node))
            continue;
        struct amount amount = amount_of(tree, i);
        bool by_function = shown == HCCT_OTHER_BY_FUNCTION && node.frame != adder.frame;
        if (!by_function)
            amount.error = 0;
        if (is_nothing(tree, &amount))
            continue;
        if (node.frame == adder.frame) { /* it may be the leaf that it goes to */
            tree->nodes[i].count = tree->nodes[i].error = 0;
            for (uint32_t k = 0; k < tree->value_count; k++)
                hcct_tree_values(tree, i)[k] = 0;
            tree->nodes[i].flags &= ~(uint32_t)HCCT_NODE_COUNTED;
        }
        add(&adder, nearest[i], shown == HCCT_OTHER_BY_FUNCTION ? node.frame : HCCT_FRAMES_NONE, &amount);
    }
    add_evicted(&adder, frames, count, &lack);
    if (!is_nothing(tree, &lack))
        add(&adder, HCCT_NODE_NONE, HCCT_FRAMES_NONE, &lack);
    free(nearest);
}
