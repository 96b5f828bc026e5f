/* What the profile is and how far it can be trusted, in a few lines: the heading of the formats for
 * people. */
#ifndef HCCT_DECODER_REPORT_FORMATS_HEADING_H
#define HCCT_DECODER_REPORT_FORMATS_HEADING_H

#include "decoder/report/report.h"

/* Prints the heading and an empty line. */
void hcct_heading_print(FILE *out, const struct hcct_report *report);

#endif
