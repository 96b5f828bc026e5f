/* A difference (diff.h) as a page. */
#ifndef HCCT_DECODER_COMPARE_PRINT_DIFF_HTML_H
#define HCCT_DECODER_COMPARE_PRINT_DIFF_HTML_H

#include <stdio.h>

#include "decoder/compare/diff.h"
#include "decoder/report/report.h"
#include "format/names.h"

/* The differences of all values of two heap profiles, for one page. Each is made as --value makes it: of
 * contexts that have something of the value. So its tree, its matches and its bounds are its own. */
struct hcct_diff_values {
    uint32_t count; /* of values that both profiles have */
    int value[HCCT_HEAP_VALUE_COUNT];
    uint32_t changed_count[HCCT_HEAP_VALUE_COUNT]; /* contexts */
    /* No text: nothing changed, or it is the value that the page shows at first. */
    struct hcct_report_part parts[HCCT_HEAP_VALUE_COUNT];
};

/* `shown`: the difference that the page shows at first, made with the same `options`. The profiles are those
 * of metric=heap, with all values. On false *error tells why, and there is nothing to free. */
bool hcct_diff_values_make(struct hcct_diff_values *values, const struct hcct_profile *const profiles[2],
                           const struct hcct_diff *shown, const struct hcct_diff_options *options,
                           struct hcct_error *error);
void hcct_diff_values_free(struct hcct_diff_values *values);
/* Makes names of the frames anew. `values`: what the reader may choose, or NULL. Errors of the stream stay in
 * the stream. */
void hcct_diff_print_html(FILE *out, struct hcct_diff *diff, const struct hcct_diff_values *values,
                          enum hcct_names names);

#endif
