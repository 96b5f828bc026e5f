/* signal, sigset and the other functions that install handlers, by means of sigaction: see signals.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "runtime/base/interpose.h"
#include "runtime/boundary/actions.h"
#include "runtime/boundary/signals.h"

const char hcct_signal_calls_present = 1;

static sighandler_t install_handler(int number, sighandler_t handler, int flags, bool mask_itself)
{
    struct sigaction action = { .sa_flags = flags }, old;
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    if (mask_itself && sigaddset(&action.sa_mask, number) != 0)
        return SIG_ERR;
    return hcct_actions_change(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

/* The signals whose handlers interrupt system calls. siginterrupt() stores, signal() loads. */
static atomic_bool interrupting[NSIG];

HCCT_INTERPOSE_UNLESS_OWN(signal);
sighandler_t hcct_interposed_signal(int number, sighandler_t handler)
{
    if (handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    bool interrupts = number > 0 && number < NSIG && atomic_load(&interrupting[number]);
    return install_handler(number, handler, interrupts ? 0 : SA_RESTART, true);
}

/* Weak, as are others whose names ISO C leaves to the program, and that no sanitizer defines. */
INTERPOSED __attribute__((weak)) sighandler_t ssignal(int number, sighandler_t handler)
{
    return hcct_interposed_signal(number, handler);
}

INTERPOSED __attribute__((weak)) sighandler_t bsd_signal(int number, sighandler_t handler)
{
    return hcct_interposed_signal(number, handler);
}

INTERPOSED __attribute__((weak)) sighandler_t sysv_signal(int number, sighandler_t handler)
{
    if (handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    return install_handler(number, handler, (int)SA_RESETHAND | SA_NODEFER, false);
}

INTERPOSED sighandler_t __sysv_signal(int number, sighandler_t handler)
{
    return sysv_signal(number, handler);
}

/* Weak for this reason, too: a static C library's own siginterrupt is linked in together with its signal. */
INTERPOSED __attribute__((weak)) int siginterrupt(int number, int interrupts)
{
    struct sigaction action;
    if (hcct_actions_change(number, NULL, &action) != 0)
        return -1;
    atomic_store(&interrupting[number], interrupts != 0);
    action.sa_flags = interrupts ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
    return hcct_actions_change(number, &action, NULL);
}

INTERPOSED __attribute__((weak)) sighandler_t sigset(int number, sighandler_t handler)
{
    sigset_t set, old_set;
    struct sigaction old;
    sigemptyset(&set);
    if (handler == SIG_ERR || sigaddset(&set, number) != 0) {
        errno = EINVAL;
        return SIG_ERR;
    }
    struct sigaction action = { .sa_flags = 0 };
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    bool hold = handler == SIG_HOLD;
    /* a signal that waits is the new handler's */
    if ((hold && pthread_sigmask(SIG_BLOCK, &set, &old_set) != 0) ||
        hcct_actions_change(number, hold ? NULL : &action, &old) != 0 ||
        (!hold && pthread_sigmask(SIG_UNBLOCK, &set, &old_set) != 0))
        return SIG_ERR;
    return sigismember(&old_set, number) ? SIG_HOLD : old.sa_handler;
}
