/* Signal handlers of the program. sigaction, signal and their variants are interposed, so that a handler runs
 * at a level of its own, and leaves the interrupted code's state as it was.
 *
 * Invariants
 *   1. the program sees only its own handlers, with the flags and masks that it gave;
 *   2. a handler's contexts start at [signal N]. When it returns, the interrupted code's word, top and slots
 *      are the same as before;
 *   3. if a signal comes while its thread is inside the profiler, it waits. When the thread leaves, the
 *      signal is sent again with the same siginfo. So no handler runs while the profiler holds a lock. Faults
 *      do not wait;
 *   4. a program that a signal ends dies of that signal, with its siginfo. */
#ifndef HCCT_RUNTIME_BOUNDARY_SIGNALS_H
#define HCCT_RUNTIME_BOUNDARY_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Takes a free real-time signal for ticks, and returns its number; 0 if none is free. The program may use it
 * later, too: its handler then gets the signals that are no ticks. `by_counters`: SIGIO too, unless it is
 * ignored, as the kernel sends it in place of a counter's signal when the signal queue is full. */
int hcct_signals_take_one(bool by_counters);
/* `leave_dead` of core/hooks.h. */
bool hcct_signals_leave_dead(uintptr_t sp);
/* From now on no handler of ours makes a system call: the kernel ends the program, and resets handlers. */
void hcct_signals_leave_to_kernel(void);
/* In a forked child: another thread may have been installing a handler. */
void hcct_signals_after_fork(void);
/* What all entries of actions.h call. `action` is the program's. */
void hcct_signals_deliver(int signal, siginfo_t *info, void *context, const struct sigaction *action);
/* References to these link signals.c and signal_calls.c in, with the interposed functions. */
extern const char hcct_signals_present, hcct_signal_calls_present;

#endif
