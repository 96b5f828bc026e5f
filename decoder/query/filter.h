/* Filters: from the tree of all contexts to that of those which a user asks for. query.h says what each
 * filter does.
 *
 * Cost: O(nodes), and O(frames) searches for each pattern. */
#ifndef HCCT_DECODER_QUERY_FILTER_H
#define HCCT_DECODER_QUERY_FILTER_H

#include "decoder/query/query.h"
#include "decoder/tree/tree.h"

/* Whether the query leaves out or changes anything. */
bool hcct_filter_is_needed(const struct hcct_query *query);

/* Whether it may change a tree of these frames. A query that only folds does not if no frame matches. */
bool hcct_filter_has_effect(const struct hcct_query *query, const struct hcct_frames *frames);

/* Makes `to`, which is empty, of `from`. The patterns were checked (pattern.h). Adds frames of folded runs,
 * and moves or drops the `evicted` of frames. */
void hcct_filter_apply(const struct hcct_tree *from, struct hcct_frames *frames,
                       const struct hcct_query *query, struct hcct_tree *to);

#endif
