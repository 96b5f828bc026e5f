/* See burst.h. Cost: two signals for each burst, all slots fetched at its beginning, and a look at all at its
 * end. */
#include "runtime/meter/burst.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <time.h>

#include "runtime/base/random.h"
#include "runtime/base/real.h"
#include "runtime/core/options.h"
#include "runtime/core/tables.h"
#include "runtime/count/count.h"
#include "runtime/meter/calls.h"
#include "runtime/meter/ticks/timer.h"

/* Under the table lock, as all statistics; what are doubles in the file are these sums. */
static struct observed {
    struct hcct_file_bursts file;
    uint64_t estimate;
    unsigned __int128 squares;
} observed;

/* Of the calling thread, which is in a burst, or between two. */
static _Thread_local struct {
    enum phase { BURST, GAP } phase;
    uint64_t left;   /* units until the next phase; with a counter, of the whole phase */
    uint64_t behind; /* units of the interval behind its burst */
} place;

static uint64_t units_per_interval = 1, unit_ns;

/* Of a thread. */
struct burst_thread {
    bool has_bursts, in_burst;
    uint64_t start; /* what `calls` of all its levels were when its burst began */
};

static struct burst_thread *burst_of(struct hcct_block *worker)
{
    return hcct_meter_state(worker);
}

/* --- the functions that bursts began in ----------------------------------------------------------- */

enum { ENOUGH = 4, AGAIN = 8, OPENINGS_LOG2 = 13 };

/* Under the table lock. One that takes the place of another begins anew: then it is counted more often than
 * need be. */
static struct opening {
    const struct hcct_state *state;
    uint64_t bursts;
} openings[1 << OPENINGS_LOG2];

static struct opening *opening_of(const struct hcct_state *state)
{
    struct opening *opening =
        &openings[(uintptr_t)state * UINT64_C(0x9e3779b97f4a7c15) >> (64 - OPENINGS_LOG2)];
    if (opening->state != state)
        *opening = (struct opening){ .state = state };
    return opening;
}

/* --- units ----------------------------------------------------------------------------------------- */

/* Counters that tell more often would cost more than is saved. Timers of CPU time are looked at once a tick
 * of the kernel's; a longer unit keeps its share of the interval. */
static uint64_t unit_length_ns(bool by_counters)
{
    enum { LEAST_NS = 100000 };
    struct timespec tick = { 0, LEAST_NS };
    if (!by_counters)
        clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
    uint64_t unit = hcct_options.burst_length_ns;
    return unit < (uint64_t)tick.tv_nsec ? (uint64_t)tick.tv_nsec : unit;
}

/* A level for handlers, which its thread may be adding (core/block.c). */
static struct hcct_block *inner_of(const struct hcct_block *worker)
{
    return __atomic_load_n(&worker->inner, __ATOMIC_ACQUIRE);
}

static void set_weight(struct hcct_block *worker, uint64_t weight)
{
    for (; worker; worker = inner_of(worker))
        worker->weight = weight;
}

/* The thread's calls, so far. */
static uint64_t counted(const struct hcct_block *worker)
{
    uint64_t sum = 0;
    for (; worker; worker = inner_of(worker))
        sum += worker->calls;
    return sum;
}

/* The burst of that block, up to now. */
static void add_burst(struct observed *to, struct hcct_block *worker)
{
    uint64_t calls = counted(worker) - burst_of(worker)->start, estimate = calls * worker->weight;
    to->file.bursts++;
    to->file.calls += calls;
    to->estimate += estimate;
    to->squares += (unsigned __int128)estimate * estimate;
}

/* The thread's burst so far is accounted for. Under the table lock, as the next ones; `worker`: the outermost
 * one. */
static void account(struct hcct_block *worker)
{
    for (struct hcct_block *level = worker; level && burst_of(worker)->in_burst; level = inner_of(level))
        hcct_block_drain(level);
    if (burst_of(worker)->in_burst && hcct_tables.running)
        add_burst(&observed, worker);
    burst_of(worker)->start = counted(worker);
}

/* The slots come near before the burst, whose time is to be the program's. */
static void fetch_slots(const struct hcct_block *worker)
{
    enum { LINE_BYTES = 64 };
    for (uint32_t at = 0; at <= worker->last_slot; at += LINE_BYTES / sizeof worker->slots[0])
        __builtin_prefetch(&worker->slots[at], 1, 2);
}

/* What the thread did since it was settled is not counted. */
static void begin_phase(struct hcct_block *worker, enum phase phase, uint64_t units)
{
    bool counts = phase == BURST && hcct_tables.running;
    place.phase = phase;
    place.left = units;
    observed.file.units += units;
    if (counts) {
        set_weight(worker, 1);
        fetch_slots(worker);
    }
    burst_of(worker)->in_burst = counts;
    hcct_meter_asks = counts && hcct_options.burst == HCCT_BURST_ADAPTIVE;
    hcct_meter_pauses = !counts;
    burst_of(worker)->start = counted(worker);
}

static void begin_gap(struct hcct_block *worker)
{
    uint64_t chosen = hcct_random_below(units_per_interval), units = place.behind + chosen;
    place.behind = units_per_interval - 1 - chosen;
    if (units)
        begin_phase(worker, GAP, units);
    else
        begin_phase(worker, BURST, 1);
}

static void begin_thread(struct hcct_block *worker)
{
    hcct_tables_lock();
    if (!hcct_timer_of(worker)->has_timer) {
        observed.file.untimed++;
        hcct_meter_pauses = true;
    } else {
        place.behind = 0;
        burst_of(worker)->has_bursts = true;
        begin_gap(worker);
    }
    hcct_tables_unlock();
    hcct_block_choose_slots();
}

static uint64_t next_tick(void)
{
    return place.left * unit_ns;
}

/* The phase of the calling thread has ended; where there is no counter, a unit of it. */
static void tick(const void *context, uint64_t amount)
{
    struct hcct_block *worker = hcct_block_outermost();
    (void)context;
    (void)amount;
    if (!worker || !burst_of(worker)->has_bursts || (!hcct_timer_of(worker)->counter.is_open && --place.left))
        return;
    hcct_busy_enter();
    hcct_tables_lock();
    account(worker);
    if (place.phase == BURST)
        begin_gap(worker);
    else
        begin_phase(worker, BURST, 1);
    hcct_tables_unlock();
    hcct_block_choose_slots();
    hcct_busy_leave();
}

/* Of a burst that may be left out, by what its function is. */
static void first_call(struct hcct_block *worker, const struct hcct_state *state)
{
    if (!(worker = hcct_block_outermost()))
        return;
    hcct_busy_enter();
    hcct_tables_lock();
    struct opening *opening = opening_of(state);
    bool known = opening->bursts >= ENOUGH;
    if (known && hcct_random_below(AGAIN)) {
        observed.file.skipped++;
        burst_of(worker)->in_burst = false;
        hcct_meter_pauses = true;
    } else {
        set_weight(worker, known ? AGAIN : 1);
        opening->bursts++;
    }
    hcct_meter_asks = false;
    hcct_tables_unlock();
    hcct_busy_leave();
}

static void end_thread(struct hcct_block *worker)
{
    if (!burst_of(worker)->has_bursts)
        return;
    account(worker);
    burst_of(worker)->in_burst = burst_of(worker)->has_bursts = false;
}

static void switch_running(void)
{
    for (struct hcct_block *worker = hcct_block_first(); worker; worker = worker->next)
        if (burst_of(worker)->has_bursts)
            account(worker);
}

static void after_fork(void)
{
    for (struct hcct_block *worker = hcct_block_first(); worker; worker = worker->next) {
        worker->weight = 1;
        burst_of(worker)->in_burst = burst_of(worker)->has_bursts = false;
    }
    hcct_block_choose_slots();
}

/* --- statistics ------------------------------------------------------------------------------------ */

static void reset(void)
{
    switch_running();
    observed = (struct observed){ 0 };
}

/* With the bursts that are under way. */
static struct hcct_file_bursts observe(void)
{
    struct observed now = observed;
    for (struct hcct_block *worker = hcct_block_first(); worker && hcct_tables.running; worker = worker->next)
        if (burst_of(worker)->has_bursts && burst_of(worker)->in_burst)
            add_burst(&now, worker);
    now.file.interval_ns = unit_ns * units_per_interval;
    now.file.length_ns = unit_ns;
    now.file.is_adaptive = hcct_options.burst == HCCT_BURST_ADAPTIVE;
    hcct_real_set(&now.file.estimate, hcct_real_of((unsigned __int128)now.estimate * units_per_interval, 0));
    hcct_real_set(&now.file.squares, hcct_real_of(now.squares * units_per_interval * units_per_interval, 0));
    return now.file;
}

static uint64_t factor(void)
{
    return units_per_interval;
}

/* --- the meter ------------------------------------------------------------------------------------- */

static bool is_chosen(void)
{
    return hcct_options.burst != HCCT_BURST_OFF;
}

static bool choose_counters(void)
{
    int saved = errno;
    bool there = hcct_counter_choose(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, unit_length_ns(true));
    errno = saved;
    return there;
}

static bool start(struct hcct_ticks *ticks)
{
    enum { LOOK_NS = 100000000 };
    bool by_counters = choose_counters();
    hcct_calls_say_uncounted();
    unit_ns = unit_length_ns(by_counters);
    units_per_interval = hcct_options.burst_interval_ns / hcct_options.burst_length_ns;
    *ticks = (struct hcct_ticks){ .interval_ns = by_counters ? LOOK_NS : unit_ns,
                                  .by_counters = by_counters,
                                  .without_counters_ns = unit_length_ns(false),
                                  .without = "all calls are counted" };
    return true;
}

const struct hcct_meter hcct_meter_burst = {
    .name = "burst: ",
    .is_chosen = is_chosen,
    .counts_calls = true,
    .slots = HCCT_SLOTS_HOLD_CALLS,
    .is_sampled = true,
    .first_call = first_call,
    .start = start,
    .switch_running = switch_running,
    .reset = reset,
    .after_fork = after_fork,
    .thread_bytes = sizeof(struct burst_thread),
    .begin_thread = begin_thread,
    .end_thread = end_thread,
    .tick = tick,
    .next_tick = next_tick,
    .observed = observe,
    .factor = factor,
};
