/* metric=clock: the time from the entry to the exit of measured functions, by the processor's clock
 * (pass/emit/clock.c).
 *
 * Invariants
 *   1. from a thread's first measured entry on, its time goes to one context: that of the newest measured
 *      function that runs, or that called what runs. If there is none, the time goes to nobody. The time up
 *      to now is added to its context when that context changes;
 *   2. the profiler's own time goes to nobody;
 *   3. a `struct hcct_clock` in a function's stack frame is read by that function only, or while the frame is
 *      known to be live. */
#ifndef HCCT_RUNTIME_METER_CLOCK_H
#define HCCT_RUNTIME_METER_CLOCK_H

#include "runtime/core/meter.h"

extern const struct hcct_meter hcct_meter_clock;

#endif
