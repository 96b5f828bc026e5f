/* See timer.h. */
#define _GNU_SOURCE
#include "runtime/meter/ticks/timer.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/confined.h"
#include "runtime/base/random.h"
#include "runtime/base/say.h"

int hcct_timer_signal;
static struct hcct_ticks chosen;
static uint64_t interval;      /* what a tick stands for: nanoseconds, or events */
static uint64_t kernel_tick;   /* nanoseconds */
static void (*look)(void);     /* is called in each tick; or NULL */
static char timer_mark;        /* its address is in every signal of our timers */
static uint64_t look_interval; /* of a second timer, if the ticks are rarer, or come from events; else 0 */
static char look_mark;         /* its address is in the signals of that one */
/* ticks that came while the thread was busy, and whether a look is due */
static _Thread_local volatile struct {
    uint32_t ticks;
    bool look;
} put_off;

enum { SECOND_NS = 1000000000 };

/* --- clocks ---------------------------------------------------------------------------------------- */

uint64_t hcct_timer_clock_ns(clockid_t clock)
{
    struct timespec now;
    int saved = errno;
    bool known = syscall(SYS_clock_gettime, clock, &now) == 0;
    errno = saved;
    return known ? (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec : 0;
}

/* The clock id is the kernel's encoding of a thread's CPU clock (pthread_getcpuclockid). */
uint64_t hcct_timer_cpu_ns(pid_t thread)
{
    return hcct_timer_clock_ns((clockid_t)(~(unsigned)thread << 3 | 6));
}

/* --- the signal ------------------------------------------------------------------------------------ */

static bool has_counters(void)
{
    return chosen.by_events || chosen.by_counters;
}

bool hcct_timer_uses(int signal)
{
    return signal && hcct_timer_signal &&
           (signal == hcct_timer_signal || (signal == SIGIO && has_counters()));
}

static bool is_of_stopped_counter(const siginfo_t *info)
{
    int saved = errno;
    struct hcct_block *block = hcct_block_outermost();
    bool is_it = info->si_code == SI_KERNEL && !hcct_confined && block &&
                 hcct_counter_is_stopped(&hcct_timer_of(block)->counter);
    errno = saved;
    return is_it;
}

/* A counter is stopped, too, while its own signal waits. */
bool hcct_timer_leaves_to_program(int signal)
{
    sigset_t waiting;
    if (signal != SIGIO || hcct_confined)
        return false;
    if (hcct_busy.depth || put_off.look || hcct_counter_hold.is_on)
        return true;
    int saved = errno;
    sigpending(&waiting);
    errno = saved;
    return sigismember(&waiting, hcct_timer_signal) == 1;
}

bool hcct_timer_is_ours(int signal, const siginfo_t *info)
{
    if (!hcct_timer_uses(signal))
        return false;
    if (signal == SIGIO)
        return is_of_stopped_counter(info);
    if (info->si_code == SI_TIMER)
        return info->si_value.sival_ptr == &timer_mark || info->si_value.sival_ptr == &look_mark;
    return has_counters() && hcct_counter_is_ours(info);
}

/* A thread's first sample comes at random within an interval, and stands for a whole one, as all do. So the
 * samples of threads that live shorter than that are right in the mean, too. */
static uint64_t first_interval(void)
{
    uint64_t parts = interval < UINT32_MAX ? interval : UINT32_MAX;
    return chosen.are_samples ? interval / parts * (1 + hcct_random_below(parts)) : interval;
}

/* Lets the thread's counter run, at first or again. */
static void go_on(struct hcct_block *block, bool is_first)
{
    if (!block || !has_counters())
        return;
    struct hcct_timer_thread *own = hcct_timer_of(block);
    uint64_t period = chosen.next ? chosen.next() : 0;
    if (chosen.are_samples && is_first)
        period = first_interval();
    else if (own->is_first)
        period = interval;
    own->is_first = is_first && chosen.are_samples;
    hcct_counter_go_on(&own->counter, period);
}

/* Handles `count` ticks, and looks. The thread stays busy to the end: otherwise a handler of the program
 * could run in between and leave by a jump, and the counter would not run again. `context` NULL: the ticks
 * waited. */
static void take(uint32_t count, const void *context)
{
    if (count && chosen.interval_ns) /* 0: the ticks are there for `look` only */
        chosen.take(context, count * interval);
    if (look)
        look();
    if (count)
        go_on(hcct_block_outermost(), false);
}

static struct timespec time_of(uint64_t ns)
{
    return (struct timespec){ .tv_sec = (time_t)(ns / SECOND_NS), .tv_nsec = (long)(ns % SECOND_NS) };
}

static bool set_timer(int timer, uint64_t first_ns, uint64_t ns)
{
    struct itimerspec setting = { time_of(ns), time_of(first_ns) };
    return syscall(SYS_timer_settime, timer, 0, &setting, NULL) == 0;
}

/* Whether the counter sends the ticks, and this signal of the timer only checks the counter. If the counter
 * is gone, the timer sends the ticks from now on. */
static bool is_only_look(struct hcct_block *block)
{
    struct hcct_timer_thread *own = block ? hcct_timer_of(block) : NULL;
    if (!chosen.by_counters || !own || !own->counter.is_open)
        return false;
    if (hcct_busy.depth || hcct_counter_is_whole(&own->counter))
        return true;
    set_timer(own->timer, chosen.without_counters_ns, chosen.without_counters_ns);
    own->counter.is_open = false;
    return false;
}

void hcct_timer_take(const siginfo_t *info, const void *context)
{
    if (hcct_confined)
        return;
    bool is_timer = info->si_code == SI_TIMER;
    uint32_t count = is_timer ? 1 + (uint32_t)info->si_overrun : 1;
    int saved = errno;
    if (is_timer && (info->si_value.sival_ptr == &look_mark || is_only_look(hcct_block_outermost())))
        count = 0;
    if (hcct_busy.depth) { /* when the thread leaves the profiler, its context is still the same */
        put_off.ticks += count;
        put_off.look = true;
        hcct_busy.deferred = true;
    } else {
        hcct_busy_enter();
        take(count, context);
        hcct_busy_leave();
    }
    errno = saved;
}

void hcct_timer_take_put_off(void)
{
    int saved = errno;
    if (!put_off.look)
        return;
    hcct_busy_enter();
    uint32_t count = put_off.ticks;
    bool was_alternate = hcct_busy.stack_is_alternate, is_due = put_off.look;
    put_off.ticks = 0;
    put_off.look = false;
    hcct_busy.stack_is_alternate = true; /* as in the handler that put them off */
    if (is_due)                          /* not: a handler that ran before hcct_busy_enter took them */
        take(count, NULL);
    hcct_busy.stack_is_alternate = was_alternate;
    hcct_busy_leave();
    errno = saved;
}

/* --- threads --------------------------------------------------------------------------------------- */

/* The kernel sees that a timer has expired in its next tick, half a tick late on average. A thread that ends
 * before that gets no signal, so the first one is due that much earlier. */
static uint64_t first_expiry(void)
{
    uint64_t first = first_interval(), late = chosen.are_samples ? kernel_tick / 2 : 0;
    return first > late ? first - late : 1;
}

static bool start_timer(int *timer, void *mark, uint64_t first_ns, uint64_t ns)
{
    struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = hcct_timer_signal };
    event.sigev_value.sival_ptr = mark;
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    if (syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, timer) != 0)
        return false;
    return set_timer(*timer, first_ns, ns);
}

static void start(struct hcct_timer_thread *own)
{
    own->has_timer = chosen.by_events || start_timer(&own->timer, &timer_mark, first_expiry(), interval);
    if (look_interval && !own->has_look_timer)
        own->has_look_timer = start_timer(&own->look_timer, &look_mark, look_interval, look_interval);
    if (has_counters() && own->has_timer) /* the timer notices if the program closes the counter's file */
        hcct_counter_open(&own->counter, hcct_timer_signal);
    if (chosen.by_events)
        own->has_timer = own->counter.is_open;
    else if (chosen.by_counters && own->has_timer && !own->counter.is_open)
        set_timer(own->timer, chosen.without_counters_ns, chosen.without_counters_ns);
}

void hcct_timer_begin_thread(struct hcct_block *block)
{
    static atomic_bool said;
    int saved = errno;
    if (!hcct_timer_signal || !block || block->outer || hcct_timer_of(block)->has_timer)
        return;
    hcct_busy_enter();
    start(hcct_timer_of(block));
    if (chosen.begin_thread)
        chosen.begin_thread(block);
    go_on(block, true);
    hcct_busy_leave();
    hcct_timer_of(block)->is_untimed = !hcct_timer_of(block)->has_timer;
    if (!hcct_timer_of(block)->has_timer && !atomic_exchange(&said, true))
        HCCT_SAY(1, "a thread has no timer (see ulimit -i and -n), and is not sampled");
    errno = saved;
}

void hcct_timer_end_thread(struct hcct_block *block)
{
    struct hcct_timer_thread *own = hcct_timer_of(block);
    int saved = errno;
    hcct_counter_close(&own->counter);
    if (own->has_timer && !chosen.by_events)
        syscall(SYS_timer_delete, own->timer);
    if (own->has_look_timer)
        syscall(SYS_timer_delete, own->look_timer);
    own->has_timer = own->has_look_timer = own->is_untimed = false;
    own->missed_ns = 0;
    errno = saved;
}

void hcct_timer_stop_after_fork(void)
{
    for (struct hcct_block *block = hcct_block_first(); block; block = block->next) {
        hcct_counter_close(&hcct_timer_of(block)->counter); /* the child has the parent's descriptor, too */
        hcct_timer_of(block)->has_timer = hcct_timer_of(block)->has_look_timer = false;
        hcct_timer_of(block)->is_untimed = false;
        hcct_timer_of(block)->missed_ns = 0;
    }
    put_off.ticks = 0;
    put_off.look = false;
}

/* --- start ----------------------------------------------------------------------------------------- */

/* The kernel looks at timers of CPU time once in each of its own ticks: a shorter interval is raised to
 * that. */
static void set_interval(uint64_t ns)
{
    struct timespec tick = { 0, 0 };
    char text[24];
    interval = ns;
    clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
    kernel_tick = (uint64_t)tick.tv_nsec;
    if (chosen.by_events || interval >= kernel_tick)
        return;
    interval = kernel_tick;
    snprintf(text, sizeof text, "%ld", SECOND_NS / tick.tv_nsec);
    if (chosen.is_frequency)
        HCCT_SAY(1, hcct_meter->name, "this system's tick allows ", text, " samples a second");
}

bool hcct_timer_start(const struct hcct_ticks *ticks, int (*take_signal)(bool by_counters), uint64_t look_ns,
                      void (*look_after)(void))
{
    chosen = *ticks;
    look = look_after;
    if (!chosen.interval_ns && !look)
        return true;
    hcct_timer_signal = take_signal(has_counters());
    if (!hcct_timer_signal) {
        HCCT_SAY(1, chosen.interval_ns ? hcct_meter->name : "snapshot: ", "no signal is free: ",
                 chosen.interval_ns ? chosen.without : "there is only the profile of the end");
        return false;
    }
    hcct_block_is_needed = true;
    set_interval(chosen.interval_ns ? chosen.interval_ns : look_ns);
    if (look && (chosen.by_events || interval > look_ns))
        look_interval = look_ns;
    hcct_timer_begin_thread(hcct_block_self());
    return true;
}

static void end_thread(struct hcct_block *block)
{
    if (hcct_meter->threads && hcct_meter->threads->end)
        hcct_meter->threads->end(block);
    hcct_timer_end_thread(block);
}

const struct hcct_thread_hooks hcct_thread_hooks = { hcct_timer_begin_thread, end_thread };
