/* From the tree as it was counted to the tree that is shown: contexts are grouped as --by says, then the hot
 * ones, or all, are selected.
 *
 * Cost: O(nodes), and O(n log n) comparisons of siblings where only the hottest are selected. */
#ifndef HCCT_DECODER_TREE_VIEW_H
#define HCCT_DECODER_TREE_VIEW_H

#include "decoder/tree/tree.h"

struct hcct_view_selection {
    uint64_t hot_count; /* a context is hot with at least this count */
    uint64_t min_count;
    uint64_t top_count; /* 0: no limit */
    bool all;           /* not only the hot ones */
    /* NULL, or of a tree with values: a node is selected, too, if one of its values is at least that. It is
     * not hot by that. */
    const uint64_t *hot_values;
};

/* Makes `to`, which is empty, of `from`: contexts that `by` does not tell apart become one, and so do an
 * inlined frame and its caller without `inlines`. Where that changes nothing, `to` gets the nodes of `from`,
 * which is empty then. */
void hcct_view_regroup(struct hcct_tree *from, const struct hcct_frames *frames, enum hcct_frames_by by,
                       bool inlines, struct hcct_tree *to);

/* Marks nodes as hot, selected and kept. Ties at top_count are broken by path text: all names of the tree's
 * frames must have been made. */
void hcct_view_select(struct hcct_tree *tree, const struct hcct_frames *frames,
                      const struct hcct_view_selection *selection);

/* Deselects all but the hottest; ties are broken by path text (texts[frame], or NULL: the frames' names).
 */
void hcct_view_top(struct hcct_tree *tree, const struct hcct_frames *frames, const char *const *texts,
                   uint64_t top_count);

/* Marks what is selected, and its ancestors, as kept. */
void hcct_view_keep(struct hcct_tree *tree);

#endif
