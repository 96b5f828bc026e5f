/* See meters.h. */
#include "runtime/start/meters.h"

#include <stdatomic.h>
#include <string.h>

#include "format/names.h"
#include "runtime/core/busy.h"
#include "runtime/core/settings.h"
#include "runtime/core/tables.h"
#include "runtime/heap/heap.h"
#include "runtime/known/known.h"
#include "runtime/meter/burst.h"
#include "runtime/meter/clock.h"
#include "runtime/meter/event.h"
#include "runtime/meter/settings.h"
#include "runtime/meter/ticks/timer.h"
#include "runtime/meter/time.h"
#include "runtime/meter/wall/wall.h"
#include "runtime/meter/weight.h"
#include "runtime/objects/registry.h"
#include "runtime/output/settings.h"
#include "runtime/trace/trace.h"

/* The first one whose is_chosen is true measures; if there is none, calls are counted. A new meter is a file,
 * and a line here. */
static const struct hcct_meter *const meters[] = {
    &hcct_meter_budget, &hcct_meter_event, &hcct_meter_time,  &hcct_meter_wall,  &hcct_meter_clock,
    &hcct_meter_weight, &hcct_meter_heap,  &hcct_meter_known, &hcct_meter_trace,
};

bool hcct_meters_read_metric(const char *text)
{
    const struct hcct_event *event = hcct_event_find(text);
    int metric = event ? HCCT_METRIC_WEIGHT : hcct_name_find(hcct_metric_names, text);
    if (metric < 0)
        return false;
    hcct_core_settings.metric = metric;
    hcct_meter_settings.event = event;
    return true;
}

void hcct_meters_choose(void)
{
    for (size_t i = sizeof meters / sizeof meters[0]; i-- > 0;)
        if (meters[i]->is_chosen())
            hcct_meter = meters[i];
    if (hcct_core_settings.metric == HCCT_METRIC_HEAP)
        strcpy(hcct_output_settings.unit, "bytes");
    if (!hcct_meter_settings.event)
        return;
    hcct_meter_settings.period = hcct_event_period(hcct_meter_settings.event);
    strcpy(hcct_output_settings.unit, hcct_event_name(hcct_meter_settings.event));
}

void hcct_meters_start(int (*take_signal)(bool by_counters), uint64_t look_ns, void (*look)(void))
{
    struct hcct_ticks ticks = { 0 };
    hcct_meter_look = look;
    if (hcct_meter->start && !hcct_meter->start(&ticks))
        ticks = (struct hcct_ticks){ 0 };
    if (hcct_timer_start(&ticks, take_signal, look_ns, look) || !ticks.interval_ns ||
        hcct_meter->calls.program < HCCT_CALLS_MISS)
        return;
    hcct_meter = &hcct_meter_calls;
    hcct_block_choose_slots();
}

void hcct_meters_stop(void)
{
    hcct_busy_enter();
    hcct_tables_lock();
    for (struct hcct_block *block = hcct_block_first(); block; block = block->next)
        if (block->in_use && !block->outer)
            hcct_thread_hooks.end(block);
    hcct_tables_unlock();
    hcct_busy_leave();
    if (hcct_meter->stop)
        hcct_meter->stop();
}

void hcct_meters_after_fork(void)
{
    hcct_meter_pauses = false;
    hcct_timer_stop_after_fork();
    if (hcct_meter->after_fork)
        hcct_meter->after_fork();
    hcct_timer_begin_thread(hcct_block_outermost());
}
