/* A lock of one word.
 *
 * Fork takes the lock, so that the child finds whole data. Within fork that thread may wait for a lock of the
 * C library. Another thread may hold that one: a signal interrupted it in malloc, say, and its handler waits
 * for this lock. To end this deadlock, a lock that is kept for a fork is in a state of its own,
 * HCCT_LOCK_FORKING, and a thread that has waited long takes it away. The thread that forks changes nothing
 * meanwhile, so this harms no data of the parent. Only a child that is made while another thread holds the
 * lock may find torn data, and is told so (hcct_lock_begin_child).
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

/* Call this after fork, in the parent. Frees the lock, unless another thread has taken it away. If two
 * threads fork at the same time, this may free the lock that the other one keeps. That does no harm, as a
 * thread that forks changes nothing. */
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

/* Waits a little before the next try for a lock that was tried `spins` times: first not at all, then
 * sched_yield, then 0.1 ms, and at last 1.6 ms. Thousands of threads that yield all the time would take the
 * processor from the one that holds the lock, which may also have a lower real-time priority. */
void hcct_lock_back_off(unsigned spins);
/* Waits until the calling thread has `lock`. Returns whether it took it away from a thread that forks. */
__attribute__((noinline, cold)) bool hcct_lock_wait(atomic_int *lock);

#endif
