/* The actions of signals. The kernel's record of them is the only one.
 *
 * Where the runtime has to see a signal first, the kernel has an entry of ours as the handler. An entry
 * stands for one action of the program's: handler, flags and mask. It is made when the program gives that
 * action for the first time, for any signal, and then never changes. So
 *   1. a change is one system call. A signal gets the action for which the kernel delivered it, and all of
 *      it;
 *   2. a child of vfork, which has its parent's memory, has its own actions, as the kernel has them.
 * A program that gives very many different actions (SHARED in actions.c) uses up the entries. From then on
 * new actions have one entry for each signal, which changes.
 * Async-signal-safe. */
#ifndef HCCT_RUNTIME_BOUNDARY_ACTIONS_H
#define HCCT_RUNTIME_BOUNDARY_ACTIONS_H

#include <signal.h>
#include <stdbool.h>

/* sigaction, without us. */
int hcct_actions_kernel(int signal, const struct sigaction *action, struct sigaction *old);
/* sigaction, as the program calls it. */
int hcct_actions_change(int signal, const struct sigaction *action, struct sigaction *old);
/* Whether SIG_DFL and SIG_IGN have entries for this signal from now on, as handlers always have. False if the
 * kernel refuses that. */
bool hcct_actions_see(int signal, bool by_default, bool ignored);
/* Turns the kernel's action into the program's. Returns what its entry stands for; NULL: it is no entry. */
const struct sigaction *hcct_actions_tell(struct sigaction *kernel);
/* For an action with SA_RESETHAND: resets it. The kernel cannot, as it delivers a signal twice that is put
 * off. False if the signal has another action by now: then it is to come again. */
bool hcct_actions_take(int signal, const struct sigaction *action);
/* The kernel's action becomes the default one. */
bool hcct_actions_reset(int signal);
/* No other thread changes an action any more: the process ends. */
void hcct_actions_close(void);
void hcct_actions_after_fork(void);

/* Also with SA_SIGINFO: the kernel looks at the pointer only, and the two are in one place. */
static inline bool hcct_actions_is_handler(const struct sigaction *action)
{
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

#endif
