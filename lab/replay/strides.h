/* Sampled calls: one call of each stride is the sample, and weighs as many calls as the stride has (Arnold
 * and Sweeney, IBM RC 21789, 2000).
 *
 * A stream's calls are cut into strides of `period` calls; or each function's calls in a stream, whose first
 * strides have one call: after 8 strides the length doubles, up to `period`.
 *
 * Invariant: which call of a stride is the sample is chosen at random before the stride's first call, by a
 * generator with a fixed seed. So each call has the same chance, and the estimates are unbiased, whatever the
 * program repeats. */
#ifndef HCCT_LAB_REPLAY_STRIDES_H
#define HCCT_LAB_REPLAY_STRIDES_H

#include <stdbool.h>
#include <stdint.h>

#include "format/layout.h"

struct hcct_stride {
    uint64_t left;  /* calls up to the sample, included; 0: not begun */
    uint64_t rest;  /* calls behind it */
    uint64_t level; /* strides so far, while they grow */
};

struct hcct_strides {
    uint64_t period; /* 0: no samples */
    bool per_function;
    uint32_t function_count;
    struct hcct_stride **of; /* by stream, then by function */
    uint64_t random;
    uint64_t weight; /* of all samples */
    bool failed;     /* memory is out */
    struct hcct_file_bursts observed;
};

/* False if memory is short. Close it in both cases. */
bool hcct_strides_open(struct hcct_strides *strides, uint32_t stream_count, uint32_t function_count);
void hcct_strides_close(struct hcct_strides *strides, uint32_t stream_count);
/* The weight of the stream's next call, which is of that function; 0: it is no sample. */
uint64_t hcct_strides_weigh(struct hcct_strides *strides, uint32_t stream, uint32_t function);

#endif
