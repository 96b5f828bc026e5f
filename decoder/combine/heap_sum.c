/* See heap_sum.h. */
#include "decoder/combine/heap_sum.h"

#include <math.h>
#include <stdlib.h>

#include "decoder/combine/table.h"
#include "decoder/profile/heap.h"

/* Makes zeros of what was not there yet. */
static bool extend(struct hcct_heap_sum *sum, uint32_t count)
{
    for (; sum->count < count; sum->count++) {
        if (!hcct_vector_grow(&sum->values, &sum->capacity, sum->count, sizeof *sum->values) ||
            !hcct_vector_grow(&sum->variances, &sum->variance_capacity, sum->count, sizeof *sum->variances))
            return false;
        sum->values[sum->count] = (struct hcct_file_heap){ 0 };
        sum->variances[sum->count] = (struct hcct_heap_sum_variances){ { 0 } };
    }
    return true;
}

static void add_variances(struct hcct_heap_sum_variances *to, const struct hcct_file_heap *values,
                          const struct hcct_file_heap_sampled *sampled)
{
    for (int i = 0; i < HCCT_FILE_HEAP_ESTIMATES; i++) {
        double number = (double)hcct_heap_value(values, i);
        uint32_t trials = sampled->trials[i];
        to->of[i] += trials && trials < UINT32_MAX ? number * number / trials : 0;
    }
}

bool hcct_heap_sum_add(struct hcct_heap_sum *sum, uint32_t context, const struct hcct_file_heap *values,
                       const struct hcct_file_heap_sampled *sampled)
{
    bool is_rest = context == HCCT_FILE_NONE;
    if (!is_rest && !extend(sum, context + 1))
        return false;
    hcct_layout_add_heap(is_rest ? &sum->rest : &sum->values[context], values);
    if (!sampled)
        return true;
    add_variances(is_rest ? &sum->rest_variances : &sum->variances[context], values, sampled);
    sum->period = !sum->is_sampled || sum->period == sampled->period ? sampled->period : 0;
    sum->is_sampled = true;
    return true;
}

bool hcct_heap_sum_cut(struct hcct_heap_sum *sum, const uint32_t *order, uint32_t kept_count)
{
    struct hcct_heap_sum kept = { .rest = sum->rest,
                                  .rest_variances = sum->rest_variances,
                                  .is_sampled = sum->is_sampled,
                                  .period = sum->period };
    bool done = extend(&kept, kept_count);
    for (uint32_t i = 0; i < sum->count; i++) {
        hcct_layout_add_heap(&kept.rest, &sum->values[i]);
        for (int j = 0; j < HCCT_FILE_HEAP_ESTIMATES; j++)
            kept.rest_variances.of[j] += sum->variances[i].of[j];
    }
    for (uint32_t i = 0; done && i < kept_count; i++)
        if (order[i] < sum->count) {
            kept.values[i] = sum->values[order[i]];
            kept.variances[i] = sum->variances[order[i]];
            hcct_layout_subtract_heap(&kept.rest, &kept.values[i]);
            for (int j = 0; j < HCCT_FILE_HEAP_ESTIMATES; j++)
                kept.rest_variances.of[j] -= kept.variances[i].of[j];
        }
    hcct_heap_sum_free(done ? sum : &kept);
    if (done)
        *sum = kept;
    return done;
}

static struct hcct_file_heap_sampled trials_of(const struct hcct_heap_sum *sum, uint32_t context)
{
    struct hcct_file_heap_sampled sampled = { .period = sum->period };
    for (int i = 0; i < HCCT_FILE_HEAP_ESTIMATES; i++) {
        double number = (double)hcct_heap_value(&sum->values[context], i);
        double trials = sum->variances[context].of[i] > 0 ? number * number / sum->variances[context].of[i]
                                                          : (double)UINT32_MAX;
        sampled.trials[i] = trials < UINT32_MAX ? (uint32_t)fmax(trials + 0.5, 1) : UINT32_MAX;
    }
    return sampled;
}

const struct hcct_file_heap *hcct_heap_sum_all(struct hcct_heap_sum *sum, uint32_t context_count)
{
    if (!extend(sum, context_count + 1))
        return NULL;
    sum->values[context_count] = sum->rest;
    sum->variances[context_count] = sum->rest_variances;
    if (!sum->is_sampled)
        return sum->values;
    sum->sampled = malloc(((size_t)context_count + 1) * sizeof *sum->sampled);
    for (uint32_t i = 0; sum->sampled && i <= context_count; i++)
        sum->sampled[i] = trials_of(sum, i);
    return sum->sampled ? sum->values : NULL;
}

void hcct_heap_sum_free(struct hcct_heap_sum *sum)
{
    free(sum->values);
    free(sum->variances);
    free(sum->sampled);
    *sum = (struct hcct_heap_sum){ 0 };
}
