/* See timer.h. */
#define _GNU_SOURCE
#include "runtime/timer.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/acct.h"
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
    hcct_acct_tick();
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
    hcct_acct_tick();
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
    hcct_acct_begin_thread(worker);
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
    hcct_acct_after_fork();
    struct hcct_worker *worker = hcct_worker_current();
    while (worker && worker->outer) /* a handler forked */
        worker = worker->outer;
    hcct_timer_begin_thread(worker);
}

/* --- start ----------------------------------------------------------------------------------------- */

/* What the timers are for. */
struct purpose {
    const char *name;
    const char *without; /* what is so without them */
    uint64_t interval_ns;
    bool by_frequency;
};

static struct purpose purpose_of_timers(bool samples)
{
    uint64_t by_frequency = SECOND_NS / hcct_options.frequency;
    if (samples)
        return (struct purpose){ hcct_sample_metric(), "no CPU time is counted", by_frequency, true };
    if (hcct_options.sample == HCCT_ACCT_TIMER)
        return (struct purpose){ "sample=timer: ", "all calls are counted", by_frequency, true };
    if (hcct_options.burst)
        return (struct purpose){ "burst: ", "all calls are counted", hcct_burst_unit_ns(), false };
    return (struct purpose){ "snapshot: ", "there is only the profile of the end", hcct_snapshot_look_ns(), false };
}

/* Timers of CPU time are looked at once a tick of the kernel's. */
static void set_interval(const struct purpose *purpose)
{
    struct timespec tick = { 0, 0 };
    char text[24];
    clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
    hcct_timer_interval = purpose->interval_ns;
    if (hcct_timer_interval >= (uint64_t)tick.tv_nsec)
        return;
    hcct_timer_interval = (uint64_t)tick.tv_nsec;
    snprintf(text, sizeof text, "%ld", SECOND_NS / tick.tv_nsec);
    if (purpose->by_frequency)
        HCCT_SAY(1, purpose->name, "this system's tick allows ", text, " samples a second");
}

void hcct_timer_start(void)
{
    bool samples = hcct_sample_start(), ticks = hcct_options.sample == HCCT_ACCT_TIMER;
    if (!samples && !ticks && !hcct_options.burst && !hcct_options.snapshot_ns)
        return;
    struct purpose purpose = purpose_of_timers(samples);
    hcct_timer_signal = hcct_signals_take_one();
    if (!hcct_timer_signal) {
        HCCT_SAY(1, purpose.name, "no signal is free: ", purpose.without);
        hcct_options.burst = HCCT_BURST_OFF;
        hcct_options.sample = ticks ? HCCT_ACCT_OFF : hcct_options.sample;
        hcct_worker_choose_slots();
        return;
    }
    by_events = samples && hcct_options.event;
    if (by_events)
        hcct_timer_interval = hcct_options.period;
    else
        set_interval(&purpose);
    hcct_timer_begin_thread(hcct_worker_self());
}
