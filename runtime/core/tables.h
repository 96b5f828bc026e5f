/* The tables of all counts, and their lock. count/count.h has the functions that change them. */
#ifndef HCCT_RUNTIME_CORE_TABLES_H
#define HCCT_RUNTIME_CORE_TABLES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/lock.h"
#include "runtime/stream/exact.h"
#include "runtime/stream/space_saving.h"

struct hcct_tables {
    /* Threads add to dropped_memory, dropped_interrupted and overflowed by relaxed atomics, without the lock.
     * These pair with each other, and with the reads when the profile is written. */
    uint64_t dropped_memory; /* calls without memory, apart from exact.dropped */
    uint64_t dropped_interrupted;
    uint64_t stale;
    uint64_t overflowed;          /* stack/stack.c */
    uint64_t running;             /* 0 between hcct_stop and hcct_start */
    struct hcct_exact exact;      /* mode=cct */
    struct hcct_summary *summary; /* mode=hcct */
    size_t bytes;
    uint64_t elsewhere; /* the weight in the tables of other phases (count/phases.h) */
    uint32_t in_slots;  /* keys that began in a slot, and may not be in the summary */
    uint64_t drain_at;  /* mode=hcct: the sum at which all slots are drained next, see count/record.c */
    bool given_up;      /* for good: ids are not unique, or a table is damaged */
};

extern struct hcct_tables hcct_tables;

/* The table lock. It guards every table of the process, but for what is added with the lock of a part
 * (core/parts.h). It is not recursive. Take it only while busy, so that no handler forks in between. Taking
 * it also notices that the process is a forked child. */
void hcct_tables_lock(void);
/* The same, but false at once if another thread has it. */
bool hcct_tables_try_lock(void);
void hcct_tables_unlock(void);
/* The thread that holds the lock is about to fork, and in the parent it has forked (base/lock.h). */
void hcct_tables_keep_for_fork(void);
void hcct_tables_end_fork(void);
/* In a forked child: frees the lock. Whether the tables may be torn. */
bool hcct_tables_begin_child(void);

/* Whether the calling thread holds the table lock. */
extern __attribute__((visibility("hidden"))) _Thread_local volatile bool hcct_tables_held;
static inline bool hcct_tables_is_held(void)
{
    return hcct_tables_held;
}

/* hcct_tables_try_lock and hcct_tables_unlock in line, for a thread that has called hcct_notice. */
extern __attribute__((visibility("hidden"))) atomic_int hcct_tables_lock_word;
static inline __attribute__((always_inline)) bool hcct_tables_try_lock_usual(void)
{
    if (!hcct_lock_try(&hcct_tables_lock_word))
        return false;
    hcct_tables_held = true;
    return true;
}

static inline __attribute__((always_inline)) void hcct_tables_unlock_usual(void)
{
    hcct_tables_held = false;
    hcct_lock_release(&hcct_tables_lock_word);
}

#endif
