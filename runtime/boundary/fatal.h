/* Signals that end the program by their default action: the profile is written first. Where the program has
 * the default action, the kernel has hcct_fatal_end. The program sees SIG_DFL. Async-signal-safe. */
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
/* Whether a signal with the default action gets hcct_fatal_end. */
bool hcct_fatal_is(int signal);
/* Installs it, as sigaction does. */
int hcct_fatal_install(int signal, struct sigaction *old);
/* The signal comes again when this has returned, to where the thread was: status, core and what a tracer sees
 * are the same as without us. */
void hcct_fatal_end(int signal, siginfo_t *info, void *context);
/* The handler of SIGABRT has returned. Perhaps abort() called it, which then ends the program by means that
 * nobody sees. */
void hcct_fatal_write_before_abort(void);

/* Whether this action of the kernel's is hcct_fatal_end. */
static inline bool hcct_fatal_is_installed(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == hcct_fatal_end;
}

#endif
