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

#include <stdbool.h>
#include <stdint.h>

#include "hcct/format.h"
#include "runtime/core/options.h"
#include "runtime/core/thread.h"

enum hcct_acct { HCCT_ACCT_OFF, HCCT_ACCT_CALLS, HCCT_ACCT_PER_FUNCTION, HCCT_ACCT_TIMER };
enum hcct_acct_edges { HCCT_ACCT_LAST, HCCT_ACCT_ALL_NEW };

enum { HCCT_ACCT_PERIOD_LIMIT = 1000000 };

/* sample=calls: of the calling thread, until the next sample, it included. 0: not known. */
extern _Thread_local volatile uint32_t hcct_acct_left;
/* The calling thread's functions, by hcct_acct_counter; NULL where none are counted down. */
extern _Thread_local struct hcct_slot *hcct_acct_counters;
/* sample=timer: there was no tick since the calling thread's last sample. */
extern _Thread_local volatile bool hcct_acct_pausing;

static inline struct hcct_slot *hcct_acct_counter(struct hcct_slot *counters, const struct hcct_state *state)
{
    return &counters[hcct_slot_of((uintptr_t)state)];
}

/* A call that missed: whether it is none of the sample. */
static inline bool hcct_acct_passes(void)
{
    if (hcct_acct_left <= 1)
        return false;
    hcct_acct_left--;
    return true;
}

/* The same, with counters of functions. The lower half of one's count is what is left. */
static inline bool hcct_acct_passes_by_function(const struct hcct_state *state)
{
    struct hcct_slot *counter = hcct_acct_counter(hcct_acct_counters, state);
    if (counter->key != (uintptr_t)state || (uint32_t)counter->count <= 1)
        return false;
    counter->count--;
    return true;
}

/* A call that does not pass: takes the sample, if it is one. `sp`: as hcct_stack_find's. Not while busy. */
void hcct_acct_arrive(struct hcct_worker *worker, uint64_t word, const struct hcct_state *state,
                      uintptr_t sp);
/* sample=timer: the calling thread has a timer now, or cannot have one. While busy. */
void hcct_acct_begin_thread(const struct hcct_worker *worker);
/* sample=timer: a tick of the calling thread. Async-signal-safe; not while busy. */
void hcct_acct_tick(void);
/* In a forked child, which has no timers yet. */
void hcct_acct_after_fork(void);
/* Everything was set to zero. Under the table lock. */
void hcct_acct_reset(void);
/* What was observed so far. Under the table lock. */
struct hcct_file_bursts hcct_acct_observed(void);

#endif
