/* metric=heap: what the core asks of the meter. */
#include "runtime/heap/heap.h"

#include "hcct/abi.h"
#include "runtime/base/memory.h"
#include "runtime/core/block.h"
#include "runtime/core/options.h"
#include "runtime/core/parts.h"
#include "runtime/heap/calls/redirect.h"
#include "runtime/heap/hooks.h"
#include "runtime/heap/scan/scan.h"
#include "runtime/heap/section.h"
#include "runtime/heap/site.h"
#include "runtime/heap/tables/contexts.h"
#include "runtime/heap/tables/curve.h"
#include "runtime/heap/tables/log.h"
#include "runtime/heap/tables/sample.h"
#include "runtime/objects/leaf.h"

/* With mode=cct. */
enum { CONTEXT_LIMIT = HCCT_HEAP_UNCOUNTED - 1 };

static bool is_chosen(void)
{
    return hcct_options.metric == HCCT_METRIC_HEAP;
}

static bool start(struct hcct_ticks *ticks)
{
    (void)ticks;
    bool bounded = hcct_options.mode == HCCT_MODE_HCCT;
    if (!hcct_heap_contexts_start(bounded ? hcct_options.capacity / 4 * 5 + 1 : CONTEXT_LIMIT,
                                  hcct_options.heap_sample)) {
        HCCT_SAY(1, hcct_meter->name, "out of memory: nothing is counted");
        return false;
    }
    hcct_memory_keep_spare();
    hcct_heap_blocks_abandon();
    hcct_heap_filter_clear();
    hcct_heap_section_start(!hcct_options.heap_scan && !hcct_options.heap_sample && hcct_heap_logs_start());
    hcct_heap_section_switch(true);
    bool is_on = hcct_heap_hooks_start();
    hcct_heap_section_switch(is_on);
    __hcct_heap_is_on = is_on;
    hcct_block_is_needed = hcct_block_is_needed || (is_on && hcct_options.heap_scan);
    return is_on;
}

static void flush(void)
{
    hcct_memory_give_spare();
    hcct_heap_section_apply();
    hcct_heap_tell_all();
}

/* What blocks.h and others keep is forgotten by the functions of their own. */
static void begin_anew(void)
{
    hcct_heap_filter_clear();
    hcct_heap_logs_clear();
    hcct_heap_end_era();
    hcct_heap_section_start(hcct_heap_section.has_logs);
}

static void reset(void)
{
    if (!hcct_heap_section.is_on)
        return;
    if (hcct_busy_alone)
        return; /* a thread is in the middle of a change (core/busy.h) */
    hcct_parts_lock_all();
    hcct_heap_contexts_clear(true);
    if (hcct_options.heap_scan)
        hcct_heap_blocks_uncount(); /* what they lead to is not lost */
    else
        hcct_heap_blocks_clear();
    begin_anew();
    hcct_heap_forget_newest();
    hcct_parts_unlock_all();
}

/* In a forked child. */
static void abandon(void)
{
    if (!hcct_heap_section.is_on)
        return;
    hcct_heap_contexts_clear(false);
    hcct_heap_blocks_abandon();
    begin_anew();
}

static uint32_t number_of(uint64_t key)
{
    return hcct_heap_section.is_on ? hcct_heap_contexts_find(key) : 0;
}

static struct hcct_file_heap values_of(uint32_t number)
{
    return number ? hcct_heap_context_values(number) : (struct hcct_file_heap){ 0 };
}

static uint64_t live_at_point(uint32_t point, uint32_t number)
{
    return number ? hcct_heap_context_at_point(number, point) : 0;
}

/* The first of all values that a file gets. */
static struct hcct_file_heap total(void)
{
    if (!hcct_heap_section.is_on)
        return (struct hcct_file_heap){ 0 };
    bool scanned = hcct_options.heap_scan && hcct_heap_scan(hcct_heap_hooks_allocator());
    struct hcct_file_heap total = hcct_heap_contexts_total();
    total.profiles = 1;
    total.scanned = scanned;
    return total;
}

static bool start_trials(void)
{
    if (hcct_heap_section.is_on && hcct_options.heap_sample)
        hcct_heap_contexts_start_trials();
    return hcct_heap_section.is_on && hcct_options.heap_sample;
}

static bool was_sampled(void)
{
    return hcct_options.heap_sample != 0;
}

static const struct hcct_meter_values values = {
    .number = number_of,
    .of = values_of,
    .total = total,
    .start_trials = start_trials,
    .trials = hcct_heap_contexts_trials,
    .rest_trials = hcct_heap_contexts_rest_trials,
    .points = hcct_heap_contexts_points,
    .point = hcct_heap_curve_point,
    .at = live_at_point,
};

static bool works_alone(void)
{
    return hcct_heap_section.is_on && hcct_heap_is_alone();
}

const struct hcct_meter hcct_meter_heap = {
    .name = "metric=heap: ",
    .is_chosen = is_chosen,
    .slots = HCCT_SLOTS_HOLD_NOTHING,
    .library_calls_push = true,
    .start = start,
    .flush = flush,
    .reset = reset,
    .abandon = abandon,
    .after_fork = hcct_heap_sample_after_fork,
    .works_alone = works_alone,
    .objects_changed = hcct_redirect_look,
    .was_sampled = was_sampled,
    .values = &values,
    .leaf = hcct_leaf_path,
};
