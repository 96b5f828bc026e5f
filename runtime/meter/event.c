/* See event.h. The descriptors are high ones, out of the way of the program's own. */
#define _GNU_SOURCE
#include "runtime/meter/event.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/core/options.h"
#include "runtime/count/count.h"

/* The period where none is given: a prime number, with which no loop agrees. `least`: what leaves the program
 * time to go on between two signals. Each fault would not: the kernel leaves one that it has to try again to
 * the signal, and counts it anew, for ever. */
struct hcct_event {
    const char *name;
    uint32_t type;
    uint64_t config, period, least;
};

enum { OFTEN = 1000003, SELDOM = 10007, LEAST = 10000 };

static const struct hcct_event events[] = {
    { "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 2, 2 },
    { "minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, 2, 2 },
    { "major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, 2, 2 },
    { "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, OFTEN, LEAST },
    { "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, OFTEN, LEAST },
    { "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, OFTEN, LEAST },
    { "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, SELDOM, LEAST },
    { "cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, SELDOM, LEAST },
    { "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, SELDOM, LEAST },
};

const struct hcct_event *hcct_event_find(const char *name)
{
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        if (strcmp(events[i].name, name) == 0)
            return &events[i];
    return NULL;
}

const char *hcct_event_name(const struct hcct_event *event)
{
    return event->name;
}

uint64_t hcct_event_period(const struct hcct_event *event, uint64_t wanted)
{
    return !wanted ? event->period : wanted < event->least ? event->least : wanted;
}

/* Of burst.h. */
static const struct hcct_event cpu_time = { "cpu-time", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 0, 0 };

/* What is counted. */
static const struct hcct_event *chosen;
static uint64_t chosen_period;

/* Descriptors of counters are not below; by which their signals are known, also the last one of a counter
 * that is closed. */
static int lowest_file = INT_MAX;

/* A stopped counter of the calling thread, or -1. */
static int open_counter(void)
{
    struct perf_event_attr attributes = { .type = chosen->type,
                                          .size = sizeof attributes,
                                          .config = chosen->config,
                                          .sample_period = chosen_period,
                                          .disabled = 1,
                                          .exclude_kernel = 1,
                                          .exclude_hv = 1,
                                          .wakeup_events = 1 };
    return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Whether the system counts it. */
static bool choose(const struct hcct_event *event, uint64_t period)
{
    struct rlimit limit = { 0, 0 };
    chosen = event;
    chosen_period = period;
    int file = open_counter();
    getrlimit(RLIMIT_NOFILE, &limit);
    lowest_file = limit.rlim_cur > 1 << 20 ? 1 << 19 : (int)(limit.rlim_cur / 2);
    if (file >= 0)
        syscall(SYS_close, file);
    return file >= 0;
}

bool hcct_event_choose_time(uint64_t period_ns)
{
    int saved = errno;
    bool there = choose(&cpu_time, period_ns);
    errno = saved;
    return there;
}

bool hcct_event_is_there(void)
{
    int saved = errno;
    bool there = choose(hcct_options.event, hcct_options.period);
    if (!there)
        HCCT_SAY(1, "metric=", hcct_options.event->name,
                 errno == EACCES || errno == EPERM
                     ? ": the system forbids it (/proc/sys/kernel/perf_event_paranoid, seccomp): nothing is "
                       "counted"
                     : ": this machine has no counter for it: nothing is counted (metric=time needs none)");
    errno = saved;
    return there;
}

static int move_up(int file)
{
    int moved = fcntl(file, F_DUPFD_CLOEXEC, lowest_file);
    syscall(SYS_close, file);
    return moved;
}

void hcct_event_begin(struct hcct_worker *worker, int signal)
{
    int file = open_counter();
    if (file >= 0)
        file = move_up(file);
    if (file < 0)
        return;
    struct f_owner_ex owner = { F_OWNER_TID, (pid_t)syscall(SYS_gettid) };
    worker->counter = file;
    bool good = ioctl(file, PERF_EVENT_IOC_ID, &worker->event_id) == 0 &&
                fcntl(file, F_SETOWN_EX, &owner) == 0 && fcntl(file, F_SETSIG, signal) == 0 &&
                fcntl(file, F_SETFL, O_ASYNC | O_NONBLOCK) == 0;
    if (!good)
        syscall(SYS_close, file);
    worker->has_counter = good;
}

/* The program may have closed it, and have another file by that number. */
bool hcct_event_counts(const struct hcct_worker *worker)
{
    uint64_t id;
    return worker->has_counter && ioctl(worker->counter, PERF_EVENT_IOC_ID, &id) == 0 &&
           id == worker->event_id;
}

/* A sample at the least is missing. Bursts go on by a timer. */
void hcct_event_note_closed(struct hcct_worker *worker)
{
    static bool said;
    if (!worker->has_counter || chosen != hcct_options.event || hcct_event_counts(worker))
        return;
    worker->has_counter = false;
    __atomic_fetch_add(&hcct_tables.dropped_interrupted, chosen_period, __ATOMIC_RELAXED);
    if (!said)
        HCCT_SAY(1, "metric=", hcct_options.event->name,
                 ": the program closed a thread's counter, and what followed is missing");
    said = true;
}

void hcct_event_end(struct hcct_worker *worker)
{
    if (hcct_event_counts(worker))
        syscall(SYS_close, worker->counter);
    worker->has_counter = false;
}

bool hcct_event_is_ours(const siginfo_t *info)
{
    return (info->si_code == POLL_HUP || info->si_code == POLL_IN) && info->si_fd >= lowest_file;
}

void hcct_event_go_on(const struct hcct_worker *worker, uint64_t period)
{
    if (!worker || !hcct_event_counts(worker))
        return;
    if (period)
        ioctl(worker->counter, PERF_EVENT_IOC_PERIOD, &period);
    ioctl(worker->counter, PERF_EVENT_IOC_REFRESH, 1);
}
