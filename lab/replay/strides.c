#include "lab/replay/strides.h"

#include <stdlib.h>

enum { STRIDES_PER_LENGTH = 8 };

bool hcct_strides_open(struct hcct_strides *strides, uint32_t stream_count, uint32_t function_count)
{
    strides->function_count = strides->per_function ? function_count : 1;
    strides->random = 1;
    strides->observed.kind = strides->per_function ? HCCT_ESTIMATE_CALLS_PER_FUNCTION : HCCT_ESTIMATE_CALLS;
    strides->observed.period = strides->period;
    strides->of = calloc((size_t)stream_count + 1, sizeof *strides->of);
    return strides->of;
}

void hcct_strides_close(struct hcct_strides *strides, uint32_t stream_count)
{
    for (uint32_t i = 0; strides->of && i < stream_count; i++)
        free(strides->of[i]);
    free(strides->of);
}

/* 0 .. limit - 1, by splitmix64. The limit is at most 2^20, so the remainder is even enough. */
static uint64_t draw_below(struct hcct_strides *strides, uint64_t limit)
{
    uint64_t value = strides->random += UINT64_C(0x9E3779B97F4A7C15);
    value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
    return (value ^ value >> 31) % limit;
}

static uint64_t length_of(const struct hcct_strides *strides, const struct hcct_stride *stride)
{
    uint64_t doublings = stride->level / STRIDES_PER_LENGTH;
    bool grows = strides->per_function && doublings < 32 && UINT64_C(1) << doublings < strides->period;
    return grows ? UINT64_C(1) << doublings : strides->period;
}

static void begin(struct hcct_strides *strides, struct hcct_stride *stride)
{
    uint64_t calls = length_of(strides, stride), at = draw_below(strides, calls);
    stride->left = stride->rest + at + 1;
    stride->rest = calls - 1 - at;
    strides->observed.units++;
}

uint64_t hcct_strides_weigh(struct hcct_strides *strides, uint32_t stream, uint32_t function)
{
    struct hcct_stride **of = &strides->of[stream];
    if (!*of && !(*of = calloc(strides->function_count, sizeof **of))) {
        strides->failed = true;
        return 0;
    }
    struct hcct_stride *stride = *of + (strides->per_function ? function : 0);
    uint64_t weight = length_of(strides, stride);
    if (!stride->left) {
        begin(strides, stride);
        strides->observed.slack += weight - 1;
    }
    if (--stride->left)
        return 0;
    stride->level += weight < strides->period;
    begin(strides, stride);
    strides->observed.slack += length_of(strides, stride) - weight;
    strides->observed.bursts++;
    strides->observed.calls++;
    strides->observed.estimate += (double)weight;
    strides->observed.squares += (double)weight * (double)weight;
    strides->weight += weight;
    return weight;
}
