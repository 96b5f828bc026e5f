/* What shortens cycles, see cycles.h.
 *
 * A fold remembers where a path stands in its cycle: a further call goes to the same phase of the cycle's
 * only iteration that is shown, behind the node [xN].
 *
 * With `merge` one node [xN] stands for all N, or a recursion would have a branch for each depth: its N, the
 * largest, is kept outside of its identity while the tree grows. */
#include "decoder/tree/cycles.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/text/memory.h"
#include "decoder/tree/tree.h"
#include "decoder/tree/view.h"

#define PERIOD_MAX 32
#define WINDOW (3 * PERIOD_MAX)

/* Where a node stands in a cycle. */
struct fold {
    uint32_t base;   /* in `to`: what stands above the iterations */
    uint32_t passed; /* complete iterations below base */
    uint16_t period; /* the cycle's length; 0: in no cycle */
    uint16_t phase;  /* frames of the current iteration */
};

struct folder {
    const struct hcct_tree *from;
    struct hcct_frames *frames;
    struct hcct_tree *to;
    uint32_t *map;
    uint32_t *depth;    /* 1 for a root */
    struct fold *folds; /* NULL: nothing is deep enough */
    bool merge;
};

static uint32_t ancestor(const struct hcct_tree *tree, uint32_t node, uint32_t steps)
{
    while (steps-- && node != HCCT_NODE_NONE)
        node = tree->nodes[node].parent;
    return node;
}

/* The length of the cycle if the path to `node` ends with a complete iteration and the first call of a
 * further one, else 0. Of several cycles it is the one that goes back farthest. */
static uint32_t find_period(const struct hcct_tree *tree, uint32_t node)
{
    uint32_t window[WINDOW], length = 0, best = 0, best_run = 0;
    for (; node != HCCT_NODE_NONE && length < WINDOW; node = tree->nodes[node].parent)
        window[length++] = node;
    for (uint32_t period = 1; period <= PERIOD_MAX && period < length; period++) {
        uint32_t run = 0;
        while (run + period < length &&
               tree->nodes[window[run]].frame == tree->nodes[window[run + period]].frame)
            run++;
        if (run > period && run > best_run) {
            best = period;
            best_run = run;
        }
    }
    return best;
}

/* The node [xN] below the base of the cycle. While the tree grows, its N is in `error`; with `merge` it is
 * not part of the node's identity. */
static uint32_t repeat_node(struct folder *folder, const struct fold *fold)
{
    struct hcct_tree_frame repeat = {
        .linkage = "", .source = "", .file = "", .kind = HCCT_FRAME_REPEAT, .number = fold->period
    };
    uint32_t frame = hcct_frames_frame(folder->frames, &repeat);
    hcct_frames_name(folder->frames, frame, HCCT_NAMES_LINKAGE);
    uint32_t node = hcct_tree_child(folder->to, fold->base, frame, folder->merge ? 0 : fold->passed);
    if (folder->to->nodes[node].error < fold->passed)
        folder->to->nodes[node].error = fold->passed;
    return node;
}

/* Adds a further call of the cycle that the parent is in. */
static uint32_t fold_further(struct folder *folder, const struct hcct_tree_node *node, uint32_t above,
                             struct fold *fold)
{
    if (fold->phase == 0)
        above = fold->passed ? repeat_node(folder, fold) : fold->base;
    if (++fold->phase == fold->period) {
        fold->phase = 0;
        fold->passed++;
    }
    return hcct_tree_child(folder->to, above, node->frame, node->site);
}

static uint32_t fold_node(struct folder *folder, uint32_t index, uint32_t depth_limit)
{
    const struct hcct_tree_node *node = &folder->from->nodes[index];
    uint32_t above = node->parent == HCCT_NODE_NONE ? HCCT_NODE_NONE : folder->map[node->parent];
    if (!folder->folds)
        return hcct_tree_append(folder->to, above, node->frame, node->site);
    struct fold *fold = &folder->folds[index];
    *fold = (struct fold){ 0 };
    if (folder->depth[index] > depth_limit) {
        *fold = folder->folds[node->parent];
        uint32_t before = ancestor(folder->from, index, fold->period);
        if (!fold->period || node->frame != folder->from->nodes[before].frame)
            *fold = (struct fold){ .base = above, .period = (uint16_t)find_period(folder->from, index) };
        if (fold->period)
            return fold_further(folder, node, above, fold);
    }
    return hcct_tree_child(folder->to, above, node->frame, node->site);
}

/* Takes out the iterations that only led to deeper ones, and gives each [xN] its N. */
static void prune(struct hcct_tree *tree, const struct hcct_frames *frames, uint32_t *map)
{
    uint32_t kept_count = 0, spot_count = 0;
    hcct_view_keep(tree);
    for (uint32_t i = 0; i < tree->node_count; i++) {
        struct hcct_tree_node node = tree->nodes[i];
        map[i] = HCCT_NODE_NONE;
        if (!(node.flags & HCCT_NODE_KEPT))
            continue;
        if (node.parent != HCCT_NODE_NONE)
            node.parent = map[node.parent];
        if (frames->frames[node.frame].kind == HCCT_FRAME_REPEAT) {
            node.site = (uint32_t)node.error;
            node.error = 0;
        }
        tree->nodes[kept_count] = node;
        if (tree->value_count)
            memmove(hcct_tree_values(tree, kept_count), hcct_tree_values(tree, i),
                    tree->value_count * sizeof *tree->values);
        map[i] = kept_count++;
    }
    for (uint32_t i = 0; i < tree->spot_count; i++) {
        tree->spots[spot_count] = tree->spots[i];
        tree->spots[spot_count].node = map[tree->spots[i].node];
        spot_count += tree->spots[spot_count].node != HCCT_NODE_NONE;
    }
    tree->spot_count = spot_count;
    hcct_tree_order_spots(tree);
    tree->node_count = kept_count;
    hcct_table_free(&tree->table);
}

static void fold_nodes(struct folder *folder, uint32_t depth_limit)
{
    const struct hcct_tree *from = folder->from;
    for (uint32_t i = 0; i < from->node_count; i++) {
        if (!(from->nodes[i].flags & HCCT_NODE_KEPT))
            continue;
        uint32_t node = folder->map[i] = fold_node(folder, i, depth_limit);
        hcct_tree_take(folder->to, node, from, i);
        folder->to->nodes[node].flags &= ~(uint32_t)HCCT_NODE_KEPT;
    }
    prune(folder->to, folder->frames, folder->map);
}

void hcct_cycles_shorten(const struct hcct_tree *from, struct hcct_frames *frames, uint32_t depth_limit,
                         bool merge, struct hcct_tree *to)
{
    to->value_count = from->value_count;
    struct folder folder = { .from = from, .frames = frames, .to = to, .merge = merge };
    size_t room = from->node_count;
    /* `map` is used twice; `to` has at most two nodes for each of `from`. */
    folder.map = hcct_memory_array(2 * room, sizeof *folder.map);
    folder.depth = hcct_memory_array(room, sizeof *folder.depth);
    bool deep = false;
    for (uint32_t i = 0; i < from->node_count; i++) {
        uint32_t parent = from->nodes[i].parent;
        folder.depth[i] = parent == HCCT_NODE_NONE ? 1 : folder.depth[parent] + 1;
        deep |= from->nodes[i].flags & HCCT_NODE_KEPT && folder.depth[i] > depth_limit;
    }
    if (depth_limit && deep)
        folder.folds = hcct_memory_array(room, sizeof *folder.folds);
    fold_nodes(&folder, depth_limit);
    free(folder.map);
    free(folder.depth);
    free(folder.folds);
}
