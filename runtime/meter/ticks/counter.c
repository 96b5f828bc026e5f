/* See counter.h. Counters have high descriptors, so that the program's own get the same numbers as without
 * the profiler. */
#define _GNU_SOURCE
#include "runtime/meter/ticks/counter.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/meter/ticks/exec.h"

static struct {
    uint32_t type;
    uint64_t config, period;
} chosen;

/* All counters have descriptors from this one on. So a signal is known to be a counter's, even the last
 * signal of a counter that was closed. */
static int lowest_file = INT_MAX;

/* Opens a stopped counter for the calling thread. Returns its descriptor, or -1. */
static int open_stopped(void)
{
    struct perf_event_attr attributes = { .type = chosen.type,
                                          .size = sizeof attributes,
                                          .config = chosen.config,
                                          .sample_period = chosen.period,
                                          .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED,
                                          .disabled = 1,
                                          .exclude_kernel = 1,
                                          .exclude_hv = 1,
                                          .wakeup_events = 1 };
    return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

bool hcct_counter_choose(uint32_t type, uint64_t config, uint64_t period)
{
    enum { HIGH = 1 << 16 }; /* as in hcct_file_move_up */
    struct rlimit limit = { 0, 0 };
    chosen.type = type;
    chosen.config = config;
    chosen.period = period;
    getrlimit(RLIMIT_NOFILE, &limit);
    lowest_file = limit.rlim_cur / 2 < HIGH ? (int)(limit.rlim_cur / 2) : HIGH;
    int file = open_stopped();
    if (file < 0)
        return false;
    syscall(SYS_close, file);
    hcct_exec_start();
    return true;
}

static int move_up(int file)
{
    int moved = fcntl(file, F_DUPFD_CLOEXEC, lowest_file);
    syscall(SYS_close, file);
    return moved;
}

void hcct_counter_open(struct hcct_counter *counter, int signal)
{
    int file = open_stopped();
    if (file >= 0)
        file = move_up(file);
    if (file < 0)
        return;
    struct f_owner_ex owner = { F_OWNER_TID, (pid_t)syscall(SYS_gettid) };
    counter->file = file;
    bool good = ioctl(file, PERF_EVENT_IOC_ID, &counter->id) == 0 && fcntl(file, F_SETOWN_EX, &owner) == 0 &&
                fcntl(file, F_SETSIG, signal) == 0 && fcntl(file, F_SETFL, O_ASYNC | O_NONBLOCK) == 0;
    if (!good)
        syscall(SYS_close, file);
    counter->is_open = good;
}

bool hcct_counter_is_whole(const struct hcct_counter *counter)
{
    uint64_t id;
    return counter->is_open && ioctl(counter->file, PERF_EVENT_IOC_ID, &id) == 0 && id == counter->id;
}

void hcct_counter_pause(const struct hcct_counter *counter)
{
    if (hcct_counter_is_whole(counter))
        ioctl(counter->file, PERF_EVENT_IOC_DISABLE, 0);
}

void hcct_counter_resume(const struct hcct_counter *counter)
{
    if (hcct_counter_is_whole(counter))
        ioctl(counter->file, PERF_EVENT_IOC_ENABLE, 0);
}

void hcct_counter_close(struct hcct_counter *counter)
{
    if (hcct_counter_is_whole(counter))
        syscall(SYS_close, counter->file);
    counter->is_open = false;
}

bool hcct_counter_is_ours(const siginfo_t *info)
{
    return (info->si_code == POLL_HUP || info->si_code == POLL_IN) && info->si_fd >= lowest_file;
}

/* The time for which the counter ran does not advance while it is stopped. */
bool hcct_counter_is_stopped(const struct hcct_counter *counter)
{
    struct {
        uint64_t count, ran_ns;
    } first, second;
    return hcct_counter_is_whole(counter) && read(counter->file, &first, sizeof first) == sizeof first &&
           read(counter->file, &second, sizeof second) == sizeof second && first.ran_ns == second.ran_ns;
}

_Thread_local struct hcct_counter_hold hcct_counter_hold;

void hcct_counter_go_on(const struct hcct_counter *counter, uint64_t period)
{
    if (hcct_counter_hold.is_on) {
        hcct_counter_hold.goes_on = true;
        hcct_counter_hold.period = period;
        return;
    }
    if (!hcct_counter_is_whole(counter))
        return;
    if (period)
        ioctl(counter->file, PERF_EVENT_IOC_PERIOD, &period);
    ioctl(counter->file, PERF_EVENT_IOC_REFRESH, 1);
}
