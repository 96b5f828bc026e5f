/* budget=10%: decides for each thread whether all calls are counted, or only those in bursts
 * (docs/metrics.md).
 *
 * The price of counting is the time of all misses that took a lock, which is measured, and a fixed number of
 * hits for each call that was counted otherwise. The length of a hit is measured at start. So the price
 * leaves out what counting does to the program's own caches.
 *
 * Invariants
 *   1. the decision for a stretch of time uses only what earlier stretches counted. So whether and with which
 *      weight a call counts is known before it is made, and estimates are unbiased;
 *   2. a burst and its end take no more than the budget of the time up to the next one, even if the burst
 *      does nothing but count. That holds if its end takes as long as those before.
 * Threads, signals: no state but the caller's. */
#ifndef HCCT_RUNTIME_METER_SAMPLED_BUDGET_H
#define HCCT_RUNTIME_METER_SAMPLED_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* A stretch of a thread's CPU time in which every call was counted. Times are in any unit. */
struct hcct_budget_work {
    uint64_t hits;     /* calls that found their slot */
    uint64_t batched;  /* calls that only went to a batch */
    uint64_t in_place; /* mode=cct: calls that were counted without a lock */
    uint64_t locked;   /* the time of all other calls, and of adding the batches */
    uint64_t time;     /* the whole stretch */
};

/* A thread. All zero at first. */
struct hcct_budget_thread {
    bool is_over;      /* bursts are needed */
    uint8_t failures;  /* trials in a row that passed the budget, at most HCCT_BUDGET_FAILURES_MAX */
    uint32_t to_trial; /* bursts up to the next stretch that is counted whole */
    uint64_t ends;     /* the mean time that the end of a burst takes */
};
enum { HCCT_BUDGET_BURSTS = 4, HCCT_BUDGET_FAILURES_MAX = 6, HCCT_BUDGET_UNITS_MAX = 10000 };

/* The price of counting in this stretch, at most its whole time. `hits_1024`: the time of 1024 hits. */
uint64_t hcct_budget_price(const struct hcct_budget_work *work, uint64_t hits_1024);
/* Whether the price is more than `percent` of the other time of the stretch. */
bool hcct_budget_is_passed(uint64_t price, uint64_t time, unsigned percent);
/* After a stretch: decides whether bursts follow. They follow if the budget was passed. */
void hcct_budget_decide(struct hcct_budget_thread *thread, uint64_t price, uint64_t time, unsigned percent);
/* A burst has ended, which took `time`. After HCCT_BUDGET_BURSTS of them comes a trial: a stretch in which
 * all calls are counted. After each trial that passed the budget there are twice as many bursts, up to
 * 256. */
void hcct_budget_end_burst(struct hcct_budget_thread *thread, uint64_t time);
/* The number of units in an interval, one of which is the burst, so that the budget holds. A unit takes
 * `unit`. */
uint64_t hcct_budget_units(const struct hcct_budget_thread *thread, uint64_t unit, unsigned percent);

#endif
