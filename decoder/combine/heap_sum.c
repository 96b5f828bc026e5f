/* See heap_sum.h. */
#include "decoder/combine/heap_sum.h"

#include <stdlib.h>

#include "decoder/combine/table.h"

/* Makes zeros of what was not there yet. */
static bool extend(struct hcct_heap_sum *sum, uint32_t count)
{
    for (; sum->count < count; sum->count++) {
        if (!hcct_vector_grow(&sum->values, &sum->capacity, sum->count, sizeof *sum->values))
            return false;
        sum->values[sum->count] = (struct hcct_file_heap){ 0 };
    }
    return true;
}

bool hcct_heap_sum_add(struct hcct_heap_sum *sum, uint32_t context, const struct hcct_file_heap *values)
{
    if (!extend(sum, context + 1))
        return false;
    hcct_layout_add_heap(&sum->values[context], values);
    return true;
}

bool hcct_heap_sum_cut(struct hcct_heap_sum *sum, const uint32_t *order, uint32_t kept_count)
{
    struct hcct_heap_sum kept = { .rest = sum->rest };
    bool done = extend(&kept, kept_count);
    for (uint32_t i = 0; i < sum->count; i++)
        hcct_layout_add_heap(&kept.rest, &sum->values[i]);
    for (uint32_t i = 0; done && i < kept_count; i++)
        if (order[i] < sum->count) {
            kept.values[i] = sum->values[order[i]];
            hcct_layout_subtract_heap(&kept.rest, &kept.values[i]);
        }
    if (!done) {
        free(kept.values);
        return false;
    }
    free(sum->values);
    *sum = kept;
    return true;
}

const struct hcct_file_heap *hcct_heap_sum_all(struct hcct_heap_sum *sum, uint32_t context_count)
{
    if (!extend(sum, context_count + 1))
        return NULL;
    sum->values[context_count] = sum->rest;
    return sum->values;
}

void hcct_heap_sum_free(struct hcct_heap_sum *sum)
{
    free(sum->values);
    *sum = (struct hcct_heap_sum){ 0 };
}
