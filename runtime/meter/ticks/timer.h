/* The ticks of a thread: signals of a timer of its own CPU time, or of a counter of that or of its events
 * (counter.h). Samples and rolling profiles are made in them.
 *
 * Invariants
 *   1. the program's signals are its own, the timers' too: what is not one of our timers' is the program's;
 *   2. a thread that has a timer has a worker, which names it;
 *   3. no system call is interrupted: CPU time stands still while a thread is blocked, so no timer expires
 *      then; and Linux, from 5.9 on, tells of an expiry when the thread goes back to its code. */
#ifndef HCCT_RUNTIME_METER_TICKS_TIMER_H
#define HCCT_RUNTIME_METER_TICKS_TIMER_H

#include <signal.h>
#include <stdbool.h>
#include <time.h>

#include "runtime/core/meter.h"
#include "runtime/meter/ticks/counter.h"

/* The number of our signals; 0: there are none. */
extern __attribute__((visibility("hidden"))) int hcct_timer_signal;

/* What a thread has of it: behind its outermost block. */
struct hcct_timer_thread {
    bool has_timer; /* it is interrupted: by `timer`, or by the counter alone */
    int timer;
    struct hcct_counter counter;
};
_Static_assert(sizeof(struct hcct_timer_thread) <= HCCT_METER_TICKS_BYTES,
               "the room in front of the meter's own");

static inline struct hcct_timer_thread *hcct_timer_of(struct hcct_block *worker)
{
    return (struct hcct_timer_thread *)(void *)(worker + 1);
}

/* Once, when the program is numbered: begins with the main thread, if anything needs ticks. Parameters as
 * those of hcct_meter_start. False, said: no signal was found. */
bool hcct_timer_start(const struct hcct_ticks *ticks, int (*take_signal)(void), uint64_t look_ns,
                      void (*look)(void));
/* The calling thread's, if it has none yet; `worker` is its outermost block. Keeps errno. */
void hcct_timer_begin_thread(struct hcct_block *worker);
/* A thread has ended, or is about to. Under the table lock. */
void hcct_timer_end_thread(struct hcct_block *worker);
/* In a forked child, which has none. */
void hcct_timer_stop_after_fork(void);

/* What the thread has run, ns; 0: there is none. */
uint64_t hcct_timer_cpu_ns(pid_t thread);
uint64_t hcct_timer_clock_ns(clockid_t clock);

/* Whether this is one of our signals. */
bool hcct_timer_is_ours(int signal, const siginfo_t *info);
/* What such a signal is for. Async-signal-safe. */
void hcct_timer_take(const siginfo_t *info, const void *context);
/* For those that came while the thread was busy. */
void hcct_timer_take_put_off(void);

#endif
