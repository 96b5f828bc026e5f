/* See burst.h. Cost: a signal for each unit, and a look at all slots at the end of a burst: some 20 us. */
#include "runtime/burst.h"

#include <time.h>

#include "runtime/count.h"
#include "runtime/options.h"
#include "runtime/random.h"
#include "runtime/timer.h"

_Thread_local volatile bool hcct_burst_pausing, hcct_burst_opening;

/* Under the table lock, as all statistics. */
static struct hcct_file_bursts observed;

/* The calling thread's place in its interval. */
static _Thread_local struct {
    uint64_t at, chosen; /* units */
} place;

static uint64_t units_per_interval = 1, unit_ns;

/* --- the contexts that bursts began in ------------------------------------------------------------ */

enum { ENOUGH = 4, AGAIN = 8, OPENINGS_LOG2 = 13 };

/* Under the table lock. One that takes the place of another begins anew: then it is counted more often than need be. */
static struct opening {
    uint64_t word;
    uint64_t bursts;
} openings[1 << OPENINGS_LOG2];

static struct opening *opening_of(uint64_t word)
{
    struct opening *opening = &openings[word * UINT64_C(0x9e3779b97f4a7c15) >> (64 - OPENINGS_LOG2)];
    if (opening->word != word)
        *opening = (struct opening){ .word = word };
    return opening;
}

/* --- units ----------------------------------------------------------------------------------------- */

/* Timers of CPU time are looked at once a tick of the kernel's; a longer unit keeps its share of the interval. */
uint64_t hcct_burst_unit_ns(void)
{
    struct timespec tick = { 0, 0 };
    clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
    units_per_interval = hcct_options.burst_interval_ns / hcct_options.burst_length_ns;
    unit_ns = hcct_options.burst_length_ns;
    if (unit_ns < (uint64_t)tick.tv_nsec)
        unit_ns = (uint64_t)tick.tv_nsec;
    return unit_ns;
}

uint64_t hcct_burst_scale(void)
{
    return hcct_options.burst ? units_per_interval : 1;
}

static struct hcct_worker *outermost(struct hcct_worker *worker)
{
    while (worker && worker->outer)
        worker = worker->outer;
    return worker;
}

/* A level for handlers, which its thread may be adding (thread.c). */
static struct hcct_worker *inner_of(const struct hcct_worker *worker)
{
    return __atomic_load_n(&worker->inner, __ATOMIC_ACQUIRE);
}

static void set_weight(struct hcct_worker *worker, uint64_t weight)
{
    for (; worker; worker = inner_of(worker))
        worker->weight = weight;
}

static uint64_t counted_calls(const struct hcct_worker *worker)
{
    uint64_t calls = 0;
    for (; worker; worker = inner_of(worker))
        calls += worker->calls;
    return calls;
}

static void add_burst(struct hcct_file_bursts *to, const struct hcct_worker *worker)
{
    uint64_t calls = counted_calls(worker) - worker->burst_calls;
    double estimate = (double)(calls * worker->weight * units_per_interval);
    to->bursts++;
    to->calls += calls;
    to->estimate += estimate;
    to->squares += estimate * estimate;
}

/* `worker`: the outermost one. Under the table lock. */
static void end_burst(struct hcct_worker *worker)
{
    if (!worker->in_burst)
        return;
    for (struct hcct_worker *level = worker; level; level = inner_of(level))
        hcct_count_drain(level);
    add_burst(&observed, worker);
    worker->in_burst = false;
}

static void begin_unit(struct hcct_worker *worker)
{
    if (!place.at)
        place.chosen = hcct_random_below(units_per_interval);
    bool chosen = place.at == place.chosen && hcct_tables.running;
    place.at = place.at + 1 == units_per_interval ? 0 : place.at + 1;
    observed.units++;
    if (chosen) {
        set_weight(worker, 1);
        worker->burst_calls = counted_calls(worker);
        worker->in_burst = true;
    }
    hcct_burst_opening = chosen && hcct_options.burst == HCCT_BURST_ADAPTIVE;
    hcct_burst_pausing = !chosen;
}

void hcct_burst_begin_thread(struct hcct_worker *worker)
{
    if (!hcct_options.burst)
        return;
    hcct_table_lock();
    if (!worker->has_timer) {
        observed.untimed++;
        hcct_burst_pausing = true;
    } else {
        place.at = 0;
        begin_unit(worker);
    }
    hcct_table_unlock();
    hcct_worker_choose_slots();
}

void hcct_burst_next_unit(void)
{
    struct hcct_worker *worker = outermost(hcct_worker_current());
    if (!hcct_options.burst || !worker || !worker->has_timer)
        return;
    hcct_busy_enter();
    hcct_table_lock();
    end_burst(worker);
    begin_unit(worker);
    hcct_table_unlock();
    hcct_worker_choose_slots();
    hcct_busy_leave();
}

void hcct_burst_arrive(struct hcct_worker *worker, uint64_t word)
{
    if (!hcct_burst_opening || !(worker = outermost(worker)))
        return;
    hcct_busy_enter();
    hcct_table_lock();
    struct opening *opening = opening_of(word);
    bool known = opening->bursts >= ENOUGH;
    if (known && hcct_random_below(AGAIN)) {
        observed.skipped++;
        worker->in_burst = false;
        hcct_burst_pausing = true;
    } else {
        set_weight(worker, known ? AGAIN : 1);
        opening->bursts++;
    }
    hcct_burst_opening = false;
    hcct_table_unlock();
    hcct_busy_leave();
}

void hcct_burst_end_thread(struct hcct_worker *worker)
{
    end_burst(worker);
}

void hcct_burst_after_fork(void)
{
    hcct_burst_pausing = hcct_burst_opening = false;
    for (struct hcct_worker *worker = hcct_worker_first(); worker; worker = worker->next) {
        worker->weight = 1;
        worker->in_burst = false;
    }
    if (hcct_options.burst)
        hcct_worker_choose_slots();
}

/* --- statistics ------------------------------------------------------------------------------------ */

void hcct_burst_reset(void)
{
    observed = (struct hcct_file_bursts){ 0 };
    if (!hcct_options.burst)
        return;
    for (struct hcct_worker *worker = hcct_worker_first(); worker; worker = worker->next)
        worker->burst_calls = counted_calls(worker);
}

/* With the bursts that are under way. */
struct hcct_file_bursts hcct_burst_observed(void)
{
    struct hcct_file_bursts now = observed;
    for (const struct hcct_worker *worker = hcct_worker_first(); worker; worker = worker->next)
        if (worker->in_burst)
            add_burst(&now, worker);
    now.interval_ns = unit_ns * units_per_interval;
    now.length_ns = unit_ns;
    now.is_adaptive = hcct_options.burst == HCCT_BURST_ADAPTIVE;
    return now;
}
