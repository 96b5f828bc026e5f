/* The words for values that files and trees hold as numbers: modes, algorithms, metrics, kinds of frame. */
#ifndef HCCT_DECODER_REPORT_EXPORT_H
#define HCCT_DECODER_REPORT_EXPORT_H

#include "format/layout.h"

extern const char *const hcct_mode_names[];                          /* by enum hcct_file_mode */
extern const char *const hcct_estimate_names[];                      /* by enum hcct_file_estimate */
extern const char *const hcct_algorithm_names[HCCT_ALGORITHM_COUNT]; /* by enum hcct_file_algorithm */
extern const char *const hcct_guarantee_names[];                     /* by enum hcct_file_guarantee */
extern const char *const hcct_metric_names[];                        /* by enum hcct_file_metric */
extern const char *const hcct_metric_titles[];                       /* the same, for headings */
extern const char *const hcct_kind_names[];                          /* by enum hcct_frame_kind */
extern const char *const hcct_recursion_names[]; /* by enum hcct_file_recursion; ends with NULL */

#endif
