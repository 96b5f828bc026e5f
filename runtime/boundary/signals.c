/* See signals.h. Everything here is async-signal-safe. */
#define _GNU_SOURCE
#include "runtime/boundary/signals.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/interpose.h"
#include "runtime/base/machine_context.h"
#include "runtime/boundary/actions.h"
#include "runtime/boundary/fatal.h"
#include "runtime/boundary/put_off.h"
#include "runtime/core/block.h"
#include "runtime/core/hooks.h"
#include "runtime/core/meter.h"
#include "runtime/core/tables.h"
#include "runtime/meter/ticks/timer.h"
#include "runtime/stack/stack.h"

const char hcct_signals_present = 1;

/* --- delivery ----------------------------------------------------------------------------------- */

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

/* The handler of a tick may run on an alternate stack, or on a stack that is almost full. */
static void take_sample(const siginfo_t *info, const void *context)
{
    bool was_alternate = hcct_busy.stack_is_alternate;
    hcct_busy.stack_is_alternate = true;
    hcct_timer_take(info, context);
    hcct_busy.stack_is_alternate = was_alternate;
}

static bool take(int signal, const struct sigaction *action)
{
    bool was_alternate = hcct_busy.stack_is_alternate;
    hcct_busy.stack_is_alternate = true;
    bool taken = hcct_actions_take(signal, action);
    hcct_busy.stack_is_alternate = was_alternate;
    return taken;
}

/* Whether the thread is in a handler on an alternate stack. */
static bool in_alternate_level(void)
{
    const struct hcct_block *block = hcct_block_current();
    return hcct_in_handler && block && block->outer && block->level.alternate_end;
}

/* The newest handler of a fault that struck inside the profiler. */
static _Thread_local struct hcct_level faulted;

void hcct_signals_deliver(int signal, siginfo_t *info, void *context, const struct sigaction *action)
{
    bool is_handler = hcct_actions_is_handler(action);
    if (!(is_handler && hcct_timer_leaves_to_program(signal)) && hcct_timer_is_ours(signal, info)) {
        take_sample(info, context);
        return;
    }
    if (!is_handler) {
        if (action->sa_handler == SIG_DFL)
            hcct_fatal_end(signal, info, context);
        return;
    }
    int saved = errno;
    uintptr_t sp = (uintptr_t)__builtin_frame_address(0);
    bool is_fault = hcct_put_off_is_fault(signal, info);
    if (!is_fault && hcct_put_off(signal, info, context)) {
        errno = saved;
        return;
    }
    if (action->sa_flags & (int)SA_RESETHAND && !take(signal, action)) {
        if (!is_fault) /* which comes again by itself */
            hcct_put_off_queue((int)syscall(SYS_gettid), info);
        errno = saved;
        return;
    }
    uint64_t word = __hcct_thread.ctx, entered = __hcct_thread.entered;
    const struct hcct_site *noted_site = __hcct_thread.noted_site;
    uint64_t noted_word = __hcct_thread.noted_word;
    struct hcct_level here = level_here(context, sp);
    if (hcct_in_handler && (!here.alternate_end || in_alternate_level()))
        hcct_signals_leave_dead(sp);
    struct hcct_frame *top = here.top = __hcct_thread.top;
    struct hcct_clock clock = here.clock = __hcct_thread.clock;
    hcct_meter_switch_to((struct hcct_clock){ 0 });
    bool was_alternate = hcct_busy.stack_is_alternate, was_faulted = hcct_busy.faulted;
    /* until the program's handler begins: the stack may be almost full */
    hcct_busy.stack_is_alternate = true;
    bool inside = hcct_busy.depth != 0;
    if (inside) {
        hcct_busy.faulted = true;
        faulted = here;
        if (hcct_heap_hooks.works_alone() && !hcct_tables_is_held())
            hcct_busy_interrupt_alone();
    }
    bool level = !inside && hcct_block_enter_level(here);
    hcct_in_handler += level || inside;
    hcct_stack_enter_signal(signal, context);
    __hcct_thread.ctx = HCCT_WORD_NONE;
    __hcct_thread.noted_site = NULL;
    hcct_busy.stack_is_alternate = here.alternate_end != 0;
    errno = saved;
    /* without SA_SIGINFO, too: so does the kernel */
    hcct_machine_call_handler(action->sa_sigaction, signal, info, context);
    saved = errno;
    hcct_busy.stack_is_alternate = was_alternate;
    hcct_busy.faulted = was_faulted;
    if (level)
        hcct_block_leave_level();
    hcct_in_handler -= level || inside;
    __hcct_thread.top = top;
    __hcct_thread.ctx = word;
    __hcct_thread.entered = entered;
    __hcct_thread.noted_word = noted_word;
    __hcct_thread.noted_site = noted_site;
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
    if (hcct_busy.faulted && !is_live(&faulted, sp)) {
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
        hcct_busy.stack_is_alternate = in_alternate_level();
    return left;
}

/* --- a sandbox ----------------------------------------------------------------------------------- */

void hcct_signals_leave_to_kernel(void)
{
    struct sigaction kernel;
    hcct_fatal_stop();
    for (int signal = 1; signal < NSIG; signal++) {
        if (hcct_actions_kernel(signal, NULL, &kernel) != 0)
            continue;
        struct sigaction told = kernel;
        if (!hcct_actions_tell(&told) || !(told.sa_flags & (int)SA_RESETHAND))
            continue;
        kernel.sa_flags |= (int)SA_RESETHAND;
        hcct_actions_kernel(signal, &kernel, NULL);
    }
}

/* --- ticks --------------------------------------------------------------------------------------- */

static bool is_default(int signal)
{
    struct sigaction action;
    return hcct_actions_change(signal, NULL, &action) == 0 && action.sa_handler == SIG_DFL;
}

int hcct_signals_take_one(bool by_counters)
{
    int signal = SIGRTMAX - 1;
    while (signal > SIGRTMIN && !(is_default(signal) && hcct_actions_see(signal, true, true)))
        signal--;
    if (signal == SIGRTMIN)
        return 0;
    if (by_counters && is_default(SIGIO))
        hcct_actions_see(SIGIO, true, false);
    return signal;
}

void hcct_signals_after_fork(void)
{
    hcct_actions_after_fork();
    hcct_fatal_after_fork();
}

HCCT_INTERPOSE_UNLESS_OWN(sigaction);
int hcct_interposed_sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
    return hcct_actions_change(signal, action, old);
}
