/* See section.h. */
#include "runtime/heap/section.h"

#include "runtime/core/parts.h"
#include "runtime/heap/heap.h"
#include "runtime/heap/settings.h"
#include "runtime/heap/tables/contexts.h"
#include "runtime/heap/tables/log.h"

struct hcct_heap_section hcct_heap_section;

static void choose_way(void)
{
    const struct hcct_heap_section *section = &hcct_heap_section;
    enum hcct_heap_way way = section->may_be_alone ? HCCT_HEAP_ALONE : HCCT_HEAP_LOCKED;
    if (!section->is_on || hcct_heap_settings.sample || hcct_heap_settings.scan ||
        (!section->may_be_alone && (section->makes_notes || section->contention)))
        way = HCCT_HEAP_ANYHOW;
    /* pairs with hcct_heap_section_is_way */
    __atomic_store_n(&hcct_heap_section.way, way, __ATOMIC_RELAXED);
}

static void set_makes_notes(bool makes_notes)
{
    /* pairs with hcct_heap_makes_notes */
    __atomic_store_n(&hcct_heap_section.makes_notes, makes_notes, __ATOMIC_RELAXED);
    choose_way();
}

static void set_may_be_alone(bool may_be_alone)
{
    /* pairs with hcct_heap_is_alone */
    __atomic_store_n(&hcct_heap_section.may_be_alone, may_be_alone, __ATOMIC_RELAXED);
    choose_way();
}

void hcct_heap_section_switch(bool on)
{
    hcct_heap_section.is_on = on;
    choose_way();
}

void hcct_heap_section_start(bool has_logs)
{
    hcct_heap_section.has_logs = has_logs;
    hcct_heap_section.contention = hcct_heap_section.calm = 0;
    set_makes_notes(false);
    set_may_be_alone(&__libc_single_threaded != NULL);
}

static void apply_note(struct hcct_heap_log *log, const struct hcct_heap_note *note)
{
    if (note->change <= HCCT_HEAP_BEGINS_RESIZED)
        hcct_heap_begin_noted(note);
    else
        hcct_heap_end_noted(log, note);
}

void hcct_heap_section_apply(void)
{
    enum { CALM = 4 };
    if (!hcct_heap_section.makes_notes)
        return;
    hcct_parts_lock_all();
    unsigned logs = hcct_heap_logs_apply(apply_note);
    hcct_heap_section.calm = logs > 1 ? 0 : hcct_heap_section.calm + logs;
    if (hcct_heap_section.calm >= CALM) {
        hcct_heap_section.calm = 0;
        set_makes_notes(false);
    }
    hcct_parts_unlock_all();
}

/* Whether notes are better from now on: others had the lock in one of 32 cases, or more. */
static bool is_contended(bool was_free)
{
    enum { MANY = 128, STEP = 32 };
    uint32_t *contention = &hcct_heap_section.contention;
    if (was_free)
        *contention -= *contention > 0;
    else
        *contention += STEP;
    bool are_many = *contention >= MANY;
    if (are_many)
        *contention = 0;
    choose_way();
    return are_many && hcct_heap_section.has_logs;
}

bool hcct_heap_section_lock_unusual(bool was_free)
{
    if (!was_free)
        hcct_tables_lock();
    /* this thread itself has changed nothing yet */
    if (atomic_load_explicit(&hcct_busy_alone, memory_order_acquire) && !hcct_busy_end_alone()) {
        hcct_tables_unlock();
        return false;
    }
    set_may_be_alone(false);
    if (hcct_heap_section.makes_notes) {
        hcct_parts_lock_all();
        hcct_heap_logs_apply(apply_note);
    } else if (is_contended(was_free)) {
        hcct_parts_lock_all();
        set_makes_notes(true);
    }
    return true;
}
