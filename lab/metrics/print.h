/* Prints a metrics: as text for people, as JSON for programs, as an SVG figure. Errors of the stream stay
 * in the stream (ferror). */
#ifndef HCCT_LAB_METRICS_PRINT_H
#define HCCT_LAB_METRICS_PRINT_H

#include <stdio.h>

#include "lab/metrics/metrics.h"

/* `exact` and `hot` are the names of the two files. */
void hcct_metrics_print_text(FILE *out, const struct hcct_metrics *metrics,
                             const struct hcct_metrics_options *options, const char *exact, const char *hot);
void hcct_metrics_print_json(FILE *out, const struct hcct_metrics *metrics,
                             const struct hcct_metrics_options *options);
void hcct_metrics_print_svg(FILE *out, const struct hcct_metrics *metrics,
                            const struct hcct_metrics_options *options, const char *exact, const char *hot);

#endif
