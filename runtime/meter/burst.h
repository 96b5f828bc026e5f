/* burst=on, burst=adaptive: calls are counted in bursts, and each counted call stands for several
 * (docs/sampling.md).
 *
 * A thread's CPU time is cut into units of `length`, and m units are an `interval`. One unit of each
 * interval, chosen at random, is the burst: its calls are counted. Between bursts the thread's slots are
 * NULL. A counter of CPU time (counter.h) signals where a burst begins and ends. If the system has none, a
 * timer does (timer.h). Counts are multiplied by m when they are written. burst=adaptive: of the bursts that
 * begin in a function after the first KNOWN_AFTER, only one in KEEP_ONE_IN is counted, chosen at random. Its
 * calls go to the tables with the weight KEEP_ONE_IN.
 *
 * budget=…: all calls are counted while that takes less than the budget of the thread's time
 * (sampled/budget.h). While it takes more, the thread has bursts. A call in a burst weighs m, and another
 * one 1.
 *
 * Counting takes time, so a burst has fewer calls than the same unit would have without counting. How many
 * fewer is not known: counting takes another time in a program than in a loop, and on another machine. So N
 * is too low; the profile says so, and has no upper bound of N.
 *
 * Invariants
 *   1. whether a unit is counted, and with which weight, is chosen before its first call. So the estimates
 *      are unbiased, but for the time that counting takes;
 *   2. calls in a block's slots and batch that are not drained yet have the block's weight;
 *   3. a thread without a timer counts nothing, and the profile says so. With budget=… it counts all calls.
 * Sources: D'Elia, Demetrescu and Finocchi, SPE 2015, section 5; Zhuang et al., PLDI 2006. */
#ifndef HCCT_RUNTIME_METER_BURST_H
#define HCCT_RUNTIME_METER_BURST_H

#include "runtime/core/meter.h"

extern const struct hcct_meter hcct_meter_burst, hcct_meter_budget;

#endif
