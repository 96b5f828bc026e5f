/* A lock of one word.
 *
 * Fork takes it, so that the child finds whole what it guards. Meanwhile the thread that forks may wait for a
 * lock of the C library. Another thread may have that one, interrupted by a signal in malloc, say, and its
 * handler may wait for this one. So a thread that forks holds it in a way of its own, and who has waited long
 * takes it away. Nothing is lost by that: the thread that forks changes nothing. Only a child that is made
 * while another thread holds the lock finds what may be torn, and is told so.
 * Async-signal-safe. Not recursive. */
#ifndef HCCT_RUNTIME_BASE_LOCK_H
#define HCCT_RUNTIME_BASE_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>

enum { HCCT_LOCK_FREE, HCCT_LOCK_HELD, HCCT_LOCK_FORKING };

static inline __attribute__((always_inline)) bool hcct_lock_try(atomic_int *lock)
{
    int free = HCCT_LOCK_FREE;
    return atomic_compare_exchange_strong_explicit(lock, &free, HCCT_LOCK_HELD, memory_order_acquire,
                                                   memory_order_relaxed);
}

static inline __attribute__((always_inline)) void hcct_lock_release(atomic_int *lock)
{
    atomic_store_explicit(lock, HCCT_LOCK_FREE, memory_order_release);
}

/* Takes the lock away from a thread that forks. False if none has it. */
static inline bool hcct_lock_take_away(atomic_int *lock)
{
    int forking = HCCT_LOCK_FORKING;
    return atomic_compare_exchange_strong_explicit(lock, &forking, HCCT_LOCK_HELD, memory_order_acquire,
                                                   memory_order_relaxed);
}

/* By the thread that holds it, in front of fork. */
static inline void hcct_lock_keep_for_fork(atomic_int *lock)
{
    atomic_store_explicit(lock, HCCT_LOCK_FORKING, memory_order_release);
}

/* Behind fork, in the parent. If two threads forked, this may free what the other one keeps. It needs it no
 * more than this one did. */
static inline void hcct_lock_end_fork(atomic_int *lock)
{
    int forking = HCCT_LOCK_FORKING;
    atomic_compare_exchange_strong_explicit(lock, &forking, HCCT_LOCK_FREE, memory_order_release,
                                            memory_order_relaxed);
}

/* In a child: frees it. Whether what it guards may be torn. */
static inline bool hcct_lock_begin_child(atomic_int *lock)
{
    return atomic_exchange_explicit(lock, HCCT_LOCK_FREE, memory_order_relaxed) == HCCT_LOCK_HELD;
}

#endif
