/* The values of metric=heap of several profiles, added up by context. Peaks of different processes add up,
 * too: nobody knows what was live at one moment in all of them. */
#ifndef HCCT_DECODER_COMBINE_HEAP_SUM_H
#define HCCT_DECODER_COMBINE_HEAP_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include "format/layout.h"

struct hcct_heap_sum {
    struct hcct_file_heap *values; /* by context; those from `count` on have none */
    uint32_t count, capacity;
    struct hcct_file_heap rest; /* of no context */
    /* heap_sample: the variances of `values`, those of `rest`, and what the file gets of them */
    struct hcct_heap_sum_variances {
        double of[HCCT_FILE_HEAP_ESTIMATES];
    } *variances, rest_variances;
    uint32_t variance_capacity;
    bool is_sampled;
    uint64_t period; /* 0: they differ */
    struct hcct_file_heap_sampled *sampled;
};

/* Adds to a context, or to the rest (HCCT_FILE_NONE). `sampled`: NULL, if these are no estimates. False when
 * memory is out. */
bool hcct_heap_sum_add(struct hcct_heap_sum *sum, uint32_t context, const struct hcct_file_heap *values,
                       const struct hcct_file_heap_sampled *sampled);
/* Keeps order[0] to order[kept_count - 1], which get the numbers 0 to kept_count - 1. What the others have
 * goes to the rest. False when memory is out. */
bool hcct_heap_sum_cut(struct hcct_heap_sum *sum, const uint32_t *order, uint32_t kept_count);
/* What the file has for so many contexts, and the rest behind them; NULL when memory is out. It stays the
 * sum's. */
/* Behind it, `sampled` is what the file has of estimates; NULL: none, or memory is out. */
const struct hcct_file_heap *hcct_heap_sum_all(struct hcct_heap_sum *sum, uint32_t context_count);
void hcct_heap_sum_free(struct hcct_heap_sum *sum);

#endif
