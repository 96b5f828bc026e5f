/* What a report shows of a node: its name, its call site, its own count. */
#ifndef HCCT_DECODER_REPORT_NODE_H
#define HCCT_DECODER_REPORT_NODE_H

#include "decoder/report/report.h"
#include "decoder/text/text.h"

/* As it is shown; in `buffer` if need be. */
static inline const char *hcct_node_name(const struct hcct_report *report, const struct hcct_tree_node *node,
                                         char buffer[HCCT_TREE_TEXT_BYTES])
{
    return hcct_tree_text(report->frames, node, NULL, buffer);
}

/* Where the node was called, or inlined; NULL if it has no such place. */
const struct hcct_tree_site *hcct_node_site(const struct hcct_report *report,
                                            const struct hcct_tree_node *node);

/* Replaces `text` by "sort.c:24:13"; "#3" of the third call of a function that has no lines;
 * "" where `site` is NULL or nothing is known. */
void hcct_node_site_text(const struct hcct_report *report, const struct hcct_tree_site *site,
                         struct hcct_text *text);

/* Its own count, 0 where the node is not monitored. For sums: hcct_tree_low. */
static inline uint64_t hcct_node_count(const struct hcct_tree_node *node)
{
    return node->flags & HCCT_NODE_COUNTED ? node->count : 0;
}

/* The most by which that may be too high. */
static inline uint64_t hcct_node_error(const struct hcct_tree_node *node)
{
    return node->flags & HCCT_NODE_COUNTED ? node->error : 0;
}

/* What its counts were in the single profiles. False if that is not known. */
bool hcct_node_spread(const struct hcct_report *report, const struct hcct_tree_node *node,
                      struct hcct_spread *value);

#endif
