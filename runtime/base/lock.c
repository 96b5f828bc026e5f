/* See lock.h: waiting. */
#define _GNU_SOURCE
#include "runtime/base/lock.h"

#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/confined.h"

/* Tries for a lock: so many at once, which take as long as a batch takes to be added; then so many with
 * sched_yield; then with sleeps, of which each 16 are as long. LONG is 0.1 s of tries, longer than most forks
 * take. */
enum { ALONE = 2000, YIELDS = 200, SLEEPS = 16, LONGEST = 4, LONG = ALONE + YIELDS + 120 };

void hcct_lock_back_off(unsigned spins)
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
bool hcct_lock_wait(atomic_int *lock)
{
    unsigned spins = 0;
    do
        while (atomic_load_explicit(lock, memory_order_relaxed) != HCCT_LOCK_FREE) {
            if (spins > LONG && hcct_lock_take_away(lock))
                return true;
            hcct_lock_back_off(spins++);
        }
    while (!hcct_lock_try(lock));
    return false;
}
