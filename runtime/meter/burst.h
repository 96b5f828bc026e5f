/* burst=on, burst=adaptive: calls are counted in bursts, and each counted call stands for several
 * (docs/sampling.md).
 *
 * A thread's CPU time is cut into units of `length`, and each `interval` of m units has one, chosen at
 * random, that is counted: the burst. A counter of the system's (counter.h) tells when one begins and ends,
 * or, where there is none, a timer (timer.h). All counts are multiplied by m when they are written. With
 * burst=adaptive a burst that begins in a function in which many have begun already is left out, but for one
 * in AGAIN, chosen at random too, whose calls weigh AGAIN times as much, in the tables already. Between
 * bursts the thread's slots are NULL.
 *
 * Counting takes time, so that a burst has fewer calls than a unit without counting. By how many cannot be
 * known without counting there, too: what counting takes beside the program's own work is another thing than
 * what it takes in a loop, and differs from machine to machine. So N is too low, which is said, and the bound
 * that is told of it is the lower one.
 *
 * Invariants
 *   1. whether a unit is counted, and with which weight, is settled before its first call: so the estimates
 *      are unbiased, but for the time that counting takes;
 *   2. what the slots and the batch of a worker hold beyond what was drained has the worker's weight;
 *   3. a thread without a timer counts nothing, which is said.
 * Sources: D'Elia, Demetrescu and Finocchi, SPE 2015, section 5; Zhuang et al., PLDI 2006. */
#ifndef HCCT_RUNTIME_METER_BURST_H
#define HCCT_RUNTIME_METER_BURST_H

#include "runtime/core/meter.h"

extern const struct hcct_meter hcct_meter_burst;

#endif
