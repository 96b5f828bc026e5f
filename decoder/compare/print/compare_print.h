/* Prints a comparison: as text for people, as JSON for programs, as an SVG figure. Errors of the stream stay
 * in the stream (ferror). */
#ifndef HCCT_DECODER_COMPARE_PRINT_COMPARE_PRINT_H
#define HCCT_DECODER_COMPARE_PRINT_COMPARE_PRINT_H

#include <stdio.h>

#include "decoder/compare/compare.h"

/* `exact` and `hot` are the names of the two files. */
void hcct_compare_print_text(FILE *out, const struct hcct_comparison *comparison,
                             const struct hcct_compare_options *options, const char *exact, const char *hot);
void hcct_compare_print_json(FILE *out, const struct hcct_comparison *comparison,
                             const struct hcct_compare_options *options);
void hcct_compare_print_svg(FILE *out, const struct hcct_comparison *comparison,
                            const struct hcct_compare_options *options, const char *exact, const char *hot);

#endif
