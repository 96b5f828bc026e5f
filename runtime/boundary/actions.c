/* See actions.h. */
#define _GNU_SOURCE
#include "runtime/boundary/actions.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>

#include "runtime/base/confined.h"
#include "runtime/base/machine.h"
#include "runtime/boundary/signals.h"
#include "runtime/core/busy.h"
#include "runtime/core/notice.h"
#include "runtime/core/tables.h"

typedef int sigaction_function(int, const struct sigaction *, struct sigaction *);
sigaction_function __sigaction;
sigaction_function __interceptor_sigaction __attribute__((weak)); /* a sanitizer's */

int hcct_actions_kernel(int signal, const struct sigaction *action, struct sigaction *old)
{
    return __interceptor_sigaction ? __interceptor_sigaction(signal, action, old)
                                   : __sigaction(signal, action, old);
}

bool hcct_actions_reset(int signal)
{
    struct sigaction action = { .sa_flags = 0 };
    action.sa_handler = SIG_DFL;
    sigemptyset(&action.sa_mask);
    return hcct_actions_kernel(signal, &action, NULL) == 0;
}

/* --- entries ------------------------------------------------------------------------------------- */

/* The last entries are for when all others are taken: number SHARED + N changes with signal N. */
enum { COUNT = 256, SHARED = COUNT - NSIG };

/* What entry i stands for. Who changes `state` from FREE writes the action, and stores WHOLE. Others read the
 * action after they have loaded that. */
static struct record {
    struct sigaction action;
    atomic_int state;
} records[COUNT];
enum { FREE, BEING_WRITTEN, WHOLE };

/* The kernel had the entry, so the state is WHOLE. */
static const struct sigaction *action_of(unsigned entry)
{
    (void)atomic_load_explicit(&records[entry].state, memory_order_acquire);
    return &records[entry].action;
}

/* Entries 0x00 to 0xff. */
#define SIXTEEN(of, i)                                                                                       \
    of(i##0) of(i##1) of(i##2) of(i##3) of(i##4) of(i##5) of(i##6) of(i##7) of(i##8) of(i##9) of(i##a)       \
        of(i##b) of(i##c) of(i##d) of(i##e) of(i##f)
#define DIGITS(of)                                                                                           \
    of(0) of(1) of(2) of(3) of(4) of(5) of(6) of(7) of(8) of(9) of(a) of(b) of(c) of(d) of(e) of(f)
#define ENTRY(i)                                                                                             \
    static void entry_##i(int signal, siginfo_t *info, void *context)                                        \
    {                                                                                                        \
        hcct_signals_deliver(signal, info, context, action_of(0x##i));                                       \
    }
#define NAME(i) entry_##i,
#define ENTRIES(i) SIXTEEN(ENTRY, i)
#define NAMES(i) SIXTEEN(NAME, i)

DIGITS(ENTRIES)
static void (*const entries[COUNT])(int, siginfo_t *, void *) = { DIGITS(NAMES) };

/* The kernel's part of a mask; the C library may leave the rest as it finds it. */
static uint64_t bits(const sigset_t *mask)
{
    typedef uint64_t __attribute__((may_alias)) word;
    return *(const word *)mask;
}

static unsigned entry_for(int signal, const struct sigaction *action)
{
    for (unsigned i = 0; i < SHARED; i++) {
        struct record *record = &records[i];
        int state = FREE;
        if (atomic_compare_exchange_strong(&record->state, &state, BEING_WRITTEN)) {
            record->action = *action;
            atomic_store(&record->state, WHOLE);
            return i;
        }
        if (state == WHOLE && record->action.sa_handler == action->sa_handler &&
            record->action.sa_flags == action->sa_flags &&
            bits(&record->action.sa_mask) == bits(&action->sa_mask))
            return i;
    }
    records[SHARED + signal].action = *action;
    atomic_store(&records[SHARED + signal].state, WHOLE);
    return SHARED + (unsigned)signal;
}

const struct sigaction *hcct_actions_tell(struct sigaction *kernel)
{
    for (unsigned i = 0; i < COUNT; i++) {
        if (kernel->sa_sigaction != entries[i])
            continue;
        /* the function that a handler returns to is the C library's */
        void (*restorer)(void) = kernel->sa_restorer;
        *kernel = *action_of(i);
        kernel->sa_restorer = kernel->sa_flags & HCCT_MACHINE_SA_FLAGS ? restorer : NULL;
        return action_of(i);
    }
    return NULL;
}

/* --- changes ------------------------------------------------------------------------------------- */

static _Atomic uint64_t seen_by_default, seen_ignored; /* a bit for each signal */
static atomic_flag changing = ATOMIC_FLAG_INIT;

static bool has_entry(int signal, const struct sigaction *action)
{
    uint64_t bit = UINT64_C(1) << (signal - 1);
    return hcct_actions_is_handler(action) ||
           (action->sa_handler == SIG_DFL ? seen_by_default : seen_ignored) & bit;
}

static int change(int signal, const struct sigaction *action, struct sigaction *old)
{
    if (!has_entry(signal, action))
        return hcct_actions_kernel(signal, action, old);
    struct sigaction kernel = *action;
    if (!hcct_actions_is_handler(action)) {
        /* SA_ONSTACK: it ends a program whose stack is full, too, as the default action does */
        kernel.sa_flags = SA_RESTART | SA_ONSTACK;
        sigfillset(&kernel.sa_mask);
    } else if (!hcct_confined) {
        kernel.sa_flags &= ~(int)SA_RESETHAND; /* hcct_actions_take */
    }
    kernel.sa_flags |= SA_SIGINFO;
    kernel.sa_sigaction = entries[entry_for(signal, action)];
    return hcct_actions_kernel(signal, &kernel, old);
}

static void wait_for_change(void)
{
    for (unsigned spins = 0; atomic_flag_test_and_set_explicit(&changing, memory_order_acquire); spins++)
        hcct_lock_back_off(spins);
}

/* Around what changes an action by what it was. A child of vfork has one thread, and may be killed. The
 * handler of a fault inside the profiler may have interrupted a change. */
static bool begin(void)
{
    if (hcct_confined || hcct_busy.depth || !hcct_process_is_own())
        return false;
    hcct_busy_enter();
    wait_for_change();
    return true;
}

static void end(bool has_begun)
{
    if (!has_begun)
        return;
    int saved = errno;
    atomic_flag_clear_explicit(&changing, memory_order_release);
    hcct_busy_leave();
    errno = saved;
}

int hcct_actions_change(int signal, const struct sigaction *action, struct sigaction *old)
{
    if (signal <= 0 || signal >= NSIG)
        return hcct_actions_kernel(signal, action, old);
    struct sigaction given, was = { .sa_flags = 0 };
    if (action) {
        given = *action;
        /* what the program is told of it later, the C library and the kernel have changed so */
        given.sa_flags |= HCCT_MACHINE_SA_FLAGS;
        sigdelset(&given.sa_mask, SIGKILL);
        sigdelset(&given.sa_mask, SIGSTOP);
    }
    bool begun = action && begin();
    int result = action ? change(signal, &given, &was) : hcct_actions_kernel(signal, NULL, &was);
    end(begun);
    if (result == 0 && old) {
        hcct_actions_tell(&was);
        *old = was;
    }
    return result;
}

bool hcct_actions_see(int signal, bool by_default, bool ignored)
{
    uint64_t bit = UINT64_C(1) << (signal - 1);
    struct sigaction action;
    bool begun = begin();
    seen_by_default = by_default ? seen_by_default | bit : seen_by_default & ~bit;
    seen_ignored = ignored ? seen_ignored | bit : seen_ignored & ~bit;
    bool good = hcct_actions_kernel(signal, NULL, &action) == 0;
    bool had_entry = good && hcct_actions_tell(&action);
    if (good && had_entry != has_entry(signal, &action) && !hcct_actions_is_handler(&action))
        good = change(signal, &action, NULL) == 0;
    end(begun);
    return good;
}

bool hcct_actions_take(int signal, const struct sigaction *action)
{
    struct sigaction now;
    bool begun = begin();
    /* in a sandbox the kernel has done it */
    bool taken = hcct_confined || hcct_actions_kernel(signal, NULL, &now) != 0;
    if (!taken && hcct_actions_tell(&now) == action) {
        now.sa_handler = SIG_DFL; /* as the kernel does, which keeps flags and mask */
        change(signal, &now, NULL);
        taken = true;
    }
    end(begun);
    return taken;
}

void hcct_actions_close(void)
{
    wait_for_change();
}

void hcct_actions_after_fork(void)
{
    atomic_flag_clear_explicit(&changing, memory_order_release);
}
