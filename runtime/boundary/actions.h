/* The actions of signals: the kernel's, and the program's own where the kernel has a handler of ours.
 * Async-signal-safe. */
#ifndef HCCT_RUNTIME_BOUNDARY_ACTIONS_H
#define HCCT_RUNTIME_BOUNDARY_ACTIONS_H

#include <signal.h>
#include <stdbool.h>

/* sigaction, without us. */
int hcct_actions_kernel(int signal, const struct sigaction *action, struct sigaction *old);
/* The kernel's action becomes the default one. */
bool hcct_actions_reset(int signal);
/* The program's action, as hcct_actions_remember got it last, and the number of that version. */
struct sigaction hcct_actions_of_program(int signal, unsigned *number);
/* From now on this is the program's action. Between begin and end of a change. */
void hcct_actions_remember(int signal, const struct sigaction *action);
/* SA_RESETHAND: one thread gets the handler of that version, later ones get SIG_DFL. */
void (*hcct_actions_take_handler(int signal, unsigned number))(int);
/* Around a change of both records. A thread that ends the process begins one, and does not end it. */
void hcct_actions_begin_change(void);
void hcct_actions_end_change(void);

/* Also with SA_SIGINFO: the kernel looks at the pointer only, and the two are in one place. */
static inline bool hcct_actions_is_handler(const struct sigaction *action)
{
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

#endif
