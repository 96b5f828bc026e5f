/* See burst.h. Cost of a burst: two signals, a prefetch of all slots at its start, a walk over them at its
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
#include "runtime/meter/sampled/spread.h"
#include "runtime/meter/ticks/timer.h"

/* The statistics, under the table lock. The file has doubles in place of the two sums. */
static struct observed {
    struct hcct_file_bursts file;
    uint64_t estimate;
    unsigned __int128 squares;
} observed;

/* The calling thread is in a burst, or between two. */
static _Thread_local struct {
    enum phase { BURST, GAP } phase;
    uint64_t left;   /* by timer: units until the next phase; by counter: units of the whole phase */
    uint64_t behind; /* units of the interval that follow its burst */
} place;

static uint64_t units_per_interval = 1, unit_ns;

struct burst_thread {
    bool has_bursts, in_burst;
    uint64_t start; /* `calls` of all levels of the thread when its burst began */
    struct hcct_spread_list list;
};

static struct burst_thread *burst_of(struct hcct_block *block)
{
    return hcct_meter_state(block);
}

/* --- the functions that bursts began in ------------------------------------------------------------ */

enum { KNOWN_AFTER = 4, KEEP_ONE_IN = 8, OPENINGS_LOG2 = 13 };

/* The function of a burst's first call, and its number of bursts. Under the table lock. A function that takes
 * the place of another starts at 0, so more of its bursts are counted than necessary. */
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

/* The least unit: with counters, below LEAST_NS the signals would cost more than the bursts save. The kernel
 * looks at timers of CPU time once in each of its ticks. A unit that is raised keeps its share of the
 * interval. */
static uint64_t unit_length_ns(bool by_counters)
{
    enum { LEAST_NS = 100000 };
    struct timespec tick = { 0, LEAST_NS };
    if (!by_counters)
        clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
    uint64_t unit = hcct_options.burst_length_ns;
    return unit < (uint64_t)tick.tv_nsec ? (uint64_t)tick.tv_nsec : unit;
}

/* The next handler level. Pairs with the store in hcct_block_enter_level: the thread may be adding one. */
static struct hcct_block *inner_of(const struct hcct_block *block)
{
    return __atomic_load_n(&block->inner, __ATOMIC_ACQUIRE);
}

static void set_weight(struct hcct_block *block, uint64_t weight)
{
    for (; block; block = inner_of(block))
        block->weight = weight;
}

/* The calls of all levels of the thread, so far. */
static uint64_t counted(const struct hcct_block *block)
{
    uint64_t sum = 0;
    for (; block; block = inner_of(block))
        sum += block->calls;
    return sum;
}

/* Adds the thread's burst up to now. Returns its calls, with their weight. */
static uint64_t add_burst(struct observed *to, struct hcct_block *block)
{
    uint64_t calls = counted(block) - burst_of(block)->start, estimate = calls * block->weight;
    to->file.bursts++;
    to->file.calls += calls;
    to->estimate += estimate;
    to->squares += (unsigned __int128)estimate * estimate;
    return estimate;
}

/* Adds what the thread's burst has counted so far to the tables and the statistics. `block` is the thread's
 * outermost. Under the table lock, like begin_phase and begin_gap. */
static void account(struct hcct_block *block)
{
    for (struct hcct_block *level = block; level && burst_of(block)->in_burst; level = inner_of(level))
        hcct_block_drain(level);
    uint64_t calls = burst_of(block)->in_burst && hcct_tables.running ? add_burst(&observed, block) : 0;
    hcct_spread_end_burst(&burst_of(block)->list, calls);
    burst_of(block)->start = counted(block);
}

/* Fetches the slots into the cache before the burst, so that cache misses do not shorten it. */
static void fetch_slots(const struct hcct_block *block)
{
    enum { LINE_BYTES = 64 };
    for (uint32_t at = 0; at <= block->last_slot; at += LINE_BYTES / sizeof block->slots[0])
        __builtin_prefetch(&block->slots[at], 1, 2);
}

/* What the thread did since the last `account` is not counted. */
static void begin_phase(struct hcct_block *block, enum phase phase, uint64_t units)
{
    bool counts = phase == BURST && hcct_tables.running;
    place.phase = phase;
    place.left = units;
    observed.file.units += units;
    if (counts) {
        set_weight(block, 1);
        fetch_slots(block);
    }
    burst_of(block)->in_burst = counts;
    hcct_meter_asks = counts && hcct_options.burst == HCCT_BURST_ADAPTIVE;
    hcct_meter_pauses = !counts;
    burst_of(block)->start = counted(block);
}

static void begin_gap(struct hcct_block *block)
{
    uint64_t chosen = hcct_random_below(units_per_interval), units = place.behind + chosen;
    place.behind = units_per_interval - 1 - chosen;
    if (units)
        begin_phase(block, GAP, units);
    else
        begin_phase(block, BURST, 1);
}

static void begin_thread(struct hcct_block *block)
{
    hcct_tables_lock();
    if (!hcct_timer_of(block)->has_timer) {
        observed.file.untimed++;
        hcct_meter_pauses = true;
    } else {
        place.behind = 0;
        burst_of(block)->has_bursts = true;
        begin_gap(block);
    }
    hcct_tables_unlock();
    hcct_block_choose_slots();
}

static uint64_t next_tick(void)
{
    return place.left * unit_ns;
}

/* By counter: the phase of the calling thread has ended. By timer: a unit of it has. */
static void tick(const void *context, uint64_t amount)
{
    struct hcct_block *block = hcct_block_outermost();
    (void)context;
    (void)amount;
    if (!block || !burst_of(block)->has_bursts || (!hcct_timer_of(block)->counter.is_open && --place.left))
        return;
    hcct_busy_enter();
    hcct_tables_lock();
    account(block);
    if (place.phase == BURST)
        begin_gap(block);
    else
        begin_phase(block, BURST, 1);
    hcct_tables_unlock();
    hcct_block_choose_slots();
    hcct_busy_leave();
}

/* burst=adaptive: the burst's first call tells its function, and decides whether it is counted. */
static void first_call(struct hcct_block *block, const struct hcct_state *state)
{
    if (!(block = hcct_block_outermost()))
        return;
    hcct_busy_enter();
    hcct_tables_lock();
    struct opening *opening = opening_of(state);
    bool known = opening->bursts >= KNOWN_AFTER;
    if (known && hcct_random_below(KEEP_ONE_IN)) {
        observed.file.skipped++;
        burst_of(block)->in_burst = false;
        hcct_meter_pauses = true;
    } else {
        set_weight(block, known ? KEEP_ONE_IN : 1);
        opening->bursts++;
    }
    hcct_meter_asks = false;
    hcct_tables_unlock();
    hcct_busy_leave();
}

static void end_thread(struct hcct_block *block)
{
    if (!burst_of(block)->has_bursts)
        return;
    account(block);
    burst_of(block)->in_burst = burst_of(block)->has_bursts = false;
}

static void switch_running(void)
{
    for (struct hcct_block *block = hcct_block_first(); block; block = block->next)
        if (burst_of(block)->has_bursts)
            account(block);
}

static void after_fork(void)
{
    for (struct hcct_block *block = hcct_block_first(); block; block = block->next) {
        block->weight = 1;
        burst_of(block)->in_burst = burst_of(block)->has_bursts = false;
        burst_of(block)->list.first = 0;
    }
    hcct_spread_reset();
    hcct_block_choose_slots();
}

/* A handler of another thread may end meanwhile. What its level counted is then of no burst. The loads pair
 * with the stores in hcct_block_enter_level and hcct_block_leave_level. */
static void added(struct hcct_block *block, uint64_t key, uint64_t calls)
{
    for (struct hcct_block *outer; (outer = __atomic_load_n(&block->outer, __ATOMIC_RELAXED));)
        block = outer;
    if (burst_of(block)->in_burst)
        hcct_spread_add(block, &burst_of(block)->list, key, calls);
}

/* --- statistics ------------------------------------------------------------------------------------ */

static void reset(void)
{
    switch_running();
    observed = (struct observed){ 0 };
    hcct_spread_reset();
}

/* The statistics, with the bursts that are under way. */
static struct hcct_file_bursts observe(void)
{
    struct observed now = observed;
    for (struct hcct_block *block = hcct_block_first(); block && hcct_tables.running; block = block->next)
        if (burst_of(block)->has_bursts && burst_of(block)->in_burst)
            add_burst(&now, block);
    now.file.interval_ns = unit_ns * units_per_interval;
    now.file.length_ns = unit_ns;
    now.file.is_adaptive = hcct_options.burst == HCCT_BURST_ADAPTIVE;
    hcct_real_set(&now.file.estimate, hcct_real_of((unsigned __int128)now.estimate * units_per_interval, 0));
    hcct_real_set(&now.file.squares, hcct_real_of(now.squares * units_per_interval * units_per_interval, 0));
    return now.file;
}

/* By the bursts that have ended. */
static uint32_t trials(uint64_t key)
{
    return hcct_spread_trials(key, observed.estimate, observed.squares, observed.file.bursts);
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
    .added = added,
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
    .trials = trials,
    .factor = factor,
};
