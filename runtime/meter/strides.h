/* sample=…: the context of one call in many is counted, with a weight (docs/sampling.md).
 *
 * calls                each thread's calls are cut into strata of `period`; one call of each, chosen at
 *                      random, is the sample.
 * calls-per-function   the same of each function's calls in a thread. The rate decays: the first strata have
 *                      one call, GROW later ones twice as many, until they have `period`.
 * timer                after a tick of the thread's timer (timer.h) its next call is the sample. Its weight
 *                      is 1: nothing tells how many calls it stands for.
 * While one of the first two is on, slots are a table in which every key misses, so that __hcct_miss counts
 * down. With `timer` slots are NULL between a sample and the next tick.
 *
 * Invariants
 *   1. which call of a stratum is the sample is settled before its first: so each call has the chance 1 /
 *      stratum, the weight is the stratum, and the estimates are unbiased, whatever the program repeats;
 *   2. a stratum that ends early, as its thread does or its counter is taken by another function, keeps 1;
 *   3. slots of a thread's block are the counters of its functions, or marks of the last sample's path: no
 *      counts.
 * Sources: Arnold and Sweeney, IBM RC 21789, 2000; Mytkowicz, Coughlin and Diwan, OOPSLA 2009. */
#ifndef HCCT_RUNTIME_METER_STRIDES_H
#define HCCT_RUNTIME_METER_STRIDES_H

#include "runtime/core/meter.h"

extern const struct hcct_meter hcct_meter_strides;

#endif
