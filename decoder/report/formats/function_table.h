/* The views `flat`, a table of functions, and `peek`, a function between its callers and what it calls; as
 * text, csv or json. */
#ifndef HCCT_DECODER_REPORT_FORMATS_FUNCTION_TABLE_H
#define HCCT_DECODER_REPORT_FORMATS_FUNCTION_TABLE_H

#include "decoder/report/report.h"

/* The member `print_table` of the formats that have these views, and say how. */
bool hcct_function_table_print(FILE *out, struct hcct_report *report, const struct hcct_tree *tree,
                               struct hcct_error *error);

#endif
