/* See budget.h. */
#include "runtime/meter/sampled/budget.h"

/* In instructions: count/miss.c has the table. A hit that counts takes 7 more than one that does not. */
enum { HIT = 7, BATCHED = 67, IN_PLACE = 98 };

uint64_t hcct_budget_price(const struct hcct_budget_work *work, uint64_t hits_1024)
{
    unsigned __int128 instructions = (unsigned __int128)work->hits * HIT +
                                     (unsigned __int128)work->batched * BATCHED +
                                     (unsigned __int128)work->in_place * IN_PLACE,
                      price = instructions * hits_1024 / (HIT * 1024) + work->locked;
    return price < work->time ? (uint64_t)price : work->time;
}

bool hcct_budget_is_passed(uint64_t price, uint64_t time, unsigned percent)
{
    return (unsigned __int128)price * 100 > (unsigned __int128)(time - price) * percent;
}

void hcct_budget_decide(struct hcct_budget_thread *thread, uint64_t price, uint64_t time, unsigned percent)
{
    if (!thread->is_over) {
        bool is_over = hcct_budget_is_passed(price, time, percent);
        /* cheap: the first stretch after the end of the bursts */
        if (is_over && thread->cheap && thread->patience < HCCT_BUDGET_PATIENCE_MAX)
            thread->patience++;
        thread->is_over = is_over;
        thread->cheap = 0;
    } else if ((unsigned __int128)price * 400 > (unsigned __int128)(time - price) * 3 * percent) {
        thread->cheap = 0;
    } else if (++thread->cheap >> (thread->patience + HCCT_BUDGET_CHEAP_LOG2)) {
        thread->is_over = false;
    }
}

uint64_t hcct_budget_units(unsigned percent)
{
    return (100 + percent + percent - 1) / percent;
}
