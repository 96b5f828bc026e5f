/* One of the two profiles that diff.h compares: its tree by function and line, names, and sketches. */
#ifndef HCCT_DECODER_COMPARE_DIFF_SIDE_H
#define HCCT_DECODER_COMPARE_DIFF_SIDE_H

#include "decoder/tree/decoded.h"
#include "format/error.h"

#define HCCT_DIFF_SKETCH 23
#define HCCT_DIFF_ALIGN_LIMIT (UINT32_C(1) << 20)

/* The functions below a node. */
struct hcct_diff_sketch {
    uint32_t count;                   /* if below HCCT_DIFF_SKETCH, the set is whole */
    uint32_t least[HCCT_DIFF_SKETCH]; /* the smallest hashes of names, ascending, each once */
};

struct hcct_diff_options;

/* One profile, its tree by function and line. */
struct hcct_diff_side {
    struct hcct_decoded merge; /* whose tree may have become `tree` */
    uint64_t floor;
    uint64_t dropped;      /* calls without a context; any context may have had them */
    uint64_t unassigned;   /* what no context of the whole tree has */
    uint64_t evicted;      /* the part of it that functions have */
    uint32_t hot_contexts; /* by site */
    uint32_t *name;        /* per frame: a number for its name, the same on both sides */
    uint32_t *stem;        /* per frame: a number for its name without parameters and template arguments */
    uint32_t *match;       /* per node: its counterpart, or HCCT_NODE_NONE */
    /* per node: a number for its line, the same on both sides; 0: not known. NULL in one build */
    uint32_t *place;
    bool *gone;                        /* per frame: the other side has no such function. NULL in one build */
    struct hcct_diff_sketch *sketches; /* per node; NULL in one build */
    struct hcct_tree tree;
    struct hcct_tree_children children;
};

static inline bool hcct_diff_is_counted(const struct hcct_diff_side *side, uint32_t node)
{
    return node != HCCT_NODE_NONE && side->tree.nodes[node].flags & HCCT_NODE_COUNTED;
}

bool hcct_diff_open_side(struct hcct_diff_side *side, const struct hcct_profile *profile,
                         enum hcct_frames_by by, const struct hcct_diff_options *options,
                         const struct hcct_choice *choice, struct hcct_error *error);
void hcct_diff_name_sides(struct hcct_diff_side side[2]);
void hcct_diff_sketch_side(struct hcct_diff_side *side);
void hcct_diff_close_side(struct hcct_diff_side *side);

#endif
