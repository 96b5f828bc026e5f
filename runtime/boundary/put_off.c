/* See put_off.h. */
#define _GNU_SOURCE
#include "runtime/boundary/put_off.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/confined.h"
#include "runtime/core/busy.h"
#include "runtime/core/notice.h"
#include "runtime/meter/ticks/timer.h"

/* A signal that came while its thread was inside the profiler. hcct_put_off writes `info` before it stores
 * `thread`, and hcct_put_off_redeliver reads `info` after it has loaded `thread`. */
struct waiting {
    atomic_int thread; /* 0: free; -1: `info` is being written */
    siginfo_t info;
};

enum { PUT_OFF_LIMIT = 256 };

static struct waiting put_off[PUT_OFF_LIMIT];

bool hcct_put_off_is_fault(int signal, const siginfo_t *info)
{
    if (signal == SIGSEGV && info->si_code == SI_KERNEL)
        return false;
    return info->si_code > 0 && (signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE ||
                                 signal == SIGILL || signal == SIGTRAP || signal == SIGSYS);
}

bool hcct_put_off(int signal, const siginfo_t *info, ucontext_t *context)
{
    if (!hcct_busy.depth || hcct_busy.faulted || hcct_confined)
        return false;
    int thread = (int)syscall(SYS_gettid);
    for (size_t i = 0; i < PUT_OFF_LIMIT; i++) {
        int free_slot = 0;
        if (!atomic_compare_exchange_strong(&put_off[i].thread, &free_slot, -1))
            continue;
        put_off[i].info = *info;
        sigaddset(&context->uc_sigmask, signal);
        atomic_store_explicit(&put_off[i].thread, thread, memory_order_release);
        hcct_busy.deferred = true;
        return true;
    }
    return false;
}

bool hcct_put_off_queue(int thread, const siginfo_t *info)
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
    bool newer = info->si_signo >= SIGRTMIN && sigismember(&waiting, info->si_signo) &&
                 hcct_put_off_queue(thread, &mark);
    hcct_put_off_queue(thread, info);
    while (newer) {
        long taken = syscall(SYS_rt_sigtimedwait, &set, &next, &now, sizeof set);
        newer = taken > 0 && !(next.si_code == SI_QUEUE && next.si_value.sival_ptr == put_off);
        if (newer)
            hcct_put_off_queue(thread, &next);
    }
}

void hcct_put_off_redeliver(void)
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
    hcct_busy.deferred = false;
    hcct_busy_end_alone();
    hcct_timer_take_put_off();
    for (size_t i = 0; i < PUT_OFF_LIMIT; i++) {
        if (atomic_load_explicit(&put_off[i].thread, memory_order_acquire) != thread)
            continue;
        siginfo_t info = put_off[i].info;
        atomic_store_explicit(&put_off[i].thread, 0, memory_order_release);
        sigdelset(&mask, info.si_signo); /* hcct_put_off blocked it */
        send_again(thread, &info);
    }
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    errno = saved;
}
