/* See timer.h. */
#define _GNU_SOURCE
#include "runtime/timer.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/burst.h"
#include "runtime/event.h"
#include "runtime/options.h"
#include "runtime/sample.h"
#include "runtime/signals.h"
#include "runtime/snapshot.h"

int hcct_timer_signal;
uint64_t hcct_timer_interval;
static bool by_events; /* event.c: not of timers */
static char timer_mark; /* its address is in every signal of ours */
static _Thread_local volatile uint32_t put_off;

enum { SECOND_NS = 1000000000 };

/* --- the signal ------------------------------------------------------------------------------------ */

/* The calling thread's worker that has its timer. */
static struct hcct_worker *outermost(void)
{
    struct hcct_worker *worker = hcct_worker_current();
    while (worker && worker->outer)
        worker = worker->outer;
    return worker;
}

bool hcct_timer_is_ours(int signal, const siginfo_t *info)
{
    if (signal != hcct_timer_signal || !signal)
        return false;
    if (by_events)
        return hcct_event_is_ours(info);
    return info->si_code == SI_TIMER && info->si_value.sival_ptr == &timer_mark;
}

static void take(uint32_t count, const void *context)
{
    if (hcct_busy) { /* the context is the same when the thread leaves the profiler */
        put_off += count;
        hcct_deferred = true;
        return;
    }
    hcct_burst_next_unit();
    hcct_sample_take(context, count * hcct_timer_interval);
    hcct_snapshot_look();
}

void hcct_timer_take(const siginfo_t *info, const void *context)
{
    int saved = errno;
    take(by_events ? 1 : 1 + (uint32_t)info->si_overrun, context);
    if (by_events)
        hcct_event_go_on(outermost());
    errno = saved;
}

void hcct_timer_take_put_off(void)
{
    uint32_t count = put_off;
    put_off -= count;
    if (!count)
        return;
    hcct_burst_next_unit();
    hcct_sample_take(NULL, count * hcct_timer_interval);
    hcct_snapshot_look();
}

/* --- threads --------------------------------------------------------------------------------------- */

static bool start_timer(int *timer)
{
    struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = hcct_timer_signal };
    struct timespec interval = { .tv_sec = (time_t)(hcct_timer_interval / SECOND_NS),
                                 .tv_nsec = (long)(hcct_timer_interval % SECOND_NS) };
    struct itimerspec setting = { interval, interval };
    event.sigev_value.sival_ptr = &timer_mark;
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    if (syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, timer) != 0)
        return false;
    return syscall(SYS_timer_settime, *timer, 0, &setting, NULL) == 0;
}

void hcct_timer_begin_thread(struct hcct_worker *worker)
{
    static atomic_bool said;
    int saved = errno;
    if (!hcct_timer_signal || !worker || worker->outer || worker->has_timer)
        return;
    hcct_busy_enter();
    worker->has_timer = by_events ? hcct_event_begin(worker, hcct_timer_signal) : start_timer(&worker->timer);
    hcct_burst_begin_thread(worker);
    hcct_busy_leave();
    if (!worker->has_timer && !atomic_exchange(&said, true))
        HCCT_SAY(1, "a thread has no timer (see ulimit -i and -n), and is not sampled");
    errno = saved;
}

void hcct_timer_end_thread(struct hcct_worker *worker)
{
    int saved = errno;
    if (worker->has_timer && by_events)
        hcct_event_end(worker);
    else if (worker->has_timer)
        syscall(SYS_timer_delete, worker->timer);
    worker->has_timer = false;
    errno = saved;
}

void hcct_timer_after_fork(void)
{
    for (struct hcct_worker *worker = hcct_worker_first(); worker; worker = worker->next) {
        if (worker->has_timer && by_events) /* the parent's, as this process has it too */
            hcct_event_end(worker);
        worker->has_timer = false;
    }
    put_off = 0;
    hcct_burst_after_fork();
    struct hcct_worker *worker = hcct_worker_current();
    while (worker && worker->outer) /* a handler forked */
        worker = worker->outer;
    hcct_timer_begin_thread(worker);
}

/* --- start ----------------------------------------------------------------------------------------- */

/* Timers of CPU time are looked at once a tick of the kernel's. */
static void set_interval(bool samples)
{
    struct timespec tick = { 0, 0 };
    char text[24];
    clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
    hcct_timer_interval = samples              ? SECOND_NS / hcct_options.frequency
                             : hcct_options.burst ? hcct_burst_unit_ns()
                                                  : hcct_snapshot_look_ns();
    if (hcct_timer_interval >= (uint64_t)tick.tv_nsec)
        return;
    hcct_timer_interval = (uint64_t)tick.tv_nsec;
    snprintf(text, sizeof text, "%ld", SECOND_NS / tick.tv_nsec);
    if (samples)
        HCCT_SAY(1, hcct_sample_metric(), "this system's tick allows ", text, " samples a second");
}

void hcct_timer_start(void)
{
    bool samples = hcct_sample_start();
    if (!samples && !hcct_options.burst && !hcct_options.snapshot_ns)
        return;
    hcct_timer_signal = hcct_signals_take_one();
    if (!hcct_timer_signal) {
        HCCT_SAY(1, samples              ? hcct_sample_metric()
                    : hcct_options.burst ? "burst: "
                                         : "snapshot: ",
                 "no signal is free: ",
                 samples              ? "no CPU time is counted"
                 : hcct_options.burst ? "all calls are counted"
                                      : "there is only the profile of the end");
        hcct_options.burst = HCCT_BURST_OFF;
        return;
    }
    by_events = samples && hcct_options.event;
    if (by_events)
        hcct_timer_interval = hcct_options.period;
    else
        set_interval(samples);
    hcct_timer_begin_thread(hcct_worker_self());
}
