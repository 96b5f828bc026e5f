/* See actions.h. */
#define _GNU_SOURCE
#include "runtime/boundary/actions.h"

#include <stdatomic.h>
#include <stddef.h>

#include "runtime/core/tables.h"

typedef int sigaction_function(int, const struct sigaction *, struct sigaction *);
sigaction_function __sigaction;
sigaction_function __interceptor_sigaction __attribute__((weak)); /* a sanitizer's */

/* The program's action for a signal, while the kernel has the trampoline. One store switches to the other
 * version, so a handler that starts while sigaction runs reads the whole of one. A version is overwritten by
 * the second sigaction after it: who has read one looks whether it still is the current one, and else reads
 * again. The store of `number` in hcct_actions_remember pairs with the load in hcct_actions_of_program. */
struct action {
    struct sigaction versions[2];
    atomic_uint number; /* of all versions so far: the current one is versions[number % 2] */
};

static struct action actions[NSIG];
static atomic_flag installing = ATOMIC_FLAG_INIT;

int hcct_actions_kernel(int signal, const struct sigaction *action, struct sigaction *old)
{
    return __interceptor_sigaction ? __interceptor_sigaction(signal, action, old)
                                   : __sigaction(signal, action, old);
}

/* Each word at once; another thread may be writing. */
static void copy_action(struct sigaction *to, const struct sigaction *from)
{
    typedef unsigned long __attribute__((may_alias)) word;
    _Static_assert(sizeof *to % sizeof(word) == 0, "an action is whole words");
    word *out = (word *)to;
    const word *in = (const word *)from;
    for (size_t i = 0; i < sizeof *to / sizeof(word); i++)
        __atomic_store_n(&out[i], __atomic_load_n(&in[i], __ATOMIC_RELAXED), __ATOMIC_RELAXED);
}

struct sigaction hcct_actions_of_program(int signal, unsigned *number)
{
    struct sigaction action;
    do {
        *number = atomic_load_explicit(&actions[signal].number, memory_order_acquire);
        copy_action(&action, &actions[signal].versions[*number % 2]);
        atomic_thread_fence(memory_order_acquire);
    } while (*number != atomic_load_explicit(&actions[signal].number, memory_order_relaxed));
    return action;
}

void hcct_actions_remember(int signal, const struct sigaction *action)
{
    unsigned next = atomic_load_explicit(&actions[signal].number, memory_order_relaxed) + 1;
    atomic_thread_fence(memory_order_release); /* who reads what follows finds `number` changed, or will */
    copy_action(&actions[signal].versions[next % 2], action);
    atomic_store_explicit(&actions[signal].number, next, memory_order_release);
}

void (*hcct_actions_take_handler(int signal, unsigned number))(int)
{
    return __atomic_exchange_n(&actions[signal].versions[number % 2].sa_handler, SIG_DFL, __ATOMIC_ACQ_REL);
}

bool hcct_actions_reset(int signal)
{
    struct sigaction action = { .sa_flags = 0 };
    action.sa_handler = SIG_DFL;
    sigemptyset(&action.sa_mask);
    return hcct_actions_kernel(signal, &action, NULL) == 0;
}

void hcct_actions_begin_change(void)
{
    for (unsigned spins = 0; atomic_flag_test_and_set_explicit(&installing, memory_order_acquire); spins++)
        hcct_tables_back_off(spins);
}

void hcct_actions_end_change(void)
{
    atomic_flag_clear_explicit(&installing, memory_order_release);
}
