/* burst=on, burst=adaptive: calls are counted in bursts, and each counted call stands for several (docs/sampling.md).
 *
 * A thread's CPU time is cut into units of `length` by the signals of its timer (timer.h), and each `interval` of m units has one,
 * chosen at random, that is counted: the burst. What it counts has the weight m, by which all counts are multiplied when they are
 * written. With burst=adaptive a burst that begins in a context in which many have begun already is left out, but for one in AGAIN, chosen at
 * random too, whose calls weigh AGAIN times as much, in the tables already. Between bursts the thread's slots are NULL.
 *
 * Invariants
 *   1. whether a unit is counted, and with which weight, is settled before its first call: so the estimates are unbiased;
 *   2. what the slots and the batch of a worker hold beyond what was drained has the worker's weight;
 *   3. a thread without a timer counts nothing, which is said.
 * Sources: D'Elia, Demetrescu and Finocchi, SPE 2015, section 5; Zhuang et al., PLDI 2006. */
#ifndef HCCT_RUNTIME_BURST_H
#define HCCT_RUNTIME_BURST_H

#include <stdbool.h>
#include <stdint.h>

#include "hcct/format.h"
#include "runtime/thread.h"

enum hcct_burst { HCCT_BURST_OFF, HCCT_BURST_ON, HCCT_BURST_ADAPTIVE };

/* Of the calling thread: between bursts; in one that its first call may be refused. */
extern _Thread_local volatile bool hcct_burst_pausing, hcct_burst_opening;

/* The unit that the timers are to measure. Once, before they start. */
uint64_t hcct_burst_unit_ns(void);
/* What counts are to be multiplied by. */
uint64_t hcct_burst_scale(void);
/* The calling thread has a timer now, or cannot have one. While busy. */
void hcct_burst_begin_thread(struct hcct_worker *worker);
/* A unit of the calling thread has ended. Async-signal-safe; not while busy. */
void hcct_burst_next_unit(void);
/* The first call of a unit, in that context, if hcct_burst_opening. */
void hcct_burst_arrive(struct hcct_worker *worker, uint64_t word);
/* The thread of this outermost block has ended, or is about to. Under the table lock. */
void hcct_burst_end_thread(struct hcct_worker *worker);
/* In a forked child, which has no timers yet and has counted nothing. */
void hcct_burst_after_fork(void);
/* Everything was set to zero. Under the table lock, slots drained. */
void hcct_burst_reset(void);
/* What was observed so far. Under the table lock, slots drained. */
struct hcct_file_bursts hcct_burst_observed(void);

#endif
