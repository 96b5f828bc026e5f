/* metric=heap: who may change the tables of the heap.
 *
 * While the process has one thread, it takes no lock. Later, threads take the table lock, which usually is
 * free. If it often is not, threads begin to make notes of what they do to blocks (log.h). From then on,
 * whoever does more takes the table lock, locks all logs, and applies their notes first. This ends when one
 * thread has made all notes for some time. With heap_scan or heap_sample there are no notes.
 *
 * Invariant: makes_notes changes under the table lock, while all logs are locked. So it stays as it is for a
 * thread that has the table lock, or the lock of its log. */
#ifndef HCCT_RUNTIME_HEAP_SECTION_H
#define HCCT_RUNTIME_HEAP_SECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/confined.h"
#include "runtime/core/busy.h"
#include "runtime/core/notice.h"
#include "runtime/core/parts.h"
#include "runtime/core/tables.h"

/* How a usual change is made. */
enum hcct_heap_way {
    HCCT_HEAP_ANYHOW, /* by hcct_heap_section_enter only */
    HCCT_HEAP_ALONE,  /* without a lock, as long as there is one thread */
    HCCT_HEAP_LOCKED, /* under the table lock */
};

struct hcct_heap_section {
    uint8_t way; /* enum hcct_heap_way; follows from what is below, and from options */
    bool is_on;
    bool may_be_alone; /* false for good once several threads were met, until the next start */
    bool has_logs;
    bool makes_notes;
    uint32_t contention; /* grows where the table lock was not free, and shrinks where it was */
    uint32_t calm;       /* how often all notes were those of one log, since they were not */
};
extern __attribute__((visibility("hidden"))) struct hcct_heap_section hcct_heap_section;

/* Nonzero while the process has one thread, as far as the C library made them (glibc 2.32). It becomes 0
 * between enter and leave only if the handler of a fault in the profiler makes a thread there (other handlers
 * wait until the thread has left). Then `enter` refuses all others (core/busy.h), and `leave` does not ask
 * again. */
extern const char __libc_single_threaded __attribute__((weak));
static inline __attribute__((always_inline)) bool hcct_heap_is_alone(void)
{
    return __atomic_load_n(&hcct_heap_section.may_be_alone, __ATOMIC_RELAXED) && __libc_single_threaded;
}

/* Whether changes of single blocks are notes now; never while the process has one thread. */
static inline __attribute__((always_inline)) bool hcct_heap_makes_notes(void)
{
    return __builtin_expect(__atomic_load_n(&hcct_heap_section.makes_notes, __ATOMIC_RELAXED), 0);
}

static inline void hcct_heap_drop(uint64_t bytes, uint64_t *counter)
{
    __atomic_fetch_add(counter, bytes, __ATOMIC_RELAXED);
}

/* Begins with no notes. `has_logs`: there are logs. */
void hcct_heap_section_start(bool has_logs);
void hcct_heap_section_switch(bool on);
/* The rare part of hcct_heap_section_lock. If `was_free`, this thread has the table lock, else it waits for
 * it. Applies notes, and decides whether notes are made from now on. Returns false, without the lock, if
 * another thread was interrupted in the middle of a change that it made without a lock (core/busy.h). */
bool hcct_heap_section_lock_unusual(bool was_free);
/* Under the table lock: applies all notes. */
void hcct_heap_section_apply(void);

static inline __attribute__((always_inline)) bool hcct_heap_section_lock(void)
{
    const struct hcct_heap_section *section = &hcct_heap_section;
    bool was_free = hcct_tables_try_lock();
    if (__builtin_expect(!was_free || section->may_be_alone || section->makes_notes || section->contention,
                         0))
        return hcct_heap_section_lock_unusual(was_free);
    return true;
}

/* Returns whether nobody else changes the tables now: this thread has all locks, or is the only one. False:
 * it has not entered. */
static inline __attribute__((always_inline)) bool hcct_heap_section_enter(void)
{
    if (__builtin_expect(!hcct_heap_section.is_on || hcct_busy.depth, 0))
        return false;
    hcct_busy_probe();
    hcct_busy_enter_probed();
    if (hcct_heap_is_alone()) {
        hcct_notice();
    } else if (__builtin_expect(!hcct_heap_section_lock(), 0)) {
        hcct_busy_leave();
        return false;
    }
    return true;
}

/* Before a note. False if it cannot be made now. Ends with hcct_busy_leave. */
static inline __attribute__((always_inline)) bool hcct_heap_section_enter_to_note(void)
{
    if (__builtin_expect(!hcct_heap_section.is_on || hcct_busy.depth || hcct_confined, 0))
        return false;
    hcct_busy_probe();
    hcct_busy_enter_probed();
    hcct_notice();
    return true;
}

static inline __attribute__((always_inline)) void hcct_heap_section_leave(void)
{
    if (hcct_tables_is_held())
        hcct_tables_unlock();
    hcct_busy_leave();
}

/* --- the usual change, in line --------------------------------------------------------------------- */

/* As hcct_heap_section_enter and _leave, if nothing has to be waited for or noticed, and the tables count;
 * otherwise enter returns false. In between no function may be called (hcct_busy_enter_frame). None of this
 * calls any: a signal that came meanwhile waits until hcct_heap_section_redeliver. */

/* The two variables are hidden in any case. If the compiler knows that, it needs no instruction to load their
 * addresses. */
static inline __attribute__((always_inline)) bool hcct_heap_section_enter_busy(void)
{
    extern __attribute__((visibility("hidden"))) const volatile uint32_t *hcct_process_mark;
    extern __attribute__((visibility("hidden"))) struct hcct_busy_cancel_type hcct_busy_cancel_type;
    if (__builtin_expect(hcct_busy.depth, 0))
        return false;
    hcct_busy_enter_frame();
    uint32_t type = hcct_machine_thread_word(hcct_busy_cancel_type.offset) & hcct_busy_cancel_type.mask;
    if (__builtin_expect(!type && *hcct_process_mark, 1))
        return true;
    hcct_busy.depth = 0;
    return false;
}

static inline __attribute__((always_inline)) bool hcct_heap_section_counts(void)
{
    extern __attribute__((visibility("hidden"))) struct hcct_tables hcct_tables;
    return __builtin_expect(hcct_tables.running != 0, 1);
}

static inline __attribute__((always_inline)) void hcct_heap_section_leave_alone(void)
{
    atomic_signal_fence(memory_order_seq_cst);
    hcct_busy.depth = 0;
}

/* Whether signals wait. After the functions here, whether they entered or not. */
static inline __attribute__((always_inline)) bool hcct_heap_section_deferred(void)
{
    atomic_signal_fence(memory_order_seq_cst); /* a signal may wait for as long as the thread was busy */
    return !hcct_machine_is_equal_byte(false, (const uint8_t *)(uintptr_t)&hcct_busy.deferred);
}
static inline void hcct_heap_section_redeliver(void)
{
    if (hcct_busy.deferred && !hcct_busy.depth)
        hcct_guest_hooks.redeliver();
}

static inline __attribute__((always_inline)) void hcct_heap_section_leave_locked(void)
{
    hcct_tables_unlock_usual();
    hcct_heap_section_leave_alone();
}

static inline __attribute__((always_inline)) bool hcct_heap_section_is_way(enum hcct_heap_way way)
{
    /* pairs with the store of section.c */
    return hcct_machine_is_equal_byte(way, &hcct_heap_section.way);
}

static inline __attribute__((always_inline)) bool hcct_heap_section_enter_alone(void)
{
    if (__builtin_expect(!hcct_heap_section_enter_busy(), 0))
        return false;
    if (__builtin_expect(__libc_single_threaded, 1) && hcct_heap_section_counts())
        return true;
    hcct_heap_section_leave_alone();
    return false;
}

static inline __attribute__((always_inline)) bool hcct_heap_section_enter_locked(void)
{
    if (__builtin_expect(!hcct_heap_section_enter_busy(), 0))
        return false;
    if (__builtin_expect(!hcct_tables_try_lock_usual(), 0)) {
        hcct_heap_section_leave_alone();
        return false;
    }
    if (hcct_heap_section_counts() && hcct_heap_section_is_way(HCCT_HEAP_LOCKED))
        return true;
    hcct_heap_section_leave_locked();
    return false;
}

/* If this is the way. */
static inline __attribute__((always_inline)) bool hcct_heap_section_enter_way(enum hcct_heap_way way)
{
    return way == HCCT_HEAP_LOCKED ? hcct_heap_section_enter_locked() : hcct_heap_section_enter_alone();
}

static inline __attribute__((always_inline)) void hcct_heap_section_leave_way(enum hcct_heap_way way)
{
    if (way == HCCT_HEAP_LOCKED)
        hcct_heap_section_leave_locked();
    else
        hcct_heap_section_leave_alone();
}

#endif
