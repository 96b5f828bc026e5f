/* See burst.h. Cost of a burst: two signals, a prefetch of all slots at its start, a walk over them at its
 * end. */
#include "runtime/meter/burst.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <time.h>

#include "format/divide.h"
#include "runtime/base/machine.h"
#include "runtime/base/random.h"
#include "runtime/base/real.h"
#include "runtime/core/tables.h"
#include "runtime/count/chains.h"
#include "runtime/count/count.h"
#include "runtime/count/grow.h"
#include "runtime/count/miss.h"
#include "runtime/meter/sampled/budget.h"
#include "runtime/meter/sampled/variance.h"
#include "runtime/meter/settings.h"
#include "runtime/meter/ticks/timer.h"

/* The statistics, under the table lock. The file has doubles in place of the two sums. */
static struct observed {
    struct hcct_file_estimate file;
    uint64_t estimate;
    unsigned __int128 squares;
} observed;

/* The calling thread is in a burst, or between two; or all its calls are counted. */
static _Thread_local struct {
    enum stretch { BURST, GAP, WHOLE } stretch;
    uint64_t left;   /* by timer: units until the next stretch; by counter: units of the whole stretch */
    uint64_t behind; /* units of the interval that follow its burst */
    uint64_t units;  /* of the interval */
} place;

enum { WHOLE_UNITS = 10 }; /* between two looks at the price, while all calls are counted */

/* A unit of time, unless the system measures in longer ones. */
enum { UNIT_NS = 2000000 };
static uint64_t unit_ns;

struct burst_thread {
    bool has_bursts, in_burst;
    bool is_whole;  /* all calls are counted */
    uint64_t start; /* `calls` of all levels of the thread when its burst began, or when is_whole was set */
    struct hcct_variance_list list;
    struct hcct_budget_thread budget;
    uint64_t locked, locked_ticks; /* calls that took the lock, and the machine's ticks that they took */
    struct hcct_budget_work past;  /* at the last look: sums of numbers and times */
};

static struct burst_thread *burst_of(struct hcct_block *block)
{
    return hcct_meter_state(block);
}

/* The next handler level. Pairs with the store in hcct_block_enter_level: the thread may be adding one. */
static struct hcct_block *inner_of(const struct hcct_block *block)
{
    return __atomic_load_n(&block->inner, __ATOMIC_ACQUIRE);
}

/* --- the price of counting ------------------------------------------------------------------------- */

/* Machine ticks: of 1024 hits, and those at start with the time then. */
static uint64_t ticks_of_1024_hits, start_ticks, start_ns;

/* What a hit does, many times over. The shortest of some tries, in which no other process ran. */
static void measure_hits(void)
{
    enum { TRIES = 5, HITS = 4096, PLACES = 256 };
    static volatile struct hcct_slot slots[PLACES];
    ticks_of_1024_hits = UINT64_MAX;
    for (int try = 0; try < TRIES; try++) {
        uint64_t begin = hcct_machine_ticks();
        for (uint64_t i = 0; i < HITS; i++) {
            uint32_t at = hcct_slot_of(i * HCCT_ID_UNIT) % PLACES;
            if (slots[at].key == 0)
                slots[at].count++;
        }
        uint64_t length = (hcct_machine_ticks() - begin) * 1024 / HITS;
        ticks_of_1024_hits = length < ticks_of_1024_hits ? length : ticks_of_1024_hits;
    }
    start_ticks = hcct_machine_ticks();
    start_ns = hcct_timer_clock_ns(CLOCK_MONOTONIC);
}

static uint64_t ns_of(uint64_t ticks)
{
    uint64_t all = hcct_machine_ticks() - start_ticks, ns = hcct_timer_clock_ns(CLOCK_MONOTONIC) - start_ns;
    return (uint64_t)hcct_quotient((unsigned __int128)ticks * ns, all ? all : 1);
}

/* The calls of the level so far: those that the tables have, and those that are still in slots. */
static uint64_t calls_of_level(struct hcct_block *level)
{
    struct hcct_tally *tally = hcct_tally_of(level);
    uint64_t calls = tally->calls;
    for (uint32_t i = 0; i <= level->last_slot; i++)
        if (tally->slots[i].key)
            calls += __atomic_load_n(&tally->slots[i].count, __ATOMIC_RELAXED) -
                     hcct_tally_side(tally, i)->drained;
    return calls;
}

/* All that the thread has counted so far. `block` is its outermost. */
static struct hcct_budget_work work_so_far(struct hcct_block *block)
{
    struct hcct_budget_work sum = { .time = hcct_timer_clock_ns(CLOCK_THREAD_CPUTIME_ID) };
    struct burst_thread *own = burst_of(block);
    for (struct hcct_block *level = block; level; level = inner_of(level)) {
        sum.hits += calls_of_level(level);
        sum.batched += hcct_tally_of(level)->missed;
    }
    sum.hits -= sum.batched + own->locked;
    sum.locked = own->locked_ticks;
    /* way 3 of count/miss.c is open while calls weigh 1 */
    if (hcct_tally_of(block)->batch.in_place)
        sum.in_place = hcct_grow_in_place(hcct_tally_of(block));
    return sum;
}

/* 0: a sum went back, as counting was off or began anew. */
static uint64_t since(uint64_t now, uint64_t past)
{
    return (int64_t)(now - past) > 0 ? now - past : 0;
}

/* After a stretch of time in which all was counted: decides how the next ones count. */
static void look_at_price(struct hcct_block *block)
{
    struct burst_thread *own = burst_of(block);
    struct hcct_budget_work now = work_so_far(block), past = own->past;
    struct hcct_budget_work work = { since(now.hits, past.hits), since(now.batched, past.batched),
                                     since(now.in_place, past.in_place),
                                     ns_of(since(now.locked, past.locked)), since(now.time, past.time) };
    own->past = now;
    hcct_budget_decide(&own->budget, hcct_budget_price(&work, ns_of(ticks_of_1024_hits)), work.time,
                       hcct_meter_settings.budget);
}

/* A call that took the lock. If another process ran meanwhile, its time is not the price of the call. */
static void take_call(struct hcct_block *block, uint64_t word, const struct hcct_state *state, uintptr_t sp)
{
    enum { MOST_HITS = 1 << 16 };
    hcct_busy_enter();
    hcct_tables_lock();
    struct burst_thread *own = burst_of(hcct_block_outermost());
    uint64_t begin = hcct_machine_ticks(), most = ticks_of_1024_hits * (MOST_HITS / 1024);
    hcct_miss_count(hcct_tally_of(block), word, state, sp);
    uint64_t length = hcct_machine_ticks() - begin;
    own->locked++;
    own->locked_ticks += length < most ? length : most;
    hcct_tables_unlock();
    hcct_busy_leave();
}

/* --- units ----------------------------------------------------------------------------------------- */

/* The least unit: with counters, below LEAST_NS the signals would cost more than the bursts save. The kernel
 * looks at timers of CPU time once in each of its ticks. */
static uint64_t unit_length_ns(bool by_counters)
{
    enum { LEAST_NS = 100000 };
    struct timespec tick = { 0, LEAST_NS };
    if (!by_counters)
        clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
    return UNIT_NS < tick.tv_nsec ? (uint64_t)tick.tv_nsec : UNIT_NS;
}

/* Calls that weigh more than 1 are not counted in place. */
static void set_weight(struct hcct_block *block, uint64_t weight)
{
    for (; block; block = inner_of(block)) {
        hcct_chains_set_weight(hcct_tally_of(block), weight);
        __atomic_store_n(&hcct_tally_of(block)->batch.in_place, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&hcct_tally_of(block)->batch.known_limit, 0, __ATOMIC_RELAXED);
    }
}

/* The calls of all levels of the thread, so far. */
static uint64_t counted(struct hcct_block *block)
{
    uint64_t sum = 0;
    for (; block; block = inner_of(block))
        sum += hcct_tally_of(block)->calls;
    return sum;
}

/* Adds the thread's burst up to now. Returns its calls, with their weight. */
static uint64_t add_burst(struct observed *to, struct hcct_block *block)
{
    uint64_t calls = counted(block) - burst_of(block)->start, estimate = calls * hcct_tally_of(block)->weight;
    to->file.samples++;
    to->file.calls += calls;
    to->estimate += estimate;
    to->squares += (unsigned __int128)estimate * estimate;
    return estimate;
}

/* The same for calls outside of bursts. */
static void add_whole(struct observed *to, struct hcct_block *block)
{
    to->file.calls += counted(block) - burst_of(block)->start;
    to->file.whole += counted(block) - burst_of(block)->start;
}

/* Adds what the thread's burst has counted so far to the tables and the statistics. `block` is the thread's
 * outermost. Under the table lock, like begin_stretch and begin_gap. */
static void account(struct hcct_block *block)
{
    struct burst_thread *own = burst_of(block);
    for (struct hcct_block *level = block; level && (own->in_burst || own->is_whole); level = inner_of(level))
        hcct_count_drain(hcct_tally_of(level));
    uint64_t calls = own->in_burst && hcct_tables.running ? add_burst(&observed, block) : 0;
    hcct_variance_end_burst(&own->list, calls);
    if (own->is_whole)
        add_whole(&observed, block);
    own->start = counted(block);
}

/* Fetches the slots into the cache before the burst, so that cache misses do not shorten it. */
static void fetch_slots(const struct hcct_block *block)
{
    enum { LINE_BYTES = 64 };
    for (uint32_t at = 0; at <= block->last_slot; at += LINE_BYTES / sizeof block->slots[0])
        hcct_machine_prefetch(&block->slots[at]);
}

/* What the thread did since the last `account` is not counted. */
static void begin_stretch(struct hcct_block *block, enum stretch stretch, uint64_t units)
{
    bool is_whole = stretch == WHOLE, counts = stretch == BURST && hcct_tables.running;
    place.stretch = stretch;
    place.left = units;
    observed.file.units += is_whole ? 0 : units;
    if (counts || is_whole)
        set_weight(block, is_whole ? 1 : place.units);
    if (counts)
        fetch_slots(block);
    burst_of(block)->in_burst = counts;
    burst_of(block)->is_whole = is_whole;
    hcct_meter_pauses = !counts && !is_whole;
    burst_of(block)->start = counted(block);
    if (is_whole)
        burst_of(block)->past = work_so_far(block);
}

static void begin_gap(struct hcct_block *block)
{
    place.units = hcct_budget_units(&burst_of(block)->budget, unit_ns, hcct_meter_settings.budget);
    uint64_t chosen = hcct_random_below(place.units), units = place.behind + chosen;
    place.behind = place.units - 1 - chosen;
    if (units)
        begin_stretch(block, GAP, units);
    else
        begin_stretch(block, BURST, 1);
}

static void begin_thread(struct hcct_block *block)
{
    hcct_tables_lock();
    place.behind = 0;
    burst_of(block)->has_bursts = hcct_timer_of(block)->has_timer;
    burst_of(block)->budget = (struct hcct_budget_thread){ 0 };
    begin_stretch(block, WHOLE, WHOLE_UNITS);
    hcct_tables_unlock();
    hcct_block_choose_slots();
}

static uint64_t next_tick(void)
{
    return place.left * unit_ns;
}

static void end_stretch(struct hcct_block *block)
{
    struct burst_thread *own = burst_of(block);
    enum stretch stretch = place.stretch;
    if (stretch == WHOLE)
        look_at_price(block);
    if (stretch == WHOLE && !own->budget.is_over) {
        place.left = WHOLE_UNITS;
        return;
    }
    uint64_t begin = hcct_timer_clock_ns(CLOCK_THREAD_CPUTIME_ID);
    account(block);
    if (stretch == BURST) {
        uint64_t end = hcct_timer_clock_ns(CLOCK_THREAD_CPUTIME_ID);
        hcct_budget_end_burst(&own->budget, since(end, begin));
    }
    if (stretch == BURST && !own->budget.is_over)
        begin_stretch(block, WHOLE, WHOLE_UNITS);
    else if (stretch == GAP)
        begin_stretch(block, BURST, 1);
    else
        begin_gap(block);
}

/* By counter: the stretch of the calling thread has ended. By timer: a unit of it has. */
static void tick(const void *context, uint64_t amount)
{
    struct hcct_block *block = hcct_block_outermost();
    (void)context;
    (void)amount;
    if (!block || !burst_of(block)->has_bursts || (!hcct_timer_of(block)->counter.is_open && --place.left))
        return;
    hcct_busy_enter();
    hcct_tables_lock();
    end_stretch(block);
    hcct_tables_unlock();
    hcct_block_choose_slots();
    hcct_busy_leave();
}

static void end_thread(struct hcct_block *block)
{
    if (!burst_of(block)->has_bursts && !burst_of(block)->is_whole)
        return;
    account(block);
    burst_of(block)->in_burst = burst_of(block)->has_bursts = burst_of(block)->is_whole = false;
}

static void account_all(void)
{
    for (struct hcct_block *block = hcct_block_first(); block; block = block->next)
        if (burst_of(block)->has_bursts || burst_of(block)->is_whole)
            account(block);
}

static void switch_running(bool runs)
{
    (void)runs;
    account_all();
}

static void after_fork(void)
{
    for (struct hcct_block *block = hcct_block_first(); block; block = block->next) {
        hcct_tally_of(block)->weight = 1;
        burst_of(block)->in_burst = burst_of(block)->has_bursts = burst_of(block)->is_whole = false;
        burst_of(block)->list.first = 0;
    }
    hcct_variance_reset();
    hcct_block_choose_slots();
}

/* A handler of another thread may end meanwhile. What its level counted is then of no burst. The loads pair
 * with the stores in hcct_block_enter_level and hcct_block_leave_level. */
static void added(struct hcct_block *block, uint64_t key, uint64_t calls)
{
    for (struct hcct_block *outer; (outer = __atomic_load_n(&block->outer, __ATOMIC_RELAXED));)
        block = outer;
    if (burst_of(block)->in_burst)
        hcct_variance_add(block, &burst_of(block)->list, key, calls);
}

/* --- statistics ------------------------------------------------------------------------------------ */

static void reset(bool torn)
{
    (void)torn;
    account_all();
    observed = (struct observed){ 0 };
    hcct_variance_reset();
}

/* The statistics, with the bursts that are under way. */
static struct hcct_file_estimate observe(void)
{
    struct observed now = observed;
    for (struct hcct_block *block = hcct_block_first(); block && hcct_tables.running; block = block->next)
        if (burst_of(block)->has_bursts && burst_of(block)->in_burst)
            add_burst(&now, block);
        else if (burst_of(block)->is_whole)
            add_whole(&now, block);
    /* the mean */
    now.file.interval_ns = unit_ns * (now.file.units / (now.file.samples ? now.file.samples : 1));
    now.file.length_ns = unit_ns;
    now.file.kind = HCCT_ESTIMATE_BUDGET;
    hcct_real_set(&now.file.sum, hcct_real_of(now.estimate, 0));
    hcct_real_set(&now.file.squares, hcct_real_of(now.squares, 0));
    return now.file;
}

/* By the bursts that have ended. */
static uint32_t trials(uint64_t key, uint64_t count)
{
    return hcct_variance_trials(key, count, hcct_count_calls(), observed.squares, observed.file.samples);
}

/* Whether any thread was, or is, between two bursts. */
static bool is_sampled(void)
{
    bool is_whole = true;
    for (struct hcct_block *block = hcct_block_first(); block && is_whole; block = block->next)
        is_whole = !burst_of(block)->has_bursts || burst_of(block)->is_whole;
    return observed.file.units || !is_whole;
}

/* --- the meter ------------------------------------------------------------------------------------- */

static bool has_budget(void)
{
    return hcct_meter_settings.budget != 0;
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
    unit_ns = unit_length_ns(by_counters);
    measure_hits();
    *ticks = (struct hcct_ticks){ .interval_ns = by_counters ? LOOK_NS : unit_ns,
                                  .by_counters = by_counters,
                                  .without_counters_ns = unit_length_ns(false),
                                  .without = "all calls are counted",
                                  .begin_thread = begin_thread,
                                  .take = tick,
                                  .next = next_tick };
    return true;
}

static const struct hcct_meter_file file = { .is_sampled = is_sampled,
                                             .observed = observe,
                                             .trials = trials };

static const struct hcct_meter_threads threads = { .bytes = sizeof(struct burst_thread), .end = end_thread };

const struct hcct_meter hcct_meter_budget = {
    .name = "budget: ",
    .is_chosen = has_budget,
    .calls.program = HCCT_CALLS_COUNT,
    .calls.take = take_call,
    .calls.added = added,
    .start = start,
    .switch_running = switch_running,
    .reset = reset,
    .after_fork = after_fork,
    .threads = &threads,
    .file = &file,
};
