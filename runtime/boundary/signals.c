/* See signals.h. Everything here is async-signal-safe. */
#define _GNU_SOURCE
#include "runtime/boundary/signals.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/confined.h"
#include "runtime/base/interpose.h"
#include "runtime/base/machine_context.h"
#include "runtime/boundary/ends.h"
#include "runtime/boundary/process.h"
#include "runtime/core/block.h"
#include "runtime/core/meter.h"
#include "runtime/core/notice.h"
#include "runtime/core/tables.h"
#include "runtime/meter/ticks/timer.h"
#include "runtime/stack/stack.h"

const char hcct_signals_present = 1;

/* --- what the program installed ----------------------------------------------------------------- */

typedef int sigaction_function(int, const struct sigaction *, struct sigaction *);
sigaction_function __sigaction;
sigaction_function __interceptor_sigaction __attribute__((weak)); /* a sanitizer's */

/* The program's action for a signal, while the kernel has the trampoline. One store switches to the other
 * version, so a handler that starts while sigaction runs reads the whole of one. A version is overwritten by
 * the second sigaction after it: who has read one looks whether it still is the current one, and else reads
 * again. The store of `number` in remember() pairs with the load in program_action(). */
struct action {
    struct sigaction versions[2];
    atomic_uint number; /* of all versions so far: the current one is versions[number % 2] */
};

static struct action actions[NSIG];
static atomic_flag installing = ATOMIC_FLAG_INIT;

static int real_sigaction(int signal, const struct sigaction *action, struct sigaction *old)
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

/* The same, and the number of its version. */
static struct sigaction numbered_action(int signal, unsigned *number)
{
    struct sigaction action;
    do {
        *number = atomic_load_explicit(&actions[signal].number, memory_order_acquire);
        copy_action(&action, &actions[signal].versions[*number % 2]);
        atomic_thread_fence(memory_order_acquire);
    } while (*number != atomic_load_explicit(&actions[signal].number, memory_order_relaxed));
    return action;
}

static struct sigaction program_action(int signal)
{
    unsigned number;
    return numbered_action(signal, &number);
}

/* --- delivery ----------------------------------------------------------------------------------- */

/* A signal that came while its thread was inside the profiler. defer() writes `info` before it stores
 * `thread`, and hcct_signals_redeliver reads `info` after it has loaded `thread`. */
struct put_off {
    atomic_int thread; /* 0: free; -1: `info` is being written */
    siginfo_t info;
};

enum { PUT_OFF_LIMIT = 256 };

static struct put_off put_off[PUT_OFF_LIMIT];

/* Whether the interrupted instruction caused the signal, and would fault again. SIGSEGV with SI_KERNEL: the
 * kernel had no room on the stack for the frame of another signal, so the instruction did not cause it. */
static bool is_fault(int signal, const siginfo_t *info)
{
    if (signal == SIGSEGV && info->si_code == SI_KERNEL)
        return false;
    return info->si_code > 0 && (signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE ||
                                 signal == SIGILL || signal == SIGTRAP || signal == SIGSYS);
}

/* If the thread is inside the profiler: remembers the signal, and keeps it blocked until it is sent again.
 * False if the handler is to run now. */
static bool defer(int signal, const siginfo_t *info, ucontext_t *context)
{
    if (!hcct_busy || hcct_busy_faulted || hcct_confined)
        return false;
    int thread = (int)syscall(SYS_gettid);
    for (size_t i = 0; i < PUT_OFF_LIMIT; i++) {
        int free_slot = 0;
        if (!atomic_compare_exchange_strong(&put_off[i].thread, &free_slot, -1))
            continue;
        put_off[i].info = *info;
        sigaddset(&context->uc_sigmask, signal);
        atomic_store_explicit(&put_off[i].thread, thread, memory_order_release);
        hcct_busy_deferred = true;
        return true;
    }
    return false;
}

static bool queue(int thread, const siginfo_t *info)
{
    return syscall(SYS_rt_tgsigqueueinfo, hcct_process_id(), thread, info->si_signo, info) == 0;
}

/* Sends a signal to its thread, which blocks all. Real-time signals of one number come in the order in which
 * they were sent. So those that wait already, which are newer, go behind it: they are taken, up to a mark,
 * and sent again. */
static void send_again(int thread, const siginfo_t *info)
{
    siginfo_t mark = { .si_signo = info->si_signo, .si_code = SI_QUEUE }, next;
    struct timespec now = { 0, 0 };
    uint64_t set = UINT64_C(1) << (info->si_signo - 1);
    sigset_t waiting;
    sigpending(&waiting);
    mark.si_value.sival_ptr = put_off;
    bool newer = info->si_signo >= SIGRTMIN && sigismember(&waiting, info->si_signo) && queue(thread, &mark);
    queue(thread, info);
    while (newer) {
        long taken = syscall(SYS_rt_sigtimedwait, &set, &next, &now, sizeof set);
        newer = taken > 0 && !(next.si_code == SI_QUEUE && next.si_value.sival_ptr == put_off);
        if (newer)
            queue(thread, &next);
    }
}

void hcct_signals_redeliver(void)
{
    int saved = errno, thread = (int)syscall(SYS_gettid);
    sigset_t all, mask;
    sigfillset(&all);
    /* a fault that is blocked ends the program */
    static const int faults[] = { SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        sigdelset(&all, faults[i]);
    hcct_busy_probe();
    /* otherwise a handler might run in between and leave by a jump, and the signals that wait would be
     * lost */
    pthread_sigmask(SIG_BLOCK, &all, &mask);
    hcct_busy_deferred = false;
    hcct_busy_end_alone();
    hcct_timer_take_put_off();
    for (size_t i = 0; i < PUT_OFF_LIMIT; i++) {
        if (atomic_load_explicit(&put_off[i].thread, memory_order_acquire) != thread)
            continue;
        siginfo_t info = put_off[i].info;
        atomic_store_explicit(&put_off[i].thread, 0, memory_order_release);
        sigdelset(&mask, info.si_signo); /* defer() blocked it */
        send_again(thread, &info);
    }
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    errno = saved;
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

static bool reset_disposition(int signal)
{
    struct sigaction action = { .sa_flags = 0 };
    action.sa_handler = SIG_DFL;
    sigemptyset(&action.sa_mask);
    return real_sigaction(signal, &action, NULL) == 0;
}

static bool is_handler(const struct sigaction *action);
static bool is_fatal(int signal);
static int install_end_program(int signal, struct sigaction *old);
static int install_sample_handler(int signal, struct sigaction *old);

/* As the kernel does for SA_RESETHAND, which keeps flags and mask. */
static void reset_handler(int signal, struct sigaction action)
{
    action.sa_handler = SIG_DFL;
    if (hcct_timer_uses(signal))
        install_sample_handler(signal, NULL);
    else if (is_fatal(signal))
        install_end_program(signal, NULL);
    else
        real_sigaction(signal, &action, NULL);
}

/* The handler of SIGABRT has returned. Perhaps abort() called it, which then ends the program by means that
 * nobody sees. */
static void write_before_abort(void)
{
    bool was_alternate = hcct_busy_stack_is_alternate;
    hcct_busy_stack_is_alternate = true;
    if (is_fatal(SIGABRT) && hcct_process_is_own())
        hcct_process_write_again();
    hcct_busy_stack_is_alternate = was_alternate;
}

/* The handler may run on an alternate stack, or on a stack that is almost full. */
static void write_at_end(void)
{
    bool was_alternate = hcct_busy_stack_is_alternate;
    hcct_busy_stack_is_alternate = true;
    hcct_process_write();
    hcct_busy_stack_is_alternate = was_alternate;
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
    struct sigaction action = numbered_action(signal, &number);
    if (!(action.sa_flags & (int)SA_RESETHAND))
        return action;
    if (is_handler(&action) && (hcct_confined || hcct_process_is_own()))
        action.sa_handler =
            __atomic_exchange_n(&actions[signal].versions[number % 2].sa_handler, SIG_DFL, __ATOMIC_ACQ_REL);
    if (!hcct_confined) /* otherwise the kernel has done it */
        reset_handler(signal, action);
    return action;
}

/* A signal that came to the trampoline, but whose action is the default one or to ignore it. */
static void refuse(int signal, const siginfo_t *info, const struct sigaction *action)
{
    if (!hcct_confined && !hcct_process_is_own()) /* a child of vfork, whose parent set that */
        real_sigaction(signal, action, NULL);
    if (action->sa_handler == SIG_DFL && !is_fault(signal, info)) /* a fault comes again by itself */
        queue((int)syscall(SYS_gettid), info);
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
    if (!is_fault(signal, info) && defer(signal, info, context)) {
        errno = saved;
        return;
    }
    struct sigaction action = take_action(signal);
    if (!is_handler(&action)) { /* another thread has just taken the handler away */
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
        write_before_abort();
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

/* --- default actions that end the program --------------------------------------------------------- */

/* If their action is the default one, the kernel gets end_program instead. The program sees SIG_DFL. Not
 * those that stop it or do nothing by default, and not the real-time signals, which are used by agreement. */
static bool ends_by_default(int signal)
{
    static const int others[] = { SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU,
                                  SIGCONT, SIGCHLD, SIGURG,  SIGWINCH };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i] == signal)
            return false;
    return signal > 0 && signal <= SIGSYS;
}

/* What a shell shows for a process that signal N ended, less N. */
enum { STATUS_OF_SIGNALS = 128 };
static bool fatal_started;
/* Process 1, also of a container: the kernel drops signals for it whose action is the default one. But its
 * own faults and abort() end it. */
static bool is_init;

static bool is_fatal(int signal)
{
    static const int own[] = { SIGABRT, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS };
    bool is_own = false;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        is_own = is_own || own[i] == signal;
    return fatal_started && ends_by_default(signal) && (is_own || !is_init);
}

/* The thread that ends the process; 0: none yet. */
static atomic_int ender;

/* The most that a profile may take after a fault, which may come of what the program wrote into the
 * profiler's memory. */
enum { CRASH_SECONDS = 10 };

/* Sends the thread `signal` after that time. */
static bool begin_limit(int signal, timer_t *timer)
{
    struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = signal };
    struct itimerspec limit = { .it_value.tv_sec = CRASH_SECONDS };
    event.sigev_value.sival_ptr = &ender;
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    return syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, timer) == 0 &&
           syscall(SYS_timer_settime, *timer, 0, &limit, NULL) == 0;
}

static bool is_limit(const siginfo_t *info)
{
    return info->si_code == SI_TIMER && info->si_value.sival_ptr == &ender;
}

static void set_blocked(int how, int signal)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    pthread_sigmask(how, &set, NULL);
}

/* The profile of a process that a fault ends: not if it struck inside the profiler. */
static void write_crashed(int signal)
{
    timer_t timer;
    if (hcct_busy)
        return;
    bool is_limited = begin_limit(signal, &timer);
    set_blocked(SIG_UNBLOCK, signal); /* another fault, and the limit, come to end_program again */
    write_at_end();
    set_blocked(SIG_BLOCK, signal);
    if (is_limited)
        syscall(SYS_timer_delete, timer);
}

static void begin_change(void)
{
    for (unsigned spins = 0; atomic_flag_test_and_set_explicit(&installing, memory_order_acquire); spins++)
        hcct_tables_back_off(spins);
}

/* Another thread ends the process. Where it may wait for what this one holds, it has a fault's time, and a
 * second more. */
static void wait_for_end(void)
{
    for (unsigned i = 0; !hcct_busy || i < CRASH_SECONDS + 1; i++)
        syscall(SYS_nanosleep, &(struct timespec){ .tv_sec = 1 }, NULL);
}

/* Writes the profile, once. From then on no thread changes an action: the default one is about to be taken.
 * Returns whether the process is to end now. */
static bool write_before_end(int signal, const siginfo_t *info)
{
    int nobody = 0, thread = (int)syscall(SYS_gettid);
    if (!hcct_process_is_own()) /* a child of vfork, which has its parent's memory */
        return true;
    if (!atomic_compare_exchange_strong(&ender, &nobody, thread)) {
        if (nobody == thread)
            return is_fault(signal, info) || is_limit(info);
        wait_for_end();
    } else {
        if (is_fault(signal, info))
            write_crashed(signal);
        else
            write_at_end();
        if (!hcct_busy) /* else the fault may have struck while it changed one */
            begin_change();
    }
    return true;
}

/* The signal comes again when this has returned, to where the thread was: status, core and what a tracer sees
 * are the same as without us. */
static void end_program(int signal, siginfo_t *info, void *context)
{
    int saved = errno;
    bool is_own = is_fault(signal, info) || is_limit(info);
    if (!is_own && defer(signal, info, context))
        return;
    bool is_ignored = is_init && signal != SIGABRT && !is_own;
    if (!is_ignored && write_before_end(signal, info)) {
        if (!reset_disposition(signal)) /* a sandbox, which forbids it */
            hcct_ends_leave(STATUS_OF_SIGNALS + signal);
        queue((int)syscall(SYS_gettid), info);
        sigdelset(&((ucontext_t *)context)->uc_sigmask, signal);
    }
    errno = saved;
}

static int install_end_program(int signal, struct sigaction *old)
{
    /* SA_ONSTACK: it ends a program whose stack is full, too, as the default action does */
    struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };
    action.sa_sigaction = end_program;
    sigfillset(&action.sa_mask);
    return real_sigaction(signal, &action, old);
}

void hcct_signals_start(void)
{
    struct sigaction action;
    fatal_started = true;
    is_init = getpid() == 1;
    for (int signal = 1; signal <= SIGSYS; signal++)
        if (is_fatal(signal) && real_sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_DFL)
            install_end_program(signal, NULL);
}

void hcct_signals_leave_to_kernel(void)
{
    struct sigaction kernel;
    fatal_started = false;
    for (int signal = 1; signal < NSIG; signal++) {
        if (real_sigaction(signal, NULL, &kernel) != 0 || !(kernel.sa_flags & SA_SIGINFO))
            continue;
        if (kernel.sa_sigaction == end_program)
            reset_disposition(signal);
        if (kernel.sa_sigaction != trampoline || !(program_action(signal).sa_flags & (int)SA_RESETHAND))
            continue;
        kernel.sa_flags |= (int)SA_RESETHAND;
        real_sigaction(signal, &kernel, NULL);
    }
}

/* --- the signal of the timers ---------------------------------------------------------------------- */

/* Also with SA_SIGINFO: the kernel looks at the pointer only, and the two are in one place. */
static bool is_handler(const struct sigaction *action)
{
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

/* The handler while the program has none for this signal. A signal that is no tick gets the action that the
 * program chose: it is ignored, or ends the program. */
static void handle_sample(int signal, siginfo_t *info, void *context)
{
    if (hcct_timer_is_ours(signal, info))
        take_sample(info, context);
    else if (program_action(signal).sa_handler == SIG_DFL)
        end_program(signal, info, context);
}

static int install_sample_handler(int signal, struct sigaction *old)
{
    struct sigaction action = { .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK };
    action.sa_sigaction = handle_sample;
    sigfillset(&action.sa_mask);
    return real_sigaction(signal, &action, old);
}

static bool is_default(int signal)
{
    struct sigaction action;
    return real_sigaction(signal, NULL, &action) == 0 &&
           (action.sa_handler == SIG_DFL ||
            ((action.sa_flags & SA_SIGINFO) && action.sa_sigaction == end_program));
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
           (action->sa_sigaction == trampoline || action->sa_sigaction == end_program ||
            action->sa_sigaction == handle_sample);
}

static void remember(int signal, const struct sigaction *action)
{
    unsigned next = atomic_load_explicit(&actions[signal].number, memory_order_relaxed) + 1;
    atomic_thread_fence(memory_order_release); /* who reads what follows finds `number` changed, or will */
    copy_action(&actions[signal].versions[next % 2], action);
    atomic_store_explicit(&actions[signal].number, next, memory_order_release);
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
        result = real_sigaction(signal, action, &kernel);
        if (result == 0 && old)
            *old = as_told(&kernel, &previous);
        return result;
    }
    /* A handler is known before the kernel can call the trampoline, and forgotten when it no longer does. */
    bool is_tick = action && hcct_timer_uses(signal) && !(signal == SIGIO && action->sa_handler == SIG_IGN);
    bool comes_first = action && (is_handler(action) || is_tick);
    if (comes_first)
        remember(signal, action);
    if (action && is_handler(action)) {
        ours = *action;
        ours.sa_flags |= SA_SIGINFO;
        if (!hcct_confined)
            ours.sa_flags &= ~(int)SA_RESETHAND; /* reset by the trampoline */
        ours.sa_sigaction = trampoline;
        result = real_sigaction(signal, &ours, &kernel);
    } else if (is_tick) {
        result = install_sample_handler(signal, &kernel);
    } else if (action && action->sa_handler == SIG_DFL && is_fatal(signal)) {
        result = install_end_program(signal, &kernel);
    } else {
        result = real_sigaction(signal, action, &kernel);
    }
    if (result != 0 && comes_first)
        remember(signal, &previous);
    if (result != 0)
        return result;
    if (action && !comes_first)
        remember(signal, action);
    if (old)
        *old = as_told(&kernel, &previous);
    return 0;
}

int hcct_signals_install(int signal, const struct sigaction *action, struct sigaction *old)
{
    if (signal <= 0 || signal >= NSIG)
        return real_sigaction(signal, action, old);
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
    begin_change();
    int result = install(signal, action, old);
    atomic_flag_clear_explicit(&installing, memory_order_release);
    int saved = errno;
    hcct_busy_leave();
    errno = saved;
    return result;
}

void hcct_signals_after_fork(void)
{
    atomic_flag_clear(&installing);
    atomic_store(&ender, 0);
    if (is_init) /* its child is another process */
        hcct_signals_start();
}

HCCT_INTERPOSE_UNLESS_OWN(sigaction);
int hcct_interposed_sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
    return hcct_signals_install(signal, action, old);
}
