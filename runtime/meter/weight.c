/* See weight.h. Weights go to the tables at once, under the table lock. Calls do not count: a slot holds the
 * key of a context only so that its next call is a hit, which costs least (count/count.c).
 *
 * A context gets its chain at once when it becomes monitored, because then it is live. Others get none. */
#include "runtime/meter/weight.h"

#include "runtime/core/notice.h"
#include "runtime/core/settings.h"
#include "runtime/core/tables.h"
#include "runtime/count/count.h"
#include "runtime/meter/settings.h"
#include "runtime/stack/here.h"

void hcct_weight_add(struct hcct_here here, uint64_t weight)
{
    if (hcct_meter != &hcct_meter_weight || weight == 0)
        return;
    if (hcct_busy
            .depth) { /* in the handler of a fault inside the tables, or in code that the tables called */
        __atomic_fetch_add(&hcct_tables.dropped_interrupted, weight, __ATOMIC_RELAXED);
        return;
    }
    struct hcct_block *block = hcct_block_self();
    if (!block) {
        __atomic_fetch_add(&hcct_tables.dropped_memory, weight, __ATOMIC_RELAXED);
        return;
    }
    hcct_busy_enter();
    hcct_tables_lock();
    hcct_count_weight(hcct_tally_of(block), here, weight);
    hcct_tables_unlock();
    hcct_busy_leave();
}

static bool is_chosen(void)
{
    return hcct_core_settings.metric == HCCT_METRIC_WEIGHT && !hcct_meter_settings.event;
}

const struct hcct_meter hcct_meter_weight = {
    .name = "metric=weight: ",
    .is_chosen = is_chosen,
};
