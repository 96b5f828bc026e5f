/* hcct_count() of the run-time API: metric=weight. Weights go to the tables at once, under their lock. The
 * slots have none of them: they only see to it that the next call of a context is a hit, as calls do not
 * count (count.c).
 *
 * A context that is not monitored gets no chain; one that comes to be gets it at once, while it is live. */
#include "runtime/meter/weight.h"

#include "runtime/core/notice.h"
#include "runtime/core/options.h"
#include "runtime/core/tables.h"
#include "runtime/count/count.h"
#include "runtime/stack/here.h"

void hcct_weight_add(struct hcct_here here, uint64_t weight)
{
    if (hcct_meter != &hcct_meter_weight || weight == 0)
        return;
    if (hcct_busy) { /* the handler of a fault inside the tables, or what they called */
        __atomic_fetch_add(&hcct_tables.dropped_interrupted, weight, __ATOMIC_RELAXED);
        return;
    }
    struct hcct_block *worker = hcct_block_self();
    if (!worker) {
        __atomic_fetch_add(&hcct_tables.dropped_memory, weight, __ATOMIC_RELAXED);
        return;
    }
    hcct_busy_enter();
    hcct_tables_lock();
    hcct_count_weight(worker, here, weight);
    hcct_tables_unlock();
    hcct_busy_leave();
}

static bool is_chosen(void)
{
    return hcct_options.metric == HCCT_METRIC_WEIGHT && !hcct_options.event;
}

const struct hcct_meter hcct_meter_weight = {
    .name = "metric=weight: ",
    .is_chosen = is_chosen,
    .slots = HCCT_SLOTS_HOLD_NOTHING,
};
