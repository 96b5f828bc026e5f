/* What threads did to blocks, and the tables do not have yet. While threads often wait for the table lock
 * (section.h), a change of a block is a note in a log. Usually a log has one thread, so none of its cache
 * lines goes from one processor to another.
 *
 * All notes are applied when a log is full, or when somebody wants values or makes a change of another kind:
 * under the table lock and the locks of all logs. They are applied in the order of the processor's clock. All
 * processors show the same time, otherwise there are no logs. So a block's end comes behind its beginning,
 * the changes of a thread come in its own order, and what a thread did before another one went on comes
 * first. The peak is found in this order.
 *
 * Invariants
 *   1. a thread makes a note under the lock of its log (core/parts.h), and finds the context under it: so
 *      numbers of contexts are those of the tables;
 *   2. stamps in a log do not descend.
 * Cost: a note takes 32 bytes, and the clock is read. */
#ifndef HCCT_RUNTIME_HEAP_LOG_H
#define HCCT_RUNTIME_HEAP_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/machine.h"
#include "runtime/core/parts.h"
#include "runtime/heap/tables/blocks.h"

enum hcct_heap_change {
    HCCT_HEAP_BEGINS,
    HCCT_HEAP_BEGINS_RESIZED,
    HCCT_HEAP_ENDS,
    HCCT_HEAP_ENDS_TEMPORARY,
    HCCT_HEAP_ENDS_TO_RESIZE, /* it is kept for a while, as realloc may fail */
};

struct hcct_heap_note {
    uint64_t stamp;
    uintptr_t address;
    uint64_t bytes;
    uint32_t context;
    uint8_t change; /* enum hcct_heap_change */
    bool is_given;  /* by an allocator of the program's own */
};

enum { HCCT_HEAP_LOG_NOTES = 2046, HCCT_HEAP_LOG_HELD = 16 };

struct hcct_heap_log {
    _Alignas(64) uint32_t count;
    uint32_t held_count; /* ever */
    struct hcct_heap_note notes[HCCT_HEAP_LOG_NOTES];
    struct {
        uintptr_t address;
        struct hcct_heap_block block;
    } held[HCCT_HEAP_LOG_HELD]; /* the last ones that ended to be resized */
};

extern __attribute__((visibility("hidden"))) struct hcct_heap_log *hcct_heap_logs;

/* False if there can be no logs: memory is short, or the processors' clocks are too coarse, or differ. */
bool hcct_heap_logs_start(void);
/* The number of the calling thread's log. */
unsigned hcct_heap_log_choose(void);
static inline unsigned hcct_heap_log_own(void)
{
    extern __attribute__((visibility("hidden"))) _Thread_local uint8_t hcct_heap_log_number;
    return hcct_heap_log_number ? hcct_heap_log_number - 1u : hcct_heap_log_choose();
}

/* Makes a note in the log, which is locked and has room. */
static inline void hcct_heap_log_note(struct hcct_heap_log *log, struct hcct_heap_note note)
{
    hcct_machine_wait_for_loads(); /* the address of a block that another thread made, for example */
    note.stamp = hcct_machine_ticks();
    log->notes[log->count++] = note;
}

/* The functions below: under the table lock, with all logs locked. */

/* Applies all notes. Returns how many logs had any. */
unsigned hcct_heap_logs_apply(void (*apply)(struct hcct_heap_log *, const struct hcct_heap_note *));
void hcct_heap_log_hold(struct hcct_heap_log *log, uintptr_t address, struct hcct_heap_block block);
/* The block that ended last at the address, to be resized. False if it is not known any more. */
bool hcct_heap_log_held(const struct hcct_heap_log *log, uintptr_t address, struct hcct_heap_block *block);
/* Each block of context c becomes one of context to[c]. There are no notes. */
void hcct_heap_logs_move(const uint32_t *to);
/* Forgets everything. */
void hcct_heap_logs_clear(void);

#endif
