/* metric=clock: the time from the entry to the exit of measured functions, by the processor's clock
 * (pass/emit/clock.c).
 *
 * Invariants
 *   1. every moment after a thread's first measured entry goes to one context, or to none: that of the newest
 *      measured function that runs or called what runs. What is told of is settled when that changes;
 *   2. what the profiler does in between is no one's;
 *   3. a frame in a function's own stack is read by that function, or while it is known to be live. */
#ifndef HCCT_RUNTIME_METER_CLOCK_H
#define HCCT_RUNTIME_METER_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "hcct/abi.h"
#include "runtime/core/thread.h"

/* The processor's clock. */
static inline uint64_t hcct_clock_ticks(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
#endif
}

/* metric=clock, and the clock is set. */
extern bool hcct_clock_on;
/* The block that the calling thread's time goes to; NULL: none yet. */
extern _Thread_local struct hcct_worker *hcct_clock_worker;

/* Once, when the program is numbered: sets the clock. Says what is missing. */
void hcct_clock_start(void);
/* Settles: the time up to now goes to what is measured; then `next` is. Not while a lock is held. */
void hcct_clock_switch(struct hcct_clock next);
/* The same, to what is measured already. Under the table lock, of the calling thread. */
void hcct_clock_settle(void);
/* In a forked child: its time begins. */
void hcct_clock_after_fork(void);
/* Before a jump to `sp`, while what it leaves is whole: settles, and goes back to what was measured there. */
void hcct_clock_jump(uintptr_t sp);

#endif
