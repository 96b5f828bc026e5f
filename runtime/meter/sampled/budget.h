/* budget=10%: decides for each thread whether all calls are counted, or only those in bursts
 * (docs/sampling.md).
 *
 * The price of counting is the time of all misses that took a lock, which is measured, and a fixed number of
 * hits for each call that was counted otherwise. The length of a hit is measured at start. So the price
 * leaves out what counting does to the program's caches.
 *
 * Invariants
 *   1. the decision for a stretch of time uses only what earlier stretches counted. So whether and with which
 *      weight a call counts is known before it is made, and estimates are unbiased;
 *   2. bursts take one unit of time in hcct_budget_units, so even if a burst does nothing but count, counting
 *      stays within the budget.
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
    bool is_over;     /* bursts are needed */
    uint8_t cheap;    /* bursts in a row in which counting was cheap */
    uint8_t patience; /* log2 of the number of cheap bursts that end the bursts, less HCCT_BUDGET_CHEAP_LOG2 */
};
enum { HCCT_BUDGET_CHEAP_LOG2 = 2, HCCT_BUDGET_PATIENCE_MAX = 4 };

/* The price of counting in this stretch, at most its whole time. `hits_1024`: the time of 1024 hits. */
uint64_t hcct_budget_price(const struct hcct_budget_work *work, uint64_t hits_1024);
/* Whether the price is more than `percent` of the other time of the stretch. */
bool hcct_budget_is_passed(uint64_t price, uint64_t time, unsigned percent);
/* After a stretch: decides how the next ones count. Bursts end when counting took less than three quarters of
 * the budget in several bursts in a row; in more of them, up to 64, each time that the end was too early. */
void hcct_budget_decide(struct hcct_budget_thread *thread, uint64_t price, uint64_t time, unsigned percent);
/* One of so many units of time is a burst. */
uint64_t hcct_budget_units(unsigned percent);

#endif
