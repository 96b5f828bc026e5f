/* See signals.h. Everything here is async-signal-safe. */
#define _GNU_SOURCE
#include "runtime/boundary/signals.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/confined.h"
#include "runtime/base/interpose.h"
#include "runtime/base/machine_context.h"
#include "runtime/boundary/actions.h"
#include "runtime/boundary/fatal.h"
#include "runtime/boundary/process.h"
#include "runtime/boundary/put_off.h"
#include "runtime/core/block.h"
#include "runtime/core/meter.h"
#include "runtime/core/notice.h"
#include "runtime/core/tables.h"
#include "runtime/meter/ticks/timer.h"
#include "runtime/stack/stack.h"

const char hcct_signals_present = 1;

/* --- delivery ----------------------------------------------------------------------------------- */

static struct sigaction program_action(int signal)
{
    unsigned number;
    return hcct_actions_of_program(signal, &number);
}

static struct hcct_level level_here(const ucontext_t *context, uintptr_t sp)
{
    struct hcct_level level = { .top = __hcct_thread.top, .sp = sp };
    uintptr_t start = (uintptr_t)context->uc_stack.ss_sp, end = start + context->uc_stack.ss_size;
    if (!(context->uc_stack.ss_flags & SS_DISABLE) && sp >= start && sp < end) {
        level.alternate_start = start;
        level.alternate_end = end;
    }
    return level;
}

static int install_sample_handler(int signal, struct sigaction *old);

/* As the kernel does for SA_RESETHAND, which keeps flags and mask. */
static void reset_handler(int signal, struct sigaction action)
{
    action.sa_handler = SIG_DFL;
    if (hcct_timer_uses(signal))
        install_sample_handler(signal, NULL);
    else if (hcct_fatal_is(signal))
        hcct_fatal_install(signal, NULL);
    else
        hcct_actions_kernel(signal, &action, NULL);
}

/* The same for the handler of a tick. */
static void take_sample(const siginfo_t *info, const void *context)
{
    bool was_alternate = hcct_busy_stack_is_alternate;
    hcct_busy_stack_is_alternate = true;
    hcct_timer_take(info, context);
    hcct_busy_stack_is_alternate = was_alternate;
}

/* Whether the thread is in a handler on an alternate stack. */
static bool in_alternate_level(void)
{
    const struct hcct_block *block = hcct_block_current();
    return hcct_in_handler && block && block->outer && block->level.alternate_end;
}

/* What is to be done. With SA_RESETHAND one thread takes the handler, and others that have the signal at the
 * same time find SIG_DFL. In a child of vfork the record is its parent's, and stays. */
static struct sigaction take_action(int signal)
{
    unsigned number;
    struct sigaction action = hcct_actions_of_program(signal, &number);
    if (!(action.sa_flags & (int)SA_RESETHAND))
        return action;
    if (hcct_actions_is_handler(&action) && (hcct_confined || hcct_process_is_own()))
        action.sa_handler = hcct_actions_take_handler(signal, number);
    if (!hcct_confined) /* otherwise the kernel has done it */
        reset_handler(signal, action);
    return action;
}

/* A signal that came to the trampoline, but whose action is the default one or to ignore it. */
static void refuse(int signal, const siginfo_t *info, const struct sigaction *action)
{
    if (!hcct_confined && !hcct_process_is_own()) /* a child of vfork, whose parent set that */
        hcct_actions_kernel(signal, action, NULL);
    if (action->sa_handler == SIG_DFL &&
        !hcct_put_off_is_fault(signal, info)) /* a fault comes again by itself */
        hcct_put_off_queue((int)syscall(SYS_gettid), info);
}

/* The newest handler of a fault that struck inside the profiler. */
static _Thread_local struct hcct_level faulted;

static void trampoline(int signal, siginfo_t *info, void *context)
{
    if (!hcct_timer_leaves_to_program(signal) &&
        hcct_timer_is_ours(signal, info)) { /* a tick; the program has a handler for this signal, too */
        take_sample(info, context);
        return;
    }
    int saved = errno;
    uintptr_t sp = (uintptr_t)__builtin_frame_address(0);
    if (!hcct_put_off_is_fault(signal, info) && hcct_put_off(signal, info, context)) {
        errno = saved;
        return;
    }
    struct sigaction action = take_action(signal);
    if (!hcct_actions_is_handler(&action)) { /* another thread has just taken the handler away */
        refuse(signal, info, &action);
        errno = saved;
        return;
    }
    uint64_t word = __hcct_thread.ctx, entered = __hcct_thread.entered, current = __hcct_thread.current;
    const struct hcct_site *noted_site = __hcct_thread.noted_site;
    uint64_t noted_word = __hcct_thread.noted_word;
    struct hcct_level here = level_here(context, sp);
    if (hcct_in_handler && (!here.alternate_end || in_alternate_level()))
        hcct_signals_leave_dead(sp);
    struct hcct_frame *top = here.top = __hcct_thread.top;
    struct hcct_clock clock = here.clock = __hcct_thread.clock;
    hcct_meter_switch_to((struct hcct_clock){ 0 });
    bool was_alternate = hcct_busy_stack_is_alternate, was_faulted = hcct_busy_faulted;
    hcct_busy_stack_is_alternate =
        true; /* until the program's handler begins: the stack may be almost full */
    bool inside = hcct_busy != 0;
    if (inside) {
        hcct_busy_faulted = true;
        faulted = here;
        if (hcct_meter->works_alone && hcct_meter->works_alone() && !hcct_tables_is_held())
            hcct_busy_interrupt_alone();
    }
    bool level = !inside && hcct_block_enter_level(here);
    hcct_in_handler += level || inside;
    hcct_stack_enter_signal(signal, current, hcct_machine_context_sp(context));
    __hcct_thread.ctx = HCCT_WORD_NONE;
    __hcct_thread.noted_site = NULL;
    __hcct_thread.current = __hcct_thread.top->prefix;
    hcct_busy_stack_is_alternate = here.alternate_end != 0;
    errno = saved;
    hcct_machine_call_handler(action.sa_sigaction, signal, info,
                              context); /* the kernel gives all three, too */
    saved = errno;
    hcct_busy_stack_is_alternate = was_alternate;
    hcct_busy_faulted = was_faulted;
    if (level)
        hcct_block_leave_level();
    hcct_in_handler -= level || inside;
    __hcct_thread.top = top;
    __hcct_thread.ctx = word;
    __hcct_thread.entered = entered;
    __hcct_thread.noted_word = noted_word;
    __hcct_thread.noted_site = noted_site;
    __hcct_thread.current = current;
    hcct_meter_switch_to(clock);
    if (signal == SIGABRT && !inside)
        hcct_fatal_write_before_abort();
    errno = saved;
}

/* A handler is live while code runs below its stack frame. If the handler is on an alternate stack, the code
 * must be on that stack, too. */
static bool is_live(const struct hcct_level *level, uintptr_t sp)
{
    bool same_stack = !level->alternate_end || (sp >= level->alternate_start && sp < level->alternate_end);
    return same_stack && sp < level->sp;
}

bool hcct_signals_leave_dead(uintptr_t sp)
{
    bool left = false;
    if (hcct_busy_faulted && !is_live(&faulted, sp)) {
        __hcct_thread.top = faulted.top;
        hcct_in_handler--;
        hcct_block_abandon();
        left = true;
    }
    for (struct hcct_block *block; hcct_in_handler && (block = hcct_block_current()) && block->outer;) {
        if (is_live(&block->level, sp))
            break;
        hcct_block_leave_level();
        hcct_in_handler--;
        left = true;
    }
    if (left)
        hcct_busy_stack_is_alternate = in_alternate_level();
    return left;
}

/* --- a sandbox ----------------------------------------------------------------------------------- */

void hcct_signals_leave_to_kernel(void)
{
    struct sigaction kernel;
    hcct_fatal_stop();
    for (int signal = 1; signal < NSIG; signal++) {
        if (hcct_actions_kernel(signal, NULL, &kernel) != 0 || !(kernel.sa_flags & SA_SIGINFO))
            continue;
        if (kernel.sa_sigaction != trampoline || !(program_action(signal).sa_flags & (int)SA_RESETHAND))
            continue;
        kernel.sa_flags |= (int)SA_RESETHAND;
        hcct_actions_kernel(signal, &kernel, NULL);
    }
}

/* --- the signal of the timers ---------------------------------------------------------------------- */

/* The handler while the program has none for this signal. A signal that is no tick gets the action that the
 * program chose: it is ignored, or ends the program. */
static void handle_sample(int signal, siginfo_t *info, void *context)
{
    if (hcct_timer_is_ours(signal, info))
        take_sample(info, context);
    else if (program_action(signal).sa_handler == SIG_DFL)
        hcct_fatal_end(signal, info, context);
}

static int install_sample_handler(int signal, struct sigaction *old)
{
    struct sigaction action = { .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK };
    action.sa_sigaction = handle_sample;
    sigfillset(&action.sa_mask);
    return hcct_actions_kernel(signal, &action, old);
}

static bool is_default(int signal)
{
    struct sigaction action;
    return hcct_actions_kernel(signal, NULL, &action) == 0 &&
           (action.sa_handler == SIG_DFL || hcct_fatal_is_installed(&action));
}

int hcct_signals_take_one(bool by_counters)
{
    int signal = SIGRTMAX - 1;
    while (signal > SIGRTMIN && !(is_default(signal) && install_sample_handler(signal, NULL) == 0))
        signal--;
    if (signal == SIGRTMIN)
        return 0;
    if (by_counters && is_default(SIGIO))
        install_sample_handler(SIGIO, NULL);
    return signal;
}

/* --- the interposed functions -------------------------------------------------------------------- */

/* Whether this is a handler of ours. Then the program's own action is in `actions`, not in the kernel. */
static bool is_ours(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) &&
           (action->sa_sigaction == trampoline || action->sa_sigaction == hcct_fatal_end ||
            action->sa_sigaction == handle_sample);
}

/* What the program is told of its action `own`, for which the kernel has `kernel`. The function that a
 * handler returns to is the C library's. */
static struct sigaction as_told(const struct sigaction *kernel, const struct sigaction *own)
{
    if (!is_ours(kernel))
        return *kernel;
    struct sigaction told = *own;
    told.sa_restorer = told.sa_flags & HCCT_MACHINE_SA_FLAGS ? kernel->sa_restorer : NULL;
    return told;
}

static int install(int signal, const struct sigaction *action, struct sigaction *old)
{
    struct sigaction previous = program_action(signal), ours, kernel;
    int result;
    /* A child of vfork has its own actions, but its parent's memory, where `actions` are the parent's. */
    if (action && !hcct_confined && !hcct_process_is_own()) {
        result = hcct_actions_kernel(signal, action, &kernel);
        if (result == 0 && old)
            *old = as_told(&kernel, &previous);
        return result;
    }
    /* A handler is known before the kernel can call the trampoline, and forgotten when it no longer does. */
    bool is_tick = action && hcct_timer_uses(signal) && !(signal == SIGIO && action->sa_handler == SIG_IGN);
    bool comes_first = action && (hcct_actions_is_handler(action) || is_tick);
    if (comes_first)
        hcct_actions_remember(signal, action);
    if (action && hcct_actions_is_handler(action)) {
        ours = *action;
        ours.sa_flags |= SA_SIGINFO;
        if (!hcct_confined)
            ours.sa_flags &= ~(int)SA_RESETHAND; /* reset by the trampoline */
        ours.sa_sigaction = trampoline;
        result = hcct_actions_kernel(signal, &ours, &kernel);
    } else if (is_tick) {
        result = install_sample_handler(signal, &kernel);
    } else if (action && action->sa_handler == SIG_DFL && hcct_fatal_is(signal)) {
        result = hcct_fatal_install(signal, &kernel);
    } else {
        result = hcct_actions_kernel(signal, action, &kernel);
    }
    if (result != 0 && comes_first)
        hcct_actions_remember(signal, &previous);
    if (result != 0)
        return result;
    if (action && !comes_first)
        hcct_actions_remember(signal, action);
    if (old)
        *old = as_told(&kernel, &previous);
    return 0;
}

int hcct_signals_install(int signal, const struct sigaction *action, struct sigaction *old)
{
    if (signal <= 0 || signal >= NSIG)
        return hcct_actions_kernel(signal, action, old);
    if (hcct_process_shares_memory) /* is this a child of fork, or of vfork? */
        hcct_notice();
    struct sigaction copy;
    if (action) {
        copy = *action; /* `old` may be the same object */
        /* what the program is told of it later, the C library and the kernel have changed so */
        copy.sa_flags |= HCCT_MACHINE_SA_FLAGS;
        sigdelset(&copy.sa_mask, SIGKILL);
        sigdelset(&copy.sa_mask, SIGSTOP);
        action = &copy;
    }
    if (hcct_confined) /* a signal could not wait */
        return install(signal, action, old);
    hcct_busy_enter();
    hcct_actions_begin_change();
    int result = install(signal, action, old);
    hcct_actions_end_change();
    int saved = errno;
    hcct_busy_leave();
    errno = saved;
    return result;
}

void hcct_signals_after_fork(void)
{
    hcct_actions_end_change();
    hcct_fatal_after_fork();
}

HCCT_INTERPOSE_UNLESS_OWN(sigaction);
int hcct_interposed_sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
    return hcct_signals_install(signal, action, old);
}
