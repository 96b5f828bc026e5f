/* A difference (diff.h) as JSON. */
#ifndef HCCT_DECODER_COMPARE_PRINT_DIFF_JSON_H
#define HCCT_DECODER_COMPARE_PRINT_DIFF_JSON_H

#include <stdio.h>

#include "decoder/compare/diff.h"
#include "decoder/text/json_writer.h"

/* All nodes, and the `top_count` largest changes, 0: all. Errors of the stream stay in the stream. */
void hcct_diff_print_json(FILE *out, const struct hcct_diff *diff, uint64_t top_count);
/* The members about both profiles. */
void hcct_diff_write_head(struct hcct_json *json, const struct hcct_diff *diff);

#endif
