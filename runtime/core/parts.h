/* Locks for what many threads change at the same time: the counts of their batches (count/batch.h), or a
 * meter's data that is kept in parts. A thread usually locks one part only, without the table lock. Whoever
 * needs the table lock, too, takes it first. Whoever needs more than one part takes it, and then all parts.
 *
 * Invariants
 *   1. who holds the lock of one part waits for no other lock;
 *   2. fork takes all of them, so that a child finds whole parts (base/lock.h).
 * Take one only while busy. Like the table lock, they are not recursive. */
#ifndef HCCT_RUNTIME_CORE_PARTS_H
#define HCCT_RUNTIME_CORE_PARTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/lock.h"

enum { HCCT_PARTS = 32, HCCT_PARTS_NONE, HCCT_PARTS_ALL };

struct hcct_part {
    _Alignas(64) atomic_int lock;
};
extern __attribute__((visibility("hidden"))) struct hcct_part hcct_parts[HCCT_PARTS];
/* Which part the calling thread has locked; HCCT_PARTS_NONE; HCCT_PARTS_ALL. */
extern __attribute__((visibility("hidden"))) _Thread_local volatile uint8_t hcct_parts_held;

/* Locks it, if it is free. */
static inline bool hcct_parts_try(unsigned part)
{
    if (!hcct_lock_try(&hcct_parts[part].lock))
        return false;
    hcct_parts_held = (uint8_t)part;
    return true;
}

static inline void hcct_parts_lock(unsigned part)
{
    if (__builtin_expect(!hcct_lock_try(&hcct_parts[part].lock), 0))
        hcct_lock_wait(&hcct_parts[part].lock);
    hcct_parts_held = (uint8_t)part;
}

static inline void hcct_parts_unlock(unsigned part)
{
    hcct_parts_held = HCCT_PARTS_NONE;
    hcct_lock_release(&hcct_parts[part].lock);
}

/* Under the table lock. When that is released, all that the thread has locked is unlocked, too. */
void hcct_parts_lock_all(void);
void hcct_parts_unlock_all(void);
/* Unlocks what the calling thread has locked, if anything. Returns whether it had. */
bool hcct_parts_let_go(void);
/* Around fork, as with the table lock. */
void hcct_parts_keep_for_fork(void);
void hcct_parts_end_fork(void);
bool hcct_parts_begin_child(void);

#endif
