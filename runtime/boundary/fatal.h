/* Signals that end the program by their default action: the profile is written first. So the default action
 * has an entry (actions.h). Async-signal-safe. */
#ifndef HCCT_RUNTIME_BOUNDARY_FATAL_H
#define HCCT_RUNTIME_BOUNDARY_FATAL_H

#include <signal.h>
#include <stdbool.h>

/* From now on that is so, a crash too. Not before SIGKILL, nor if no handler can run: a fault while it is
 * blocked, or on a stack that is full. */
void hcct_fatal_start(void);
/* No more: the kernel ends the program. */
void hcct_fatal_stop(void);
void hcct_fatal_after_fork(void);
/* The handler of such a signal. When it has returned, the signal comes again, to where the thread was:
 * status, core and what a tracer sees are the same as without us. */
void hcct_fatal_end(int signal, siginfo_t *info, void *context);
/* The handler of SIGABRT has returned. Perhaps abort() called it, which then ends the program by means that
 * nobody sees. */
void hcct_fatal_write_before_abort(void);

#endif
