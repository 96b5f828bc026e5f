/* metric=clock: the time from the entry to the exit of measured functions, by the processor's clock
 * (pass/emit/clock.c).
 *
 * Invariants
 *   1. every moment after a thread's first measured entry goes to one context, or to none: that of the newest
 *      measured function that runs or called what runs. What is told of is settled when that changes;
 *   2. what the profiler does in between is no one's;
 *   3. a frame in a function's own stack is read by that function, or while it is known to be live. */
#ifndef HCCT_RUNTIME_METER_CLOCK_H
#define HCCT_RUNTIME_METER_CLOCK_H

#include "runtime/core/meter.h"

extern const struct hcct_meter hcct_meter_clock;

#endif
