#include "decoder/profile/heap.h"

#include <stdlib.h>

#include "decoder/profile/sum.h"
#include "format/names.h"

uint64_t hcct_heap_value(const struct hcct_file_heap *heap, int value)
{
    switch ((enum hcct_heap_value)value) {
    case HCCT_HEAP_ALLOCATED:
        return heap->bytes;
    case HCCT_HEAP_BLOCKS:
        return heap->blocks;
    case HCCT_HEAP_LIVE:
        return heap->live_bytes;
    case HCCT_HEAP_LIVE_BLOCKS:
        return heap->live_blocks;
    case HCCT_HEAP_PEAK:
        return heap->peak_bytes;
    case HCCT_HEAP_PEAK_BLOCKS:
        return heap->peak_blocks;
    case HCCT_HEAP_TEMPORARY:
        return heap->temporary_blocks;
    case HCCT_HEAP_RESIZED:
        return heap->resized_blocks;
    case HCCT_HEAP_LOST:
        return heap->lost_bytes;
    case HCCT_HEAP_LOST_BLOCKS:
        return heap->lost_blocks;
    case HCCT_HEAP_VALUE_COUNT:
        break;
    }
    return 0;
}

struct hcct_file_heap hcct_heap_total(const struct hcct_profile *profile)
{
    struct hcct_file_heap total = { 0 };
    for (uint32_t i = 0; i < profile->heap_count; i++)
        hcct_layout_add_heap(&total, &profile->heap[i]);
    return total;
}

double hcct_heap_variance(const struct hcct_profile *profile, int value)
{
    double sum = 0;
    for (uint32_t i = 0; i < profile->sampled_count && value < HCCT_FILE_HEAP_ESTIMATES; i++) {
        double number = (double)hcct_heap_value(&profile->heap[i], value);
        uint32_t trials = profile->sampled[i].trials[value];
        sum += trials && trials < UINT32_MAX ? number * number / trials : 0;
    }
    return sum;
}

uint64_t *hcct_heap_details(const struct hcct_profile *profile, uint32_t *detail_count)
{
    uint32_t count = 0, detail = UINT32_MAX;
    for (uint32_t i = 0; i < profile->curve_count; i++)
        count += profile->curve[i].is_detailed;
    uint64_t *details = calloc((size_t)profile->entry_count * count + count + 1, sizeof *details);
    *detail_count = count;
    for (uint32_t i = 0; details && i < profile->curve_count; i++) {
        const struct hcct_file_curve *it = &profile->curve[i];
        if (it->entry == HCCT_FILE_NONE)
            detail += it->is_detailed;
        else
            details[(size_t)it->entry * count + detail] = it->live_bytes;
    }
    return details;
}

struct chosen {
    struct hcct_file_run run;
    struct hcct_file_entry entries[];
};

static void choose(struct hcct_profile *profile, struct chosen *chosen, int value)
{
    struct hcct_file_run *run = &chosen->run;
    uint32_t count = 0;
    uint64_t rest = hcct_heap_value(&profile->heap[profile->entry_count], value);
    *run = *profile->run;
    run->calls = run->dropped_memory = rest;
    run->dropped_chain = run->dropped_interrupted = run->stale = run->floor = 0;
    run->epsilon = 0;
    if (!rest && !profile->sampled)
        run->guarantee = HCCT_GUARANTEE_EXACT;
    for (uint32_t i = 0; i < profile->entry_count; i++) {
        struct hcct_file_entry entry = profile->entries[i];
        entry.count = hcct_heap_value(&profile->heap[i], value);
        entry.error = 0;
        if (!entry.count)
            continue;
        if (profile->sampled && value < HCCT_FILE_HEAP_ESTIMATES)
            entry.trials = profile->sampled[i].trials[value];
        run->calls = hcct_sum(run->calls, entry.count);
        if (entry.prefix == HCCT_FILE_NONE)
            run->dropped_chain = hcct_sum(run->dropped_chain, entry.count);
        chosen->entries[count++] = entry;
    }
    profile->run = run;
    profile->entries = chosen->entries;
    profile->entry_count = count;
    profile->spread = NULL; /* it is of the first value; that there is one stays known */
}

bool hcct_heap_has(const struct hcct_file_heap *total, int value)
{
    bool is_lost = value == HCCT_HEAP_LOST || value == HCCT_HEAP_LOST_BLOCKS;
    return !is_lost || (total->scanned && total->scanned == total->profiles);
}

bool hcct_heap_check(const struct hcct_profile *profile, struct hcct_error *error)
{
    return profile->run->metric == HCCT_METRIC_HEAP ||
           hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                          "counts no heap: HCCT_OPTIONS=metric=heap, or hcct-run --heap, does");
}

bool hcct_heap_choose(struct hcct_profile *profile, int value, struct hcct_error *error)
{
    if (!hcct_heap_check(profile, error))
        return false;
    struct hcct_file_heap total = hcct_heap_total(profile);
    if (!hcct_heap_has(&total, value))
        return hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                              "did not look for lost blocks: HCCT_OPTIONS=metric=heap:heap_scan=on does");
    profile->heap_value = value;
    profile->is_one_value = true;
    if (value == HCCT_HEAP_ALLOCATED)
        return true;
    struct chosen *chosen =
        malloc(sizeof *chosen + ((size_t)profile->entry_count + 1) * sizeof *chosen->entries);
    if (!chosen)
        return hcct_error_out_of_memory(error);
    choose(profile, chosen, value);
    profile->chosen = chosen;
    return true;
}
