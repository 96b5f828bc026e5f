/* metric=heap: what the core asks of the meter. */
#include "runtime/base/say.h"
#include "runtime/heap/heap.h"

#include "format/names.h"
#include "hcct/abi.h"
#include "runtime/base/memory.h"
#include "runtime/core/block.h"
#include "runtime/core/hooks.h"
#include "runtime/core/parts.h"
#include "runtime/core/settings.h"
#include "runtime/count/settings.h"
#include "runtime/heap/allocators.h"
#include "runtime/heap/hooks.h"
#include "runtime/heap/mapped.h"
#include "runtime/heap/scan/scan.h"
#include "runtime/heap/section.h"
#include "runtime/heap/settings.h"
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
    return hcct_core_settings.metric == HCCT_METRIC_HEAP;
}

static bool start(struct hcct_ticks *ticks)
{
    (void)ticks;
    bool bounded = hcct_core_settings.mode == HCCT_MODE_HCCT;
    if (!hcct_heap_contexts_start(bounded ? hcct_count_settings.contexts / 4 * 5 + 1 : CONTEXT_LIMIT,
                                  hcct_heap_settings.sample)) {
        HCCT_SAY(1, hcct_meter->name, "out of memory: nothing is counted");
        return false;
    }
    hcct_memory_keep_spare();
    hcct_heap_blocks_abandon();
    hcct_heap_filter_clear();
    hcct_heap_section_start(!hcct_heap_settings.scan && !hcct_heap_settings.sample && hcct_heap_logs_start());
    hcct_heap_section_switch(true);
    bool is_on = hcct_heap_hooks_start();
    hcct_heap_section_switch(is_on);
    __hcct_heap_is_on = is_on;
    hcct_block_is_needed = hcct_block_is_needed || (is_on && hcct_heap_settings.scan);
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

static void clear(void)
{
    if (hcct_busy_alone)
        return; /* a thread is in the middle of a change (core/busy.h) */
    hcct_parts_lock_all();
    hcct_heap_contexts_clear(true);
    if (hcct_heap_settings.scan)
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
    hcct_heap_contexts_clear(false);
    hcct_heap_blocks_abandon();
    hcct_heap_forget_mapped();
    begin_anew();
}

static void reset(bool torn)
{
    if (hcct_heap_section.is_on && torn)
        abandon();
    else if (hcct_heap_section.is_on)
        clear();
}

static uint32_t number_of(uint64_t key)
{
    return hcct_heap_section.is_on ? hcct_heap_contexts_find(key) : 0;
}

/* --- columns --------------------------------------------------------------------------------------- */

/* The values, of which the first one is the counts; then the mean life, the sizes, what was mapped, and the
 * curve's detailed points. */
enum { VALUES = HCCT_HEAP_VALUE_COUNT - 1, LIFE = VALUES, SIZES, MAPPED = SIZES + HCCT_HEAP_SIZES, POINTS };

/* Less may be a buffer. */
#define MAPPED_LEAST (1 << 20)

/* What was mapped, if the program may give it out unseen. */
static uint64_t mapped(void)
{
    uint64_t bytes = hcct_heap_section.is_on ? hcct_heap_most_mapped() : 0;
    return bytes >= MAPPED_LEAST && !hcct_heap_was_told() && hcct_heap_has_named_allocator() ? bytes : 0;
}

static bool scanned;
static uint32_t point_count, detail_count, details[HCCT_FILE_CURVE_DETAILS];

static uint32_t count_columns(void)
{
    scanned =
        hcct_heap_section.is_on && hcct_heap_settings.scan && hcct_heap_scan(hcct_heap_hooks_allocator());
    point_count = hcct_heap_section.is_on ? hcct_heap_contexts_points() : 0;
    detail_count = 0;
    for (uint32_t i = 0; i < point_count; i++)
        if (hcct_heap_curve_point(i).detail)
            details[detail_count++] = i;
    return hcct_heap_section.is_on ? POINTS + detail_count : POINTS;
}

static bool is_lost(enum hcct_heap_value value)
{
    return value == HCCT_HEAP_LOST || value == HCCT_HEAP_LOST_BLOCKS;
}

static struct hcct_meter_column begin_column(uint32_t column)
{
    bool is_on = hcct_heap_section.is_on;
    struct hcct_meter_column it = { .add = HCCT_ADD_SUM, .unit = "blocks" };
    if (column < VALUES) {
        enum hcct_heap_value value = (enum hcct_heap_value)(column + 1);
        it.name = is_lost(value) && !scanned ? NULL : hcct_heap_value_names[value];
        it.unit = hcct_heap_value_units[value];
        it.has_cells = true;
        it.is_estimate = hcct_heap_settings.sample && !is_lost(value);
        it.total = is_on ? hcct_heap_contexts_total(value) : 0;
    } else if (column == LIFE) {
        it.name = HCCT_COLUMN_LIFE;
        it.unit = "bytes";
        it.add = HCCT_ADD_MEAN;
        it.total = is_on ? hcct_heap_contexts_life() : 0;
    } else if (column == MAPPED) {
        it.total = mapped();
        it.name = it.total ? HCCT_COLUMN_MAPPED : NULL;
        it.unit = "bytes";
    } else if (column < POINTS) {
        it.name = HCCT_COLUMN_SIZES;
        it.part = column - SIZES + 1;
        it.total = is_on ? hcct_heap_contexts_size(column - SIZES) : 0;
    } else {
        it.name = HCCT_COLUMN_POINT;
        it.unit = "bytes";
        it.part = column - POINTS + 1;
        it.add = HCCT_ADD_NONE;
        it.has_cells = true;
        it.total = hcct_heap_curve_point(details[column - POINTS]).live_bytes;
    }
    return it;
}

static uint64_t value_of(uint32_t column, uint64_t key, uint32_t number, uint32_t *mark)
{
    (void)key;
    if (!number)
        return 0;
    if (column >= POINTS)
        return hcct_heap_context_at_point(number, details[column - POINTS]);
    enum hcct_heap_value value = (enum hcct_heap_value)(column + 1);
    if (hcct_heap_settings.sample && !is_lost(value))
        *mark = hcct_heap_context_trials(number, value);
    return hcct_heap_context_value(number, value);
}

static uint32_t mark_of(uint32_t number)
{
    return number && hcct_heap_settings.sample ? hcct_heap_context_trials(number, HCCT_HEAP_ALLOCATED) : 0;
}

static uint64_t period(void)
{
    return hcct_heap_settings.sample;
}

static uint32_t count_points(void)
{
    return point_count;
}

static const struct hcct_meter_columns *columns(void)
{
    static const struct hcct_meter_columns all = {
        .count = count_columns,
        .begin = begin_column,
        .number = number_of,
        .value = value_of,
        .mark = mark_of,
        .period = period,
        .points = count_points,
        .point = hcct_heap_curve_point,
    };
    return &all;
}

static bool is_sampled(void)
{
    return hcct_heap_settings.sample != 0;
}

static bool works_alone(void)
{
    return hcct_heap_section.is_on && hcct_heap_is_alone();
}

const struct hcct_heap_hooks hcct_heap_hooks = { works_alone };

static const struct hcct_meter_file file = { .is_sampled = is_sampled, .columns = columns };

const struct hcct_meter hcct_meter_heap = {
    .name = "metric=heap: ",
    .is_chosen = is_chosen,
    .calls.library = HCCT_LIBRARY_CALLS_ARE_NOTED,
    .start = start,
    .flush = flush,
    .reset = reset,
    .after_fork = hcct_heap_sample_after_fork,
    .file = &file,
};
