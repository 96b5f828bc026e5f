/* The bottom-up tree: roots are functions, a node's children are its callers, each by call site.
 *
 *     partition            all that was counted in partition,
 *      `- sort  sort.c:24  and the part of it for each chain of callers
 *          `- main
 *
 * A node's amount, own and below, is that of the paths which end (for times: go through, at the outermost
 * occurrence) as the chain from the node to the root says. Where all callers of a chain are told its count
 * stands with the last of them.
 *
 * Callers are told apart below a node only if its amount is at least the threshold, and DEPTH levels deep at
 * most. Cost: O(contexts) look-ups for each level. */
#ifndef HCCT_DECODER_QUERY_CALLERS_H
#define HCCT_DECODER_QUERY_CALLERS_H

#include "decoder/tree/tree.h"

struct hcct_callers_options {
    const bool *wanted;    /* per frame: it is a root; NULL: all functions are */
    const uint32_t *shown; /* per frame: the one that stands for it, for a function and its inlined copies */
    bool inclusive;        /* what is below a wanted function counts, too */
    uint64_t threshold;
    uint32_t depth; /* levels */
};

/* Makes `to`, which is empty and may have limits, of `from`. Returns the amount of each node with what is
 * below it, from malloc; NULL if there are no nodes. */
uint64_t *hcct_callers_build(const struct hcct_tree *from, const struct hcct_callers_options *options,
                             struct hcct_tree *to);

#endif
