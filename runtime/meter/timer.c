/* See timer.h. */
#define _GNU_SOURCE
#include "runtime/meter/timer.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/boundary/signals.h"
#include "runtime/core/options.h"
#include "runtime/meter/burst.h"
#include "runtime/meter/cpu_time.h"
#include "runtime/meter/event.h"
#include "runtime/meter/strides.h"
#include "runtime/output/snapshot.h"

int hcct_timer_signal;
uint64_t hcct_timer_interval;
static bool by_events; /* event.c: not of timers */
/* Bursts are measured by a counter of CPU time, and the timer only looks whether that is still there. */
static bool by_counters;
static char timer_mark; /* its address is in every signal of ours */
static _Thread_local volatile uint32_t put_off;

enum { SECOND_NS = 1000000000, LOOK_NS = 100000000 };

/* --- clocks ---------------------------------------------------------------------------------------- */

uint64_t hcct_timer_clock_ns(clockid_t clock)
{
    struct timespec now;
    int saved = errno;
    bool known = syscall(SYS_clock_gettime, clock, &now) == 0;
    errno = saved;
    return known ? (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec : 0;
}

/* The kernel's encoding of a thread's clock (pthread_getcpuclockid). */
uint64_t hcct_timer_cpu_ns(pid_t thread)
{
    return hcct_timer_clock_ns((clockid_t)(~(unsigned)thread << 3 | 6));
}

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
    if (info->si_code == SI_TIMER)
        return info->si_value.sival_ptr == &timer_mark;
    return (by_events || by_counters) && hcct_event_is_ours(info);
}

/* While busy, to the end: a handler of the program's that runs in between may leave by a jump, and a counter
 * that nobody tells to go on is silent for ever. `context` NULL: of those that were put off. */
static void take(uint32_t count, const void *context)
{
    hcct_burst_go_on();
    hcct_acct_tick();
    hcct_sample_take(context, count * hcct_timer_interval);
    hcct_snapshot_look();
    if (by_events || by_counters)
        hcct_event_go_on(outermost(), hcct_burst_wait_ns());
}

static bool set_timer(int timer, uint64_t ns)
{
    struct timespec interval = { .tv_sec = (time_t)(ns / SECOND_NS), .tv_nsec = (long)(ns % SECOND_NS) };
    struct itimerspec setting = { interval, interval };
    return syscall(SYS_timer_settime, timer, 0, &setting, NULL) == 0;
}

/* Of a thread whose counter is gone, the timer is what measures its bursts from now on. */
static bool needs_no_tick(struct hcct_worker *worker)
{
    if (!by_counters || !worker || !worker->has_counter)
        return false;
    if (hcct_busy || hcct_event_counts(worker))
        return true;
    set_timer(worker->timer, hcct_burst_unit_ns(false));
    worker->has_counter = false;
    return false;
}

void hcct_timer_take(const siginfo_t *info, const void *context)
{
    bool is_tick = info->si_code == SI_TIMER;
    uint32_t count = is_tick ? 1 + (uint32_t)info->si_overrun : 1;
    int saved = errno;
    if (is_tick && needs_no_tick(outermost()))
        count = 0;
    if (count && hcct_busy) { /* the context is the same when the thread leaves the profiler */
        put_off += count;
        hcct_deferred = true;
    } else if (count) {
        hcct_busy_enter();
        take(count, context);
        hcct_busy_leave();
    }
    errno = saved;
}

void hcct_timer_take_put_off(void)
{
    int saved = errno;
    if (!put_off)
        return;
    hcct_busy_enter();
    uint32_t count = put_off;
    put_off = 0;
    if (count) /* else a handler in between took them */
        take(count, NULL);
    hcct_busy_leave();
    errno = saved;
}

/* --- threads --------------------------------------------------------------------------------------- */

static bool start_timer(int *timer, uint64_t interval)
{
    struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = hcct_timer_signal };
    event.sigev_value.sival_ptr = &timer_mark;
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    if (syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, timer) != 0)
        return false;
    return set_timer(*timer, interval);
}

static void start(struct hcct_worker *worker)
{
    worker->has_timer = by_events || start_timer(&worker->timer, hcct_timer_interval);
    /* without a timer a counter's signal may be none either, but SIGIO */
    if ((by_events || by_counters) && worker->has_timer)
        hcct_event_begin(worker, hcct_timer_signal);
    if (by_events)
        worker->has_timer = worker->has_counter;
    else if (by_counters && worker->has_timer && !worker->has_counter)
        set_timer(worker->timer, hcct_burst_unit_ns(false));
}

void hcct_timer_begin_thread(struct hcct_worker *worker)
{
    static atomic_bool said;
    int saved = errno;
    if (!hcct_timer_signal || !worker || worker->outer || worker->has_timer)
        return;
    hcct_busy_enter();
    start(worker);
    hcct_burst_begin_thread(worker);
    if (worker->has_counter)
        hcct_event_go_on(worker, hcct_burst_wait_ns());
    hcct_acct_begin_thread(worker);
    hcct_busy_leave();
    if (!worker->has_timer && !atomic_exchange(&said, true))
        HCCT_SAY(1, "a thread has no timer (see ulimit -i and -n), and is not sampled");
    errno = saved;
}

void hcct_timer_end_thread(struct hcct_worker *worker)
{
    int saved = errno;
    hcct_event_end(worker);
    if (worker->has_timer && !by_events)
        syscall(SYS_timer_delete, worker->timer);
    worker->has_timer = false;
    errno = saved;
}

void hcct_timer_after_fork(void)
{
    for (struct hcct_worker *worker = hcct_worker_first(); worker; worker = worker->next) {
        hcct_event_end(worker); /* the parent's, as this process has it too */
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
        return (struct purpose){ "burst: ", "all calls are counted",
                                 by_counters ? LOOK_NS : hcct_burst_unit_ns(false), false };
    return (struct purpose){ "snapshot: ", "there is only the profile of the end", hcct_snapshot_look_ns(),
                             false };
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
    by_counters =
        hcct_options.burst && !samples && !ticks && hcct_event_choose_time(hcct_burst_unit_ns(true));
    struct purpose purpose = purpose_of_timers(samples);
    hcct_timer_signal = hcct_signals_take_one();
    if (!hcct_timer_signal) {
        HCCT_SAY(1, purpose.name, "no signal is free: ", purpose.without);
        hcct_options.burst = HCCT_BURST_OFF;
        hcct_options.sample = ticks ? HCCT_ACCT_OFF : hcct_options.sample;
        hcct_worker_choose_slots();
        return;
    }
    if (hcct_options.burst)
        hcct_burst_start(by_counters);
    by_events = samples && hcct_options.event;
    if (by_events)
        hcct_timer_interval = hcct_options.period;
    else
        set_interval(&purpose);
    hcct_timer_begin_thread(hcct_worker_self());
}
