/* A difference (diff.h) by function: what all contexts of a function have in both profiles. */
#ifndef HCCT_DECODER_COMPARE_PRINT_DIFF_FLAT_H
#define HCCT_DECODER_COMPARE_PRINT_DIFF_FLAT_H

#include "decoder/compare/print/diff_text.h"

/* As text or JSON: the largest changes of own counts first, then those of inclusive counts alone. Functions
 * are paired by linkage name and file; between two builds also by full name and file, and then by full name
 * alone. Makes names of the frames anew. Errors of the stream stay in the stream. */
void hcct_diff_print_flat(FILE *out, struct hcct_diff *diff, const struct hcct_diff_text_options *options,
                          bool json);

#endif
