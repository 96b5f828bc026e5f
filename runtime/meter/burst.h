/* budget=…: all calls are counted while that takes less than the budget of the thread's time
 * (sampled/budget.h). While it takes more, the thread counts in bursts, and each counted call stands for
 * several (docs/metrics.md).
 *
 * A thread's CPU time is cut into units, and m units are an interval. One unit of each interval, chosen at
 * random, is the burst: its calls are counted, and weigh m. Between bursts the thread's slots are NULL. A
 * counter of CPU time (counter.h) signals where a burst begins and ends. If the system has none, a timer does
 * (timer.h). Outside of bursts, while all calls are counted, a call weighs 1.
 *
 * Counting takes time, so a burst has fewer calls than the same unit would have without counting. How many
 * fewer is not known: counting takes another time in a program than in a loop, and on another machine. So N
 * is too low; the profile says so, and has no upper bound of N.
 *
 * Invariants
 *   1. whether a unit is counted, and with which weight, is chosen before its first call. So the estimates
 *      are unbiased, but for the time that counting takes;
 *   2. calls in a block's slots and batch that are not drained yet have the block's weight;
 *   3. a thread without a timer counts all calls.
 * Source: D'Elia, Demetrescu and Finocchi, SPE 2015, section 5. */
#ifndef HCCT_RUNTIME_METER_BURST_H
#define HCCT_RUNTIME_METER_BURST_H

#include "runtime/core/meter.h"

extern const struct hcct_meter hcct_meter_budget;

#endif
