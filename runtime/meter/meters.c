/* The list of all meters, and the functions by which the core uses the chosen one (runtime/core/meter.h). */
#include <stdatomic.h>
#include <string.h>

#include "format/names.h"
#include "runtime/core/busy.h"
#include "runtime/core/options.h"
#include "runtime/core/tables.h"
#include "runtime/heap/heap.h"
#include "runtime/known/known.h"
#include "runtime/meter/burst.h"
#include "runtime/meter/calls.h"
#include "runtime/meter/clock.h"
#include "runtime/meter/event.h"
#include "runtime/meter/ticks/timer.h"
#include "runtime/meter/time.h"
#include "runtime/meter/wall.h"
#include "runtime/meter/weight.h"
#include "runtime/objects/registry.h"
#include "runtime/trace/trace.h"

const struct hcct_meter *hcct_meter = &hcct_meter_calls;
_Thread_local volatile bool hcct_meter_pauses;

/* The first one whose is_chosen is true measures. A new meter is a file, and a line here. */
static const struct hcct_meter *const meters[] = {
    &hcct_meter_budget, &hcct_meter_event, &hcct_meter_time,  &hcct_meter_wall,  &hcct_meter_clock,
    &hcct_meter_weight, &hcct_meter_heap,  &hcct_meter_known, &hcct_meter_trace, &hcct_meter_calls,
};

bool hcct_meter_read_metric(const char *text)
{
    const struct hcct_event *event = hcct_event_find(text);
    int metric = event ? HCCT_METRIC_WEIGHT : hcct_name_find(hcct_metric_names, text);
    if (metric < 0)
        return false;
    hcct_options.metric = metric;
    hcct_options.event = event;
    return true;
}

void hcct_meter_choose(void)
{
    const struct hcct_meter *const *meter = meters;
    while (!(*meter)->is_chosen())
        meter++;
    hcct_meter = *meter;
    if (hcct_options.metric == HCCT_METRIC_HEAP)
        strcpy(hcct_options.unit, "bytes");
    if (!hcct_options.event)
        return;
    hcct_options.period = hcct_event_period(hcct_options.event);
    strcpy(hcct_options.unit, hcct_event_name(hcct_options.event));
}

void (*hcct_meter_look)(void);

void hcct_meter_objects_changed(void)
{
    if (hcct_meter->objects_changed)
        hcct_meter->objects_changed();
}

void hcct_meter_start(int (*take_signal)(bool by_counters), uint64_t look_ns, void (*look)(void))
{
    struct hcct_ticks ticks = { 0 };
    hcct_meter_look = look;
    if (hcct_meter->start && !hcct_meter->start(&ticks))
        ticks = (struct hcct_ticks){ 0 };
    if (hcct_timer_start(&ticks, take_signal, look_ns, look) || !ticks.interval_ns ||
        !hcct_meter->counts_calls)
        return;
    hcct_meter = &hcct_meter_calls;
    hcct_block_choose_slots();
}

size_t hcct_meter_thread_bytes(void)
{
    return HCCT_METER_TICKS_BYTES + hcct_meter->thread_bytes;
}

void hcct_meter_begin_thread(struct hcct_block *block)
{
    hcct_timer_begin_thread(block);
}

void hcct_meter_end_thread(struct hcct_block *block)
{
    if (hcct_meter->end_thread)
        hcct_meter->end_thread(block);
    hcct_timer_end_thread(block);
}

void hcct_meter_stop(void)
{
    hcct_busy_enter();
    hcct_tables_lock();
    for (struct hcct_block *block = hcct_block_first(); block; block = block->next)
        if (block->in_use && !block->outer)
            hcct_meter_end_thread(block);
    hcct_tables_unlock();
    hcct_busy_leave();
    if (hcct_meter->stop)
        hcct_meter->stop();
}

bool hcct_meter_has_ticks(void)
{
    return hcct_timer_signal != 0;
}

void hcct_meter_after_fork(void)
{
    hcct_meter_pauses = false;
    hcct_timer_stop_after_fork();
    if (hcct_meter->after_fork)
        hcct_meter->after_fork();
    hcct_timer_begin_thread(hcct_block_outermost());
}
