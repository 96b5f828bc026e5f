/* See tables.h. */
#define _GNU_SOURCE
#include "runtime/core/tables.h"

#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/confined.h"
#include "runtime/base/lock.h"
#include "runtime/core/notice.h"

struct hcct_tables hcct_tables;
atomic_int hcct_tables_lock_word;
_Thread_local volatile bool hcct_tables_held;

/* Tries for a lock: so many at once, which take as long as a batch takes to be added; then so many with
 * sched_yield; then with sleeps, of which each 16 are as long. LONG is 0.1 s of tries, longer than most forks
 * take. */
enum { ALONE = 2000, YIELDS = 200, SLEEPS = 16, LONGEST = 4, LONG = ALONE + YIELDS + 120 };

void hcct_tables_back_off(unsigned spins)
{
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
void hcct_tables_wait(atomic_int *lock)
{
    unsigned spins = 0;
    do
        while (atomic_load_explicit(lock, memory_order_relaxed) != HCCT_LOCK_FREE) {
            if (spins > LONG && hcct_lock_take_away(lock))
                return;
            hcct_tables_back_off(spins++);
        }
    while (!hcct_lock_try(lock));
}

void hcct_tables_lock(void)
{
    hcct_notice();
    if (__builtin_expect(!hcct_lock_try(&hcct_tables_lock_word), 0))
        hcct_tables_wait(&hcct_tables_lock_word);
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

void hcct_tables_keep_for_fork(void)
{
    hcct_tables_held = false;
    hcct_lock_keep_for_fork(&hcct_tables_lock_word);
}

void hcct_tables_end_fork(void)
{
    hcct_lock_end_fork(&hcct_tables_lock_word);
}

bool hcct_tables_begin_child(void)
{
    hcct_tables_held = false;
    return hcct_lock_begin_child(&hcct_tables_lock_word);
}
