/* From the tree of the contexts as they were counted to the tree that is shown: grouping, selecting, folding. */
#include <stdlib.h>
#include <string.h>

#include "decoder/walk.h"
#include "decoder/tree.h"

static uint32_t *index_array(uint32_t count)
{
    return malloc(((size_t)count + 1) * sizeof(uint32_t));
}

/* --- grouping ------------------------------------------------------------------------------------- */

static bool map_nodes(const struct hcct_tree *from, const struct hcct_frames *frames, const uint32_t *frame_group,
                      const uint32_t *site_group, bool inlines, uint32_t *map, struct hcct_tree *to)
{
    for (uint32_t i = 0; i < from->node_count; i++) {
        const struct hcct_tree_node *node = &from->nodes[i];
        uint32_t parent = node->parent == HCCT_NODE_NONE ? HCCT_NODE_NONE : map[node->parent];
        uint32_t kind = frames->frames[node->frame].kind, site = node->site;
        if (kind == HCCT_FRAME_INLINED && !inlines) {
            map[i] = parent;
            continue;
        }
        if (site != HCCT_FRAMES_NONE && kind != HCCT_FRAME_REPEAT)
            site = site_group[site];
        map[i] = hcct_tree_child(to, parent, frame_group[node->frame], site);
        if (map[i] == HCCT_NODE_NONE)
            return false;
        hcct_tree_add(&to->nodes[map[i]], node);
    }
    return true;
}

bool hcct_tree_regroup(const struct hcct_tree *from, const struct hcct_frames *frames, enum hcct_frames_by by,
                       bool inlines, struct hcct_tree *to)
{
    uint32_t *map = index_array(from->node_count);
    uint32_t *frame_group = index_array(frames->frame_count), *site_group = index_array(frames->site_count);
    bool done = map && frame_group && site_group && hcct_frames_group(frames, by, frame_group, site_group) &&
                map_nodes(from, frames, frame_group, site_group, inlines, map, to);
    free(map);
    free(frame_group);
    free(site_group);
    return done;
}

/* --- selecting ------------------------------------------------------------------------------------ */

struct ranked {
    uint64_t count;
    uint32_t rank; /* in the order of path texts */
    uint32_t node;
};

static int compare_ranked(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

bool hcct_tree_top(struct hcct_tree *tree, const struct hcct_frames *frames, const char *const *texts, uint64_t top_count)
{
    struct hcct_walk walk;
    struct ranked *ranked = malloc(((size_t)tree->node_count + 1) * sizeof *ranked);
    if (!ranked || !hcct_walk_open(&walk, tree, frames, texts)) {
        free(ranked);
        return false;
    }
    uint32_t count = 0, node;
    for (enum hcct_walk_step step; (step = hcct_walk_next(&walk, &node)) != HCCT_WALK_END;)
        if (step == HCCT_WALK_NODE && tree->nodes[node].flags & HCCT_NODE_SELECTED) {
            ranked[count] = (struct ranked){tree->nodes[node].count, count, node};
            count++;
        }
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    for (uint64_t i = top_count; i < count; i++)
        tree->nodes[ranked[i].node].flags &= ~(uint32_t)HCCT_NODE_SELECTED;
    hcct_walk_close(&walk);
    free(ranked);
    return true;
}

bool hcct_tree_select(struct hcct_tree *tree, const struct hcct_frames *frames,
                      const struct hcct_tree_selection *selection)
{
    for (uint32_t i = 0; i < tree->node_count; i++) {
        struct hcct_tree_node *node = &tree->nodes[i];
        if (!(node->flags & HCCT_NODE_COUNTED))
            continue;
        if (node->count >= selection->hot_count)
            node->flags |= HCCT_NODE_HOT;
        if ((selection->all || node->flags & HCCT_NODE_HOT) && node->count >= selection->min_count)
            node->flags |= HCCT_NODE_SELECTED;
    }
    if (selection->top_count && !hcct_tree_top(tree, frames, NULL, selection->top_count))
        return false;
    for (uint32_t i = tree->node_count; i--;) {
        struct hcct_tree_node *node = &tree->nodes[i];
        if (node->flags & HCCT_NODE_SELECTED)
            node->flags |= HCCT_NODE_KEPT;
        if (node->flags & HCCT_NODE_KEPT && node->parent != HCCT_NODE_NONE)
            tree->nodes[node->parent].flags |= HCCT_NODE_KEPT;
    }
    return true;
}

/* --- folding -------------------------------------------------------------------------------------- */

/* Below the depth limit, where the path goes on with a cycle that stands just above, iterations are left out:
 *
 *     main f f f f f h   with a limit of 3 becomes   main f f [x2] f h
 *
 * [xN] stands for N iterations of the cycle; the iteration that follows it is always shown, so that counts stay at
 * real frames. Paths that differ stay different, unless their texts become equal. */
struct fold {
    uint32_t base;   /* in `to`: what stands above the iterations */
    uint32_t passed; /* complete iterations below base */
    uint16_t period; /* the cycle's length; 0: in no cycle */
    uint16_t phase;  /* frames of the current iteration */
};

#define PERIOD_MAX 32
#define WINDOW (3 * PERIOD_MAX)

struct folder {
    const struct hcct_tree *from;
    struct hcct_frames *frames;
    struct hcct_tree *to;
    uint32_t *map;
    uint32_t *depth; /* 1 for a root; 0 for what is not kept */
    struct fold *folds;
};

static bool same_call(const struct hcct_tree_node *a, const struct hcct_tree_node *b)
{
    return a->frame == b->frame && a->site == b->site;
}

static uint32_t ancestor(const struct hcct_tree *tree, uint32_t node, uint32_t steps)
{
    while (steps-- && node != HCCT_NODE_NONE)
        node = tree->nodes[node].parent;
    return node;
}

/* The cycle's length if the path to `node` ends with a complete cycle and a further call of it; of several the
 * one that goes on longest; or 0. */
static uint32_t find_period(const struct hcct_tree *tree, uint32_t node)
{
    uint32_t window[WINDOW], length = 0, best = 0, best_run = 0;
    for (; node != HCCT_NODE_NONE && length < WINDOW; node = tree->nodes[node].parent)
        window[length++] = node;
    for (uint32_t period = 1; period <= PERIOD_MAX && period < length; period++) {
        uint32_t run = 0;
        while (run + period < length && same_call(&tree->nodes[window[run]], &tree->nodes[window[run + period]]))
            run++;
        if (run > period && run > best_run) {
            best = period;
            best_run = run;
        }
    }
    return best;
}

/* A further call of the cycle that the parent is in. */
static uint32_t fold_further(struct folder *folder, const struct hcct_tree_node *node, uint32_t above, struct fold *fold)
{
    if (fold->phase == 0) {
        above = fold->base;
        if (fold->passed) {
            struct hcct_tree_frame repeat = {
                .linkage = "", .source = "", .file = "", .kind = HCCT_FRAME_REPEAT, .number = fold->period};
            uint32_t frame = hcct_frames_frame(folder->frames, &repeat);
            if (frame == HCCT_FRAMES_NONE || !hcct_frames_name(folder->frames, frame, false))
                return HCCT_NODE_NONE;
            above = hcct_tree_child(folder->to, above, frame, fold->passed);
            if (above == HCCT_NODE_NONE)
                return HCCT_NODE_NONE;
        }
    }
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
        return hcct_tree_child(folder->to, above, node->frame, node->site);
    struct fold *fold = &folder->folds[index];
    *fold = (struct fold){0};
    if (folder->depth[index] > depth_limit) {
        *fold = folder->folds[node->parent];
        uint32_t before = ancestor(folder->from, index, fold->period);
        if (!fold->period || !same_call(node, &folder->from->nodes[before]))
            *fold = (struct fold){.base = above, .period = (uint16_t)find_period(folder->from, index)};
        if (fold->period)
            return fold_further(folder, node, above, fold);
    }
    return hcct_tree_child(folder->to, above, node->frame, node->site);
}

bool hcct_tree_fold(const struct hcct_tree *from, struct hcct_frames *frames, uint32_t depth, struct hcct_tree *to)
{
    struct folder folder = {.from = from, .frames = frames, .to = to};
    folder.map = index_array(from->node_count);
    folder.depth = index_array(from->node_count);
    bool done = folder.map && folder.depth, deep = false;
    for (uint32_t i = 0; done && i < from->node_count; i++) {
        uint32_t parent = from->nodes[i].parent;
        folder.depth[i] = parent == HCCT_NODE_NONE ? 1 : folder.depth[parent] + 1;
        deep |= from->nodes[i].flags & HCCT_NODE_KEPT && folder.depth[i] > depth;
    }
    if (done && depth && deep)
        done = (folder.folds = malloc(from->node_count * sizeof *folder.folds));
    for (uint32_t i = 0; done && i < from->node_count; i++) {
        if (!(from->nodes[i].flags & HCCT_NODE_KEPT))
            continue;
        folder.map[i] = fold_node(&folder, i, depth);
        done = folder.map[i] != HCCT_NODE_NONE;
        if (done)
            hcct_tree_add(&to->nodes[folder.map[i]], &from->nodes[i]);
    }
    free(folder.map);
    free(folder.depth);
    free(folder.folds);
    return done;
}
