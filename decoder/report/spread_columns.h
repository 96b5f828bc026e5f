/* The columns that --spread adds to the tree in text: the smallest, mean and largest count of a context in
 * the profiles that were added up, how many lack it, and where the two extremes are. */
#ifndef HCCT_DECODER_REPORT_SPREAD_COLUMNS_H
#define HCCT_DECODER_REPORT_SPREAD_COLUMNS_H

#include "decoder/report/report.h"

enum { HCCT_SPREAD_COLUMNS = 6 };

struct hcct_spread_columns {
    const struct hcct_report *report; /* NULL: there are no such columns */
    int width[HCCT_SPREAD_COLUMNS];
};

/* Finds how wide the columns must be. Without --spread, or where the single profiles are not known, there
 * are none. */
void hcct_spread_columns_open(struct hcct_spread_columns *columns, const struct hcct_report *report);
/* All of them, with the spaces behind. */
size_t hcct_spread_columns_width(const struct hcct_spread_columns *columns);
void hcct_spread_columns_titles(FILE *out, const struct hcct_spread_columns *columns);
void hcct_spread_columns_print(FILE *out, const struct hcct_spread_columns *columns,
                               const struct hcct_tree_node *node);

#endif
