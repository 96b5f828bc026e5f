/* See event.h. */
#include "runtime/meter/event.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "format/names.h"
#include "runtime/base/say.h"
#include "runtime/core/tables.h"
#include "runtime/count/count.h"
#include "runtime/meter/sampler.h"
#include "runtime/meter/ticks/timer.h"
#include "runtime/objects/leaf.h"

enum {
#define HCCT_EVENT(symbol, name) EVENT_##symbol,
#include "format/names.def"
#include "runtime/meter/settings.h"
    EVENT_COUNT
};

/* `type` and `config` are those of perf_event_open. `period` events are a sample: a prime number, so that no
 * loop keeps in step with it. For page faults 1 is too short: the signal comes before the fault is served,
 * and the kernel then counts the fault again, for ever. */
struct hcct_event {
    uint32_t type;
    uint64_t config, period;
};

enum { OFTEN = 1000003, SELDOM = 10007 };

static const struct hcct_event events[EVENT_COUNT] = {
    [EVENT_PAGE_FAULTS] = { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 2 },
    [EVENT_MINOR_FAULTS] = { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, 2 },
    [EVENT_MAJOR_FAULTS] = { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, 2 },
    [EVENT_CYCLES] = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, OFTEN },
    [EVENT_INSTRUCTIONS] = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, OFTEN },
    [EVENT_BRANCHES] = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, OFTEN },
    [EVENT_BRANCH_MISSES] = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, SELDOM },
    [EVENT_CACHE_REFERENCES] = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, SELDOM },
    [EVENT_CACHE_MISSES] = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, SELDOM },
};

const struct hcct_event *hcct_event_find(const char *name)
{
    int event = hcct_name_find(hcct_event_names, name);
    return event < 0 ? NULL : &events[event];
}

const char *hcct_event_name(const struct hcct_event *event)
{
    return hcct_event_names[event - events];
}

uint64_t hcct_event_period(const struct hcct_event *event)
{
    return event->period;
}

/* Whether the system can count the event. Warns if not. */
static bool choose(const struct hcct_event *event)
{
    int saved = errno;
    bool there = hcct_counter_choose(event->type, event->config, hcct_meter_settings.period);
    if (!there)
        HCCT_SAY(1, "metric=", hcct_event_name(event),
                 errno == EACCES || errno == EPERM
                     ? ": the system forbids it "
                       "(/proc/sys/kernel/perf_event_paranoid, seccomp): nothing is counted"
                     : ": this machine has no counter for it: nothing is counted "
                       "(metric=time needs none)");
    errno = saved;
    return there;
}

/* If the thread could get no counter, or the program closed it, one sample is counted as lost: how many are
 * missing is not known. */
static void note_closed(struct hcct_block *block)
{
    static bool said;
    struct hcct_counter *counter = &hcct_timer_of(block)->counter;
    if (hcct_timer_of(block)->is_untimed)
        __atomic_fetch_add(&hcct_tables.dropped_interrupted, hcct_meter_settings.period, __ATOMIC_RELAXED);
    hcct_timer_of(block)->is_untimed = false;
    if (!counter->is_open || hcct_counter_is_whole(counter))
        return;
    counter->is_open = false;
    __atomic_fetch_add(&hcct_tables.dropped_interrupted, hcct_meter_settings.period, __ATOMIC_RELAXED);
    if (!said)
        HCCT_SAY(1, "metric=", hcct_event_name(hcct_meter_settings.event),
                 ": the program closed a thread's counter, and what followed is missing");
    said = true;
}

static void note_all_closed(void)
{
    for (struct hcct_block *block = hcct_block_first(); block; block = block->next)
        note_closed(block);
}

static bool is_chosen(void)
{
    return hcct_meter_settings.event != NULL;
}

static char name[64] = "metric=";

static bool start(struct hcct_ticks *ticks)
{
    strcat(strcat(name, hcct_event_name(hcct_meter_settings.event)), ": ");
    *ticks = (struct hcct_ticks){ .interval_ns = hcct_meter_settings.period,
                                  .are_samples = true,
                                  .by_events = true,
                                  .without = "no CPU time is counted",
                                  .take = hcct_sampler_take };
    return hcct_sampler_start() && choose(hcct_meter_settings.event);
}

static const struct hcct_meter_threads threads = { .end = note_closed };

const struct hcct_meter hcct_meter_event = {
    .name = name,
    .is_chosen = is_chosen,
    .start = start,
    .flush = note_all_closed,
    .threads = &threads,
    .file = &hcct_sampler_file,
};
