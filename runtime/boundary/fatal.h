/* Signals that end the program by their default action: the profile is written first. So the default action
 * has an entry (actions.h). Async-signal-safe. */
#ifndef HCCT_RUNTIME_BOUNDARY_FATAL_H
#define HCCT_RUNTIME_BOUNDARY_FATAL_H

#include <signal.h>
#include <stdbool.h>

/* From now on the profile is written before a signal ends the program, after a crash too. It is not written
 * before SIGKILL, nor if no handler can run: if the signal of a fault is blocked, or the stack is full. */
void hcct_fatal_start(void);
/* From now on the kernel ends the program at such a signal, and no profile is written before. */
void hcct_fatal_stop(void);
void hcct_fatal_after_fork(void);
/* The handler of such a signal. When it has returned, the signal comes again, to where the thread was:
 * status, core and what a tracer sees are the same as without us. */
void hcct_fatal_end(int signal, siginfo_t *info, void *context);
/* The handler of SIGABRT has returned. Perhaps abort() called it, which then ends the program by means that
 * nobody sees. */
void hcct_fatal_write_before_abort(void);

#endif
