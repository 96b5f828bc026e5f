/* metric=time: each thread is interrupted by a timer of its own CPU time, and the interval goes to the context that it is in.
 *
 * Invariants
 *   1. a sample goes to the context that the thread is in, or is counted as lost; never to another one;
 *   2. the program's signals are its own, the timers' too: what is not one of our timers' is the program's;
 *   3. a thread that has a timer has a worker, which names it. */
#ifndef HCCT_RUNTIME_SAMPLE_H
#define HCCT_RUNTIME_SAMPLE_H

#include <signal.h>
#include <stdbool.h>

#include "runtime/thread.h"

/* The signal of the timers; 0 if nothing is sampled. */
extern int hcct_sample_signal;

/* Once, when the program is numbered: chooses the signal, starts the main thread's timer. Says what is missing. */
void hcct_sample_start(void);
/* The calling thread runs instrumented code, perhaps for the first time. Keeps errno. */
void hcct_sample_begin_thread(void);
/* A thread has ended, or is about to. Under the table lock. */
void hcct_sample_end_thread(struct hcct_worker *worker);
/* In a forked child, which has no timers. */
void hcct_sample_after_fork(void);

/* Whether this is a signal of our timers. */
bool hcct_sample_is_ours(int signal, const siginfo_t *info);
/* Takes a sample of what such a signal interrupted. Async-signal-safe. */
void hcct_sample_take(const siginfo_t *info, const void *context);
/* Takes those that came while the thread was busy. */
void hcct_sample_take_put_off(void);
/* `current` for code that is not instrumented and to which a jump leads, where `top` is the newest push. */
void hcct_sample_arrive_outside(const struct hcct_frame *top);

/* The objects that samples were in as [leaf]: path of number `index`, NULL behind the last. Under the table lock. */
const char *hcct_sample_leaf(size_t index);

#endif
