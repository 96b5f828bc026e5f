/* A difference (diff.h) as text and as JSON. Errors of the stream stay in the stream. */
#ifndef HCCT_DECODER_COMPARE_DIFF_PRINT_H
#define HCCT_DECODER_COMPARE_DIFF_PRINT_H

#include <stdio.h>

#include "decoder/compare/diff.h"

/* The `top_count` largest changes, 0: all. False: memory is out. */
bool hcct_diff_print_text(FILE *out, const struct hcct_diff *diff, const char *const names[2],
                          uint64_t top_count);
bool hcct_diff_print_json(FILE *out, const struct hcct_diff *diff, uint64_t top_count);

#endif
