/* [other]: leaves that stand for the contexts which are not shown, so that every view adds up to all that was
 * counted.
 *
 * The count of a context that is not shown goes to a leaf [other] of the nearest ancestor that is shown. What
 * no node has (contexts below the floor, dropped calls, those that a filter left out) is a root [other].
 * [other] is what a sum leaves, so its count is a sum of lower bounds (claim.h), and has no error. With
 * HCCT_OTHER_BY_FUNCTION the functions below it have errors: the sums of those of their contexts.
 * Calls of a function that no context has (struct hcct_file_function) are below the root [other], or are its
 * calls by [other]. */
#ifndef HCCT_DECODER_TREE_OTHER_H
#define HCCT_DECODER_TREE_OTHER_H

#include "decoder/tree/tree.h"

enum hcct_other_shown {
    HCCT_OTHER_BELOW_KEPT,     /* all kept nodes show their counts */
    HCCT_OTHER_BELOW_SELECTED, /* only selected nodes do: the count of another kept one goes to its [other] */
    HCCT_OTHER_BY_FUNCTION,    /* as BELOW_KEPT; below each [other] stand the functions of its contexts, */
                               /* so that a function's own total is right */
    HCCT_OTHER_OF_CALLERS,     /* as BELOW_KEPT, in a tree that begins with the functions that were called */
};

struct hcct_other_totals {
    uint64_t count;
    const uint64_t *values; /* of a tree with values; NULL: not known */
};

/* Adds the leaves to a tree whose kept nodes are marked. Leaves [other] that the tree has and that are not
 * shown move like contexts. */
void hcct_other_add(struct hcct_tree *tree, struct hcct_frames *frames, struct hcct_other_totals totals,
                    enum hcct_other_shown shown);

#endif
