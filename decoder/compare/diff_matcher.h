/* The pairs of nodes that diff_match.h has found so far, and the children of one pair that have none yet.
 *
 * Invariant: a matched pair points at each other in the two `match`, and no node is in two pairs. */
#ifndef HCCT_DECODER_COMPARE_DIFF_MATCHER_H
#define HCCT_DECODER_COMPARE_DIFF_MATCHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decoder/compare/diff_side.h"

#define HCCT_MATCHER_ALIKE 0.5 /* with this likeness names need not be equal */

struct hcct_matcher_pair {
    uint32_t node[2]; /* node_count of a tree stands for what is above its roots */
};

struct hcct_matcher_scored {
    uint32_t score;
    uint32_t at[2]; /* in `left` */
};

struct hcct_matcher {
    struct hcct_diff_side *side; /* [2] */
    bool same_build;
    struct hcct_matcher_pair *work;
    uint32_t work_count, work_capacity;
    /* Children of the current pair that have no counterpart yet, in the order of their lines. */
    uint32_t *left[2];
    uint32_t left_count[2], left_capacity[2];
    /* Scratch memory of the alignment. */
    uint32_t *best;
    size_t best_capacity;
    struct hcct_matcher_scored *scored;
    uint32_t scored_count, scored_capacity;
    uint32_t *renamed; /* by name in A: its name in B, plus 1; 0: it has the same name */
    bool learned;      /* `renamed` has changed */
};

/* The name that the function of `a` has in B. */
uint32_t hcct_matcher_name_in_b(const struct hcct_matcher *matcher, uint32_t a);
/* The children of this pair are to be matched. */
void hcct_matcher_add_work(struct hcct_matcher *matcher, uint32_t a, uint32_t b);
/* Makes a pair of two nodes that have none, and adds it to the work. */
void hcct_matcher_match(struct hcct_matcher *matcher, uint32_t a, uint32_t b);
/* Puts the children without a counterpart into `left`, in the order of their lines. */
void hcct_matcher_gather(struct hcct_matcher *matcher, int which, uint32_t parent);
/* Takes from `left` what got a counterpart. */
void hcct_matcher_drop_matched(struct hcct_matcher *matcher);

#endif
