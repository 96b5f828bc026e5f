/* What stands above a long tree, for who looks for the first time: the functions with most counts of their
 * own, and the hottest contexts, a line each. */
#ifndef HCCT_DECODER_REPORT_FORMATS_VERDICT_H
#define HCCT_DECODER_REPORT_FORMATS_VERDICT_H

#include "decoder/report/layout.h"

/* Prints nothing above a short tree, which tells that itself. */
void hcct_verdict_print(FILE *out, const struct hcct_report *report, const struct hcct_layout *layout);

#endif
