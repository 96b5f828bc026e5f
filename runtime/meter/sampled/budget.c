/* See budget.h. */
#include "runtime/meter/sampled/budget.h"

#include "format/divide.h"

/* Instructions that counting adds: to a hit, to a call that only goes to a batch, and to one that is counted
 * in place. By the table of count/miss.c, where way 1 takes 49 with its part of the batch, and way 2 94. */
enum { HIT = 7, BATCHED = 67, IN_PLACE = 76 };

uint64_t hcct_budget_price(const struct hcct_budget_work *work, uint64_t hits_1024)
{
    unsigned __int128 instructions = (unsigned __int128)work->hits * HIT +
                                     (unsigned __int128)work->batched * BATCHED +
                                     (unsigned __int128)work->in_place * IN_PLACE,
                      price = hcct_quotient(instructions * hits_1024, HIT * 1024) + work->locked;
    return price < work->time ? (uint64_t)price : work->time;
}

bool hcct_budget_is_passed(uint64_t price, uint64_t time, unsigned percent)
{
    return (unsigned __int128)price * 100 > (unsigned __int128)(time - price) * percent;
}

void hcct_budget_decide(struct hcct_budget_thread *thread, uint64_t price, uint64_t time, unsigned percent)
{
    thread->is_over = hcct_budget_is_passed(price, time, percent);
    if (!thread->is_over) {
        thread->failures = 0;
        return;
    }
    thread->to_trial = (uint32_t)HCCT_BUDGET_BURSTS << thread->failures;
    thread->failures += thread->failures < HCCT_BUDGET_FAILURES_MAX;
}

/* The mean follows the last few ends. */
void hcct_budget_end_burst(struct hcct_budget_thread *thread, uint64_t time)
{
    enum { WEIGHT = 4 };
    thread->ends = thread->ends ? thread->ends - thread->ends / WEIGHT + time / WEIGHT : time;
    thread->to_trial -= thread->to_trial != 0;
    thread->is_over = thread->to_trial != 0;
}

/* The rest of the interval, in which nothing is counted, is at least 100 / percent times as long as the burst
 * and its end. */
uint64_t hcct_budget_units(const struct hcct_budget_thread *thread, uint64_t unit, unsigned percent)
{
    unsigned __int128 price = (unsigned __int128)unit + thread->ends,
                      step = (unsigned __int128)unit * percent,
                      rest = hcct_quotient(price * 100 + step - 1, step);
    return 1 + (rest < HCCT_BUDGET_UNITS_MAX ? (uint64_t)rest : HCCT_BUDGET_UNITS_MAX);
}
