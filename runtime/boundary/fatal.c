/* See fatal.h. */
#define _GNU_SOURCE
#include "runtime/boundary/fatal.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/boundary/actions.h"
#include "runtime/boundary/put_off.h"
#include "runtime/boundary/write.h"
#include "runtime/core/busy.h"
#include "runtime/core/notice.h"
#include "runtime/meter/ticks/timer.h"

/* Not those that stop the program or do nothing by default, and not the real-time signals, which are used by
 * agreement. */
static bool ends_by_default(int signal)
{
    static const int others[] = { SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU,
                                  SIGCONT, SIGCHLD, SIGURG,  SIGWINCH };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i] == signal)
            return false;
    return signal > 0 && signal <= SIGSYS;
}

/* The handler may run on an alternate stack, or on a stack that is almost full. */
static void write_at_end(void)
{
    bool was_alternate = hcct_busy.stack_is_alternate;
    hcct_busy.stack_is_alternate = true;
    hcct_write_profile();
    hcct_busy.stack_is_alternate = was_alternate;
}

/* What a shell shows for a process that signal N ended, less N. */
enum { STATUS_OF_SIGNALS = 128 };
static bool is_on;
/* Process 1, also of a container: the kernel drops signals for it whose action is the default one. But its
 * own faults and abort() end it. */
static bool is_init;

static bool is_ended_with(int signal)
{
    static const int own[] = { SIGABRT, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS };
    bool is_own = false;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        is_own = is_own || own[i] == signal;
    return ends_by_default(signal) && (is_own || !is_init);
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
    if (hcct_busy.depth)
        return;
    bool is_limited = begin_limit(signal, &timer);
    set_blocked(SIG_UNBLOCK, signal); /* another fault, and the limit, come to hcct_fatal_end again */
    write_at_end();
    set_blocked(SIG_BLOCK, signal);
    if (is_limited)
        syscall(SYS_timer_delete, timer);
}

/* Another thread ends the process. Where it may wait for what this one holds, it has a fault's time, and a
 * second more. */
static void wait_for_end(void)
{
    for (unsigned i = 0; !hcct_busy.depth || i < CRASH_SECONDS + 1; i++)
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
            return hcct_put_off_is_fault(signal, info) || is_limit(info);
        wait_for_end();
    } else {
        if (hcct_put_off_is_fault(signal, info))
            write_crashed(signal);
        else
            write_at_end();
        if (!hcct_busy.depth) /* else the fault may have struck while it changed one */
            hcct_actions_close();
    }
    return true;
}

void hcct_fatal_end(int signal, siginfo_t *info, void *context)
{
    int saved = errno;
    bool is_own = hcct_put_off_is_fault(signal, info) || is_limit(info);
    if (!is_own && hcct_put_off(signal, info, context))
        return;
    bool is_ignored = is_init && signal != SIGABRT && !is_own;
    if (!is_ignored && write_before_end(signal, info)) {
        while (!hcct_actions_reset(signal)) /* a sandbox, which forbids it */
            syscall(SYS_exit_group, STATUS_OF_SIGNALS + signal);
        hcct_put_off_queue((int)syscall(SYS_gettid), info);
        /* no handler of another signal that waits runs first: it could not change an action any more */
        for (int other = 1; other < NSIG; other++)
            (other == signal ? sigdelset : sigaddset)(&((ucontext_t *)context)->uc_sigmask, other);
    }
    errno = saved;
}

void hcct_fatal_start(void)
{
    is_on = true;
    is_init = getpid() == 1;
    for (int signal = 1; signal <= SIGSYS; signal++)
        if (is_ended_with(signal))
            hcct_actions_see(signal, true, false);
}

void hcct_fatal_stop(void)
{
    is_on = false;
    for (int signal = 1; signal <= SIGSYS; signal++)
        if (!hcct_timer_uses(signal))
            hcct_actions_see(signal, false, false);
}

void hcct_fatal_after_fork(void)
{
    atomic_store(&ender, 0);
    if (is_init) /* its child is another process */
        hcct_fatal_start();
}

void hcct_fatal_write_before_abort(void)
{
    bool was_alternate = hcct_busy.stack_is_alternate;
    hcct_busy.stack_is_alternate = true;
    if (is_on && hcct_process_is_own())
        hcct_write_profile_again();
    hcct_busy.stack_is_alternate = was_alternate;
}
