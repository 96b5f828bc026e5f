/* sample=calls and so on: one call of many is the sample, and its context is counted with a weight
 * (docs/sampling.md).
 *
 * calls                a thread's calls are cut into strides of `period` calls. One call of each stride,
 *                      chosen at random, is the sample.
 * calls-per-function   the same for each function's calls in a thread. A function's first strides have one
 *                      call. After STRIDES_PER_LENGTH strides the length doubles, up to `period`.
 * timer                the next call after a tick of the thread's timer (timer.h) is the sample. Its weight
 *                      is 1, as it is not known how many calls it stands for.
 * With the first two, every key misses its slot, so that `pass` can count calls down. With `timer`, slots
 * are NULL from a sample to the next tick.
 *
 * Invariants
 *   1. which call of a stride is the sample is chosen before the stride's first call. So each call has the
 *      chance 1 / stride, the weight is the stride, and the estimates are unbiased, whatever the program
 *      repeats;
 *   2. invariant 1 also holds for a stride that ends early: its thread ends, or another function takes its
 *      counter;
 *   3. the slots of a thread's block hold the counters of its functions. They hold no counts of calls.
 * Source: Arnold and Sweeney, IBM RC 21789, 2000. */
#ifndef HCCT_RUNTIME_METER_STRIDES_H
#define HCCT_RUNTIME_METER_STRIDES_H

#include "runtime/core/meter.h"

extern const struct hcct_meter hcct_meter_strides;

#endif
