/* See tables.h. */
#define _GNU_SOURCE
#include "runtime/core/tables.h"

#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/confined.h"
#include "runtime/core/notice.h"

struct hcct_tables hcct_tables;
atomic_int hcct_tables_lock_word;
_Thread_local volatile bool hcct_tables_held;

void hcct_tables_back_off(unsigned spins)
{
    enum { ALONE = 100, YIELDS = 200, SLEEPS = 16, LONGEST = 4 };
    if (hcct_confined || spins < ALONE)
        return;
    if (spins < ALONE + YIELDS) {
        sched_yield();
        return;
    }
    unsigned longer = (spins - ALONE - YIELDS) / SLEEPS;
    long ns = 100000L << (longer < LONGEST ? longer : LONGEST);
    syscall(SYS_nanosleep, &(struct timespec){ .tv_nsec = ns }, NULL);
}

/* Looks at the lock before it tries, so that its cache line stays with the thread that holds it. */
static __attribute__((noinline, cold)) void wait_for_lock(void)
{
    unsigned spins = 0;
    do
        while (atomic_load_explicit(&hcct_tables_lock_word, memory_order_relaxed))
            hcct_tables_back_off(spins++);
    while (atomic_exchange_explicit(&hcct_tables_lock_word, 1, memory_order_acquire));
}

void hcct_tables_lock(void)
{
    hcct_notice();
    if (__builtin_expect(atomic_exchange_explicit(&hcct_tables_lock_word, 1, memory_order_acquire), 0))
        wait_for_lock();
    hcct_tables_held = true;
}

bool hcct_tables_try_lock(void)
{
    hcct_notice();
    return hcct_tables_try_lock_usual();
}

void hcct_tables_unlock(void)
{
    hcct_tables_unlock_usual();
}

bool hcct_tables_init_lock(void)
{
    hcct_tables_held = false;
    return atomic_exchange_explicit(&hcct_tables_lock_word, 0, memory_order_relaxed);
}
