/* Whether the files that a report names are still those of the build that ran: its objects by their build
 * ids, its sources by the time of their last change. */
#ifndef HCCT_DECODER_REPORT_CHANGED_H
#define HCCT_DECODER_REPORT_CHANGED_H

#include "decoder/report/report.h"

/* A line for objects that were built again; with `has_lines`, one for sources that are newer than their
 * object or than the run. Nothing where all is as it was, or cannot be told. */
void hcct_changed_print(FILE *out, const struct hcct_report *report, bool has_lines);

#endif
