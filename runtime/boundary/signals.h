/* Signal handlers of the program: sigaction, signal and their variants are interposed, so that a handler runs
 * at a level of its own and what it interrupted does not notice.
 *
 * Invariants
 *   1. the program sees its own handlers only, with the flags and masks that it gave;
 *   2. a handler's contexts start at [signal N]; the interrupted word, top and slots are what they were when
 *      it returns;
 *   3. a handler that comes while its thread is inside the profiler is delivered again, with the same
 *      siginfo, when the thread leaves it: the profiler's locks are never held across a handler. Faults are
 *      not put off;
 *   4. a program that a signal ends dies of that signal, with the siginfo that it came with. */
#ifndef HCCT_RUNTIME_BOUNDARY_SIGNALS_H
#define HCCT_RUNTIME_BOUNDARY_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

/* From now on SIGTERM, SIGINT, SIGHUP and SIGABRT at their default action write the profile before they end
 * the program. */
void hcct_signals_start(void);
/* A real-time signal that nobody uses, for samples; 0 if there is none. What the program installs for it
 * later is called for the signals that are no samples. */
int hcct_signals_take_one(void);
/* From now on no handler of ours makes a system call: the kernel ends the program, and resets handlers. */
void hcct_signals_leave_to_kernel(void);
/* In a forked child: another thread may have been installing a handler. */
void hcct_signals_after_fork(void);
/* Whether this file is linked in: what refers to it brings the interposed functions along. */
extern const char hcct_signals_present;

#endif
