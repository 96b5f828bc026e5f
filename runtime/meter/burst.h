/* burst=on, burst=adaptive: calls are counted in bursts, and each counted call stands for several
 * (docs/sampling.md).
 *
 * A thread's CPU time is cut into units of `length`, and each `interval` of m units has one, chosen at
 * random, that is counted: the burst. A counter of the system's (event.h) tells when one begins and ends, or,
 * where there is none, a timer (timer.h). All counts are multiplied by m when they are written. With
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

#include <stdbool.h>
#include <stdint.h>

#include "hcct/format.h"
#include "runtime/core/thread.h"

enum hcct_burst { HCCT_BURST_OFF, HCCT_BURST_ON, HCCT_BURST_ADAPTIVE };

/* Of the calling thread: between bursts; in one that its first call may be refused. */
extern _Thread_local volatile bool hcct_burst_pausing, hcct_burst_opening;

/* The length of a burst, by counters of CPU time or by timers. */
uint64_t hcct_burst_unit_ns(bool by_counters);
/* Once, before the first thread begins. */
void hcct_burst_start(bool by_counters);
/* The calling thread has a timer now, or cannot have one. While busy. */
void hcct_burst_begin_thread(struct hcct_worker *worker);
/* The phase of the calling thread has ended, or a tick of it. Async-signal-safe; not while busy. */
void hcct_burst_go_on(void);
/* How long the phase is. */
uint64_t hcct_burst_wait_ns(void);
/* The first call of a burst, of that function, if hcct_burst_opening. */
void hcct_burst_arrive(struct hcct_worker *worker, const struct hcct_state *state);
/* The thread of this outermost block has ended, or is about to. Under the table lock. */
void hcct_burst_end_thread(struct hcct_worker *worker);
/* In a forked child, which has no timers yet and has counted nothing. */
void hcct_burst_after_fork(void);
/* Counting is about to begin or to end: bursts of all threads up to now are accounted for. Under the table
 * lock. */
void hcct_burst_settle(void);
/* Everything was set to zero. Under the table lock. */
void hcct_burst_reset(void);
/* What was observed so far. Under the table lock, slots drained. */
struct hcct_file_bursts hcct_burst_observed(void);
/* What counts are to be multiplied by. */
uint64_t hcct_burst_factor(void);

#endif
