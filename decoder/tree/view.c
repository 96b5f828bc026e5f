/* Grouping and selecting, see view.h. Each step is a loop over the nodes, parents before children or back. */
#include "decoder/tree/view.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/text/memory.h"
#include "decoder/tree/tree.h"
#include "decoder/tree/walk.h"

/* --- grouping ------------------------------------------------------------------------------------- */

static void map_nodes(const struct hcct_tree *from, const struct hcct_frames *frames,
                      const uint32_t *frame_group, const uint32_t *site_group, bool inlines, uint32_t *map,
                      struct hcct_tree *to)
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
        hcct_tree_take(to, map[i], from, i);
    }
}

/* Whether each frame and site is a group of its own. */
static bool groups_nothing(const struct hcct_frames *frames, const uint32_t *frame_group,
                           const uint32_t *site_group, bool inlines)
{
    bool nothing = true;
    for (uint32_t i = 0; nothing && i < frames->frame_count; i++)
        nothing = frame_group[i] == i && (inlines || frames->frames[i].kind != HCCT_FRAME_INLINED);
    for (uint32_t i = 0; nothing && i < frames->site_count; i++)
        nothing = site_group[i] == i;
    return nothing;
}

void hcct_view_regroup(struct hcct_tree *from, const struct hcct_frames *frames, enum hcct_frames_by by,
                       bool inlines, struct hcct_tree *to)
{
    uint32_t *frame_group = hcct_memory_array(frames->frame_count, sizeof *frame_group);
    uint32_t *site_group = hcct_memory_array(frames->site_count, sizeof *site_group);
    hcct_frames_group(frames, by, frame_group, site_group);
    if (groups_nothing(frames, frame_group, site_group, inlines)) {
        *to = *from;
        *from = (struct hcct_tree){ 0 };
    } else {
        to->value_count = from->value_count;
        uint32_t *map = hcct_memory_array(from->node_count, sizeof *map);
        map_nodes(from, frames, frame_group, site_group, inlines, map, to);
        hcct_tree_finish(to);
        free(map);
    }
    free(frame_group);
    free(site_group);
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

void hcct_view_top(struct hcct_tree *tree, const struct hcct_frames *frames, const char *const *texts,
                   uint64_t top_count)
{
    struct hcct_walk walk;
    struct ranked *ranked = hcct_memory_array(tree->node_count, sizeof *ranked);
    hcct_walk_open(&walk, tree, frames, texts);
    uint32_t count = 0, node;
    for (enum hcct_walk_step step; (step = hcct_walk_next(&walk, &node)) != HCCT_WALK_END;)
        if (step == HCCT_WALK_NODE && tree->nodes[node].flags & HCCT_NODE_SELECTED) {
            ranked[count] = (struct ranked){ tree->nodes[node].count, count, node };
            count++;
        }
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    for (uint64_t i = top_count; i < count; i++)
        tree->nodes[ranked[i].node].flags &= ~(uint32_t)HCCT_NODE_SELECTED;
    hcct_walk_close(&walk);
    free(ranked);
}

void hcct_view_keep(struct hcct_tree *tree)
{
    for (uint32_t i = tree->node_count; i--;) {
        struct hcct_tree_node *node = &tree->nodes[i];
        if (node->flags & HCCT_NODE_SELECTED)
            node->flags |= HCCT_NODE_KEPT;
        if (node->flags & HCCT_NODE_KEPT && node->parent != HCCT_NODE_NONE)
            tree->nodes[node->parent].flags |= HCCT_NODE_KEPT;
    }
}

/* Whether one of the values makes the node hot. */
static bool has_hot_value(const struct hcct_tree *tree, uint32_t node, const uint64_t *hot_values)
{
    for (uint32_t i = 0; hot_values && i < tree->value_count; i++)
        if (hcct_tree_values(tree, node)[i] >= hot_values[i])
            return true;
    return false;
}

void hcct_view_select(struct hcct_tree *tree, const struct hcct_frames *frames,
                      const struct hcct_view_selection *selection)
{
    for (uint32_t i = 0; i < tree->node_count; i++) {
        struct hcct_tree_node *node = &tree->nodes[i];
        if (!(node->flags & HCCT_NODE_COUNTED))
            continue;
        if (node->count >= selection->hot_count)
            node->flags |= HCCT_NODE_HOT;
        bool hot = node->flags & HCCT_NODE_HOT || has_hot_value(tree, i, selection->hot_values);
        if ((selection->all || hot) && node->count >= selection->min_count)
            node->flags |= HCCT_NODE_SELECTED;
    }
    if (selection->top_count)
        hcct_view_top(tree, frames, NULL, selection->top_count);
    hcct_view_keep(tree);
}
