/* What the nodes of two trees look like, so that they can be matched (diff_match.h). Functions of one node
 * get its own side; those of two get both sides, side[0] with node `a` and side[1] with node `b`. */
#ifndef HCCT_DECODER_COMPARE_DIFF_LOOK_H
#define HCCT_DECODER_COMPARE_DIFF_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decoder/compare/diff_side.h"

static inline const struct hcct_tree_node *hcct_look_node(const struct hcct_diff_side *side, uint32_t node)
{
    return &side->tree.nodes[node];
}

static inline const struct hcct_tree_frame *hcct_look_frame(const struct hcct_diff_side *side, uint32_t node)
{
    return &side->merge.frames.frames[hcct_look_node(side, node)->frame];
}

static inline const struct hcct_tree_site *hcct_look_site(const struct hcct_diff_side *side, uint32_t node)
{
    uint32_t site = hcct_look_node(side, node)->site;
    return site == HCCT_FRAMES_NONE ? NULL : &side->merge.frames.sites[site];
}

/* The kind of a frame; an inlined function counts as a function. */
static inline uint32_t hcct_look_class(const struct hcct_diff_side *side, uint32_t node)
{
    uint32_t kind = hcct_look_frame(side, node)->kind;
    return kind == HCCT_FRAME_INLINED ? HCCT_FRAME_FUNCTION : kind;
}

static inline uint32_t hcct_look_name(const struct hcct_diff_side *side, uint32_t node)
{
    return side->name[hcct_look_node(side, node)->frame];
}

static inline uint32_t hcct_look_stem(const struct hcct_diff_side *side, uint32_t node)
{
    return side->stem[hcct_look_node(side, node)->frame];
}

bool hcct_look_is_leaf(const struct hcct_diff_side *side, uint32_t node);
/* Whether two calls stand at one place: the known one of the source, else the same line of the caller. */
bool hcct_look_same_place(const struct hcct_diff_side *side, uint32_t a, uint32_t b);
/* The likeness of the sets of functions below two nodes, 0 to 1: their Jaccard index, or (`part`) the share
 * of the smaller one that is in the other. Of large sets, the elements up to the hash where both sketches are
 * whole are compared. Two empty sets are equal. */
float hcct_look_likeness(const struct hcct_diff_side *side, uint32_t a, uint32_t b, bool part);
/* For qsort_r over nodes of one side, its context: the order of call sites, by file and line. Calls in one
 * line are ordered by the function called, as the order in the tree depends on the counts. */
int hcct_look_compare_sites(const void *left, const void *right, void *context);

#endif
