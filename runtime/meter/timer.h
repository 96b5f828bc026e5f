/* A timer of each thread's own CPU time, or a counter of it or of its events (event.h), whose signal is what
 * samples and rolling profiles are made in.
 *
 * Invariants
 *   1. the program's signals are its own, the timers' too: what is not one of our timers' is the program's;
 *   2. a thread that has a timer has a worker, which names it;
 *   3. no system call is interrupted: CPU time stands still while a thread is blocked, so no timer expires
 *      then; and Linux, from 5.9 on, tells of an expiry when the thread goes back to its code. */
#ifndef HCCT_RUNTIME_METER_TIMER_H
#define HCCT_RUNTIME_METER_TIMER_H

#include <signal.h>
#include <stdbool.h>
#include <time.h>

#include "runtime/core/thread.h"

/* The signal of the timers; 0 if there are none. */
extern __attribute__((visibility("hidden"))) int hcct_timer_signal;
extern uint64_t hcct_timer_interval; /* what a sample stands for: nanoseconds, or events */

/* Once, when the program is numbered: chooses signal and interval, starts the main thread's timer. */
void hcct_timer_start(void);
/* The calling thread has this worker. Keeps errno. */
void hcct_timer_begin_thread(struct hcct_worker *worker);
/* A thread has ended, or is about to. Under the table lock. */
void hcct_timer_end_thread(struct hcct_worker *worker);
/* In a forked child, which has no timers. */
void hcct_timer_after_fork(void);

/* What the thread has run, ns; 0: there is none. */
uint64_t hcct_timer_cpu_ns(pid_t thread);
uint64_t hcct_timer_clock_ns(clockid_t clock);

/* Whether this is a signal of our timers. */
bool hcct_timer_is_ours(int signal, const siginfo_t *info);
/* What such a signal is for. Async-signal-safe. */
void hcct_timer_take(const siginfo_t *info, const void *context);
/* For those that came while the thread was busy. */
void hcct_timer_take_put_off(void);

#endif
