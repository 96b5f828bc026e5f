/* Prints a comparison: for people, for programs, as a figure. Errors of the stream stay in the stream
 * (ferror). */
#ifndef HCCT_DECODER_COMPARE_COMPARE_PRINT_H
#define HCCT_DECODER_COMPARE_COMPARE_PRINT_H

#include <stdio.h>

#include "decoder/compare/compare.h"

/* The names of the two files are for people. */
void hcct_compare_print_text(FILE *out, const struct hcct_comparison *comparison,
                             const struct hcct_compare_options *options, const char *exact, const char *hot);
void hcct_compare_print_json(FILE *out, const struct hcct_comparison *comparison,
                             const struct hcct_compare_options *options);
void hcct_compare_print_svg(FILE *out, const struct hcct_comparison *comparison,
                            const struct hcct_compare_options *options, const char *exact, const char *hot);

#endif
