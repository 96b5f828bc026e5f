/* A difference (diff.h) as a page. */
#ifndef HCCT_DECODER_COMPARE_DIFF_HTML_H
#define HCCT_DECODER_COMPARE_DIFF_HTML_H

#include <stdio.h>

#include "decoder/compare/diff.h"

/* Errors of the stream stay in the stream. False: memory is out. */
bool hcct_diff_print_html(FILE *out, const struct hcct_diff *diff);

#endif
