/* The names that a report shows. Names are as short as the options say; where two functions of one short name
 * stand below one caller, or in one table, parameters, the full name or the source file tell them apart. */
#ifndef HCCT_DECODER_REPORT_SHOWN_NAMES_H
#define HCCT_DECODER_REPORT_SHOWN_NAMES_H

#include "decoder/report/report.h"

/* Makes the names of the tree's frames. */
void hcct_names_make(struct hcct_frames *frames, const struct hcct_tree *tree,
                     const struct hcct_report_options *options);

/* Makes the names of these frames, which all stand in one table. */
void hcct_names_make_list(struct hcct_frames *frames, const uint32_t *list, uint32_t count,
                          const struct hcct_report_options *options);

/* The names of a format, where the options do not say. */
enum hcct_names hcct_names_of(const struct hcct_report_options *options);

#endif
