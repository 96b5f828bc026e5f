/* See burst.h. Cost: two signals for each burst, all slots fetched at its beginning, and a look at all at its end: some 20 us. */
#include "runtime/burst.h"

#include <time.h>

#include "runtime/clock.h"
#include "runtime/count.h"
#include "runtime/event.h"
#include "runtime/memory.h"
#include "runtime/options.h"
#include "runtime/random.h"
#include "runtime/timer.h"

_Thread_local volatile bool hcct_burst_pausing, hcct_burst_opening;
_Thread_local struct hcct_worker *volatile hcct_burst_census;

/* Under the table lock, as all statistics. */
static struct hcct_file_bursts observed;

/* Calls, with weights, and the program's time in which there were so many: of bursts, or of the census in front of them. Each census as if it was as
 * long as planned: where counting is dear less of the program fits into the same time, and that is where it calls often. */
struct rate {
    double calls, ns;
};
static struct rate rate;

/* Of the calling thread, which is in a burst, between two, or between these two. */
static _Thread_local struct {
    enum phase { BURST, GAP, CENSUS } phase;
    uint64_t left;   /* units until the next phase; with a counter, of the whole phase */
    uint64_t behind; /* units of the interval behind its burst */
} place;

static uint64_t units_per_interval = 1, unit_ns;

/* --- what counting takes ------------------------------------------------------------------------- */

/* Of a call in a census: what it takes in programs, of what it takes in a loop. The former is from N of four programs, which were run exactly, too (docs/sampling.md). */
#define CENSUS_FACTOR 1.8
/* From where on counting is dear, of a burst's time. */
#define DEAR 0.125

/* Nanoseconds of a call that is counted in its slot; what one takes longer whose slot is another's; of one in a census; of a tick of the clock. */
static double hit_ns, miss_ns, told_ns, tick_ns;
double hcct_burst_excess_ns = -1;

double hcct_burst_tick_ns(void)
{
    return tick_ns;
}

/* As the pass emits it. */
static __attribute__((noinline)) void enter(struct hcct_slot *const volatile *slots, uint64_t word)
{
    static struct hcct_state state;
    struct hcct_slot *table = *slots;
    if (!table)
        return;
    struct hcct_slot *slot = &table[hcct_slot_of(word)];
    if (__builtin_expect(slot->key != word, 0))
        __hcct_miss(HCCT_NOTHING_4, &state, word);
    else
        __atomic_store_n(&slot->count, __atomic_load_n(&slot->count, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

enum { WORDS = 8, CALLS = 400 };

/* Of CALLS calls, each of one of `contexts`, in an order that cannot be foretold. While busy, before there are threads or under the table lock. */
static uint64_t ticks_of_calls(struct hcct_worker *worker, uint64_t contexts)
{
    static uint64_t random = 1, words[CALLS];
    for (int i = 0; i < CALLS; i++) {
        random = random * UINT64_C(6364136223846793005) + 1;
        words[i] = HCCT_ID_FIRST + (random >> 32) % contexts;
    }
    __hcct_thread.slots = worker ? worker->slots : NULL;
    uint64_t start = hcct_clock_ticks();
    for (int i = 0; i < CALLS; i++)
        enter(&__hcct_thread.slots, words[i]);
    return hcct_clock_ticks() - start;
}

static void keep_least(uint64_t *least, uint64_t ticks)
{
    *least = ticks < *least ? ticks : *least;
}

/* One batch more of calls in a census: the least of all so far is what they take. At the start alone the machine may do something else meanwhile. */
static void measure_telling(struct hcct_worker *census)
{
    static uint64_t none = UINT64_MAX, all = UINT64_MAX;
    struct hcct_slot *slots = __hcct_thread.slots;
    keep_least(&none, ticks_of_calls(NULL, HCCT_SLOTS));
    keep_least(&all, ticks_of_calls(census, HCCT_SLOTS));
    __hcct_thread.slots = slots;
    census->batch.count = 0;
    told_ns = all > none ? CENSUS_FACTOR * (double)(all - none) * tick_ns / CALLS : 0;
}

/* The least of some batches in turns: what is interrupted is not it. `worker`: with WORDS slots, and room for CALLS misses; `empty`: for a census. */
static void measure_calls(struct hcct_worker *worker, struct hcct_worker *empty)
{
    enum { BATCHES = 64 };
    uint64_t none = UINT64_MAX, hits = UINT64_MAX, half = UINT64_MAX;
    struct hcct_slot *slots = __hcct_thread.slots;
    uint64_t ns = hcct_timer_clock_ns(CLOCK_MONOTONIC), ticks = hcct_clock_ticks();
    for (int batch = 0; batch < BATCHES; batch++) {
        keep_least(&none, ticks_of_calls(NULL, WORDS));
        keep_least(&hits, ticks_of_calls(worker, WORDS));
        keep_least(&half, ticks_of_calls(worker, 2 * WORDS));
        worker->batch.count = 0;
        measure_telling(empty);
    }
    tick_ns = (double)(hcct_timer_clock_ns(CLOCK_MONOTONIC) - ns) / (double)(hcct_clock_ticks() - ticks + 1);
    __hcct_thread.slots = slots;
    hit_ns = hits > none ? (double)(hits - none) * tick_ns / CALLS : 0;
    miss_ns = half > hits ? (double)(half - hits) * tick_ns / (CALLS / 2) : 0;
}

/* With one slot, which is empty and stays so. NULL: no memory. */
static struct hcct_worker *new_census(void)
{
    struct hcct_worker *worker = hcct_memory_reserve(sizeof *worker);
    if (worker)
        worker->batch.limit = HCCT_BATCH_KEYS;
    return worker;
}

void hcct_burst_start(bool by_counters)
{
    _Static_assert((int)CALLS <= (int)HCCT_BATCH_KEYS, "all may miss");
    struct hcct_worker *worker = hcct_memory_reserve(sizeof *worker), *empty = new_census();
    unit_ns = hcct_burst_unit_ns(by_counters);
    units_per_interval = hcct_options.burst_interval_ns / hcct_options.burst_length_ns;
    if (!worker || !empty) { /* the census is to have none either */
        hcct_memory_release(worker, sizeof *worker);
        hcct_memory_release(empty, sizeof *empty);
        return;
    }
    for (uint64_t word = HCCT_ID_FIRST; word < HCCT_ID_FIRST + WORDS; word++)
        worker->slots[hcct_slot_of(word)].key = word;
    worker->batch.limit = HCCT_BATCH_KEYS;
    worker->last_slot = HCCT_SLOTS - 1;
    hcct_busy_enter();
    measure_calls(worker, empty);
    hcct_busy_leave();
    hcct_memory_release(worker, sizeof *worker);
    hcct_memory_release(empty, sizeof *empty);
}

/* --- the functions that bursts began in ----------------------------------------------------------- */

enum { ENOUGH = 4, AGAIN = 8, OPENINGS_LOG2 = 13 };

/* Under the table lock. One that takes the place of another begins anew: then it is counted more often than need be. */
static struct opening {
    const struct hcct_state *state;
    uint64_t bursts;
} openings[1 << OPENINGS_LOG2];

static struct opening *opening_of(const struct hcct_state *state)
{
    struct opening *opening = &openings[(uintptr_t)state * UINT64_C(0x9e3779b97f4a7c15) >> (64 - OPENINGS_LOG2)];
    if (opening->state != state)
        *opening = (struct opening){ .state = state };
    return opening;
}

/* --- units ----------------------------------------------------------------------------------------- */

/* Counters that tell more often would cost more than is saved. Timers of CPU time are looked at once a tick of the kernel's; a longer unit keeps its
 * share of the interval. */
uint64_t hcct_burst_unit_ns(bool by_counters)
{
    enum { LEAST_NS = 100000 };
    struct timespec tick = { 0, LEAST_NS };
    if (!by_counters)
        clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
    uint64_t unit = hcct_options.burst_length_ns;
    return unit < (uint64_t)tick.tv_nsec ? (uint64_t)tick.tv_nsec : unit;
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

/* What the thread has run; 0: it ended. A counter stands still while its signal is delivered and handled; where it was closed the system's clock goes on. */
static uint64_t time_of(const struct hcct_worker *worker)
{
    uint64_t value;
    if (hcct_event_read(worker, &value))
        return value;
    uint64_t time = hcct_timer_cpu_ns(worker->thread);
    return time > worker->time_ahead ? time - worker->time_ahead : 0;
}

/* The thread's, so far. */
static struct hcct_burst_start counted(const struct hcct_worker *worker)
{
    struct hcct_burst_start sum = { 0 };
    for (; worker; worker = inner_of(worker)) {
        sum.calls += worker->calls;
        sum.missed += worker->missed;
        sum.missing += worker->missing;
    }
    return sum;
}

/* How long it ran since it was settled. What a phase takes longer than planned, and than one more interval, is left out: the kernel was at work for it, or
 * the host of a virtual machine elsewhere, and in a burst, which stands for ten times as long, that would count tenfold. */
static uint64_t passed_ns(const struct hcct_worker *worker, uint64_t time)
{
    uint64_t passed = time - worker->time_start, most = worker->phase_ns + unit_ns * units_per_interval;
    return passed < most ? passed : most;
}

/* What was counted of a phase that was not the program's. */
static double excess_of(const struct hcct_worker *worker)
{
    return worker->has_counter && hcct_burst_excess_ns > 0 ? hcct_burst_excess_ns : 0;
}

/* How much of the time that passed from one to the other counting took. That is not known well enough to be more than three quarters of it. */
static double counting_ns(const struct hcct_burst_start *from, const struct hcct_burst_start *to, double passed)
{
    double counting = hit_ns * (double)(to->calls - from->calls) + miss_ns * (double)(to->missed - from->missed) +
                      tick_ns * (double)(to->missing - from->missing);
    return counting < passed * 3 / 4 ? counting : passed * 3 / 4;
}

/* The calls of the census of this outermost block so far. */
static uint64_t told_by(const struct hcct_worker *worker)
{
    return __atomic_load_n(&worker->told, __ATOMIC_RELAXED) + (worker->census ? __atomic_load_n(&worker->census->batch.count, __ATOMIC_RELAXED) : 0);
}

/* The census up to now. */
static void add_census(struct hcct_file_bursts *to, struct rate *rates, const struct hcct_worker *worker, double passed)
{
    double calls = (double)(told_by(worker) - worker->told_start), telling = told_ns * calls, own;
    telling = telling < passed * 3 / 4 ? telling : passed * 3 / 4;
    own = passed - telling - excess_of(worker);
    to->time_ns -= telling;
    if (own < passed / 8)
        return;
    double planned = passed < (double)unit_ns ? passed : (double)unit_ns;
    rates->calls += calls * planned / own;
    rates->ns += planned;
}

/* The burst that began with worker->burst, up to now, of so much time. Returns what counting took of it: 0 to 1. */
static double add_burst(struct hcct_file_bursts *to, struct rate *rates, const struct hcct_worker *worker, double passed)
{
    const struct hcct_burst_start now = counted(worker);
    uint64_t calls = now.calls - worker->burst.calls;
    double estimate = (double)(calls * worker->weight), counting = counting_ns(&worker->burst, &now, passed);
    double own = passed - counting - excess_of(worker);
    to->bursts++;
    to->calls += calls;
    to->estimate += estimate;
    to->squares += estimate * estimate;
    to->time_ns -= counting;
    if (!worker->after_census && own > 0) {
        rates->calls += estimate;
        rates->ns += (double)worker->weight * own;
    }
    return counting / passed;
}

/* Up to now, of so much time, whatever the thread is in. */
static double add_phase(struct hcct_file_bursts *to, struct rate *rates, const struct hcct_worker *worker, double passed)
{
    double dear = worker->dear;
    if (worker->in_burst)
        dear += (add_burst(to, rates, worker, passed) - dear) / 16;
    else if (worker->in_census)
        add_census(to, rates, worker, passed);
    to->time_ns += passed - excess_of(worker);
    return dear;
}

static void drain(struct hcct_worker *worker)
{
    for (; worker; worker = inner_of(worker))
        hcct_count_drain(worker);
}

/* The thread's time up to now, and its burst so far, are accounted for. Under the table lock, as the next ones; `worker`: the outermost one. */
static void settle(struct hcct_worker *worker)
{
    uint64_t time = time_of(worker);
    time = time ? time : worker->time_start; /* it ended, nobody knows when */
    if (worker->in_burst)
        drain(worker);
    if (time > worker->time_start && hcct_tables.running)
        worker->dear = add_phase(&observed, &rate, worker, (double)passed_ns(worker, time));
    worker->told_start = told_by(worker);
    worker->time_start = time;
    worker->burst = counted(worker);
}

/* The slots come near before the burst, whose time is to be the program's. */
static void fetch_slots(const struct hcct_worker *worker)
{
    enum { LINE_BYTES = 64 };
    for (uint32_t at = 0; at <= worker->last_slot; at += LINE_BYTES / sizeof worker->slots[0])
        __builtin_prefetch(&worker->slots[at], 1, 2);
}

/* What the thread did since it was settled is not counted. */
static void begin_phase(struct hcct_worker *worker, enum phase phase, uint64_t units)
{
    bool counts = phase == BURST && hcct_tables.running, tells = phase == CENSUS && hcct_tables.running;
    worker->after_census = place.phase == CENSUS;
    place.phase = phase;
    place.left = units;
    observed.units += units;
    if (counts) {
        set_weight(worker, 1);
        fetch_slots(worker);
    }
    if (tells)
        measure_telling(worker->census);
    worker->in_burst = counts;
    worker->in_census = tells;
    hcct_burst_census = tells ? worker->census : NULL;
    hcct_burst_opening = counts && hcct_options.burst == HCCT_BURST_ADAPTIVE;
    hcct_burst_pausing = !counts && !tells;
    uint64_t value;
    if (hcct_event_read(worker, &value))
        worker->time_ahead = hcct_timer_cpu_ns(worker->thread) - value;
    worker->phase_ns = units * unit_ns;
    worker->time_start = time_of(worker);
    worker->burst = counted(worker);
    worker->told_start = told_by(worker);
}

/* The burst, or the census in front of it. */
static void begin_burst(struct hcct_worker *worker)
{
    bool is_dear = worker->dear > DEAR && place.phase != CENSUS;
    if (is_dear && !worker->census)
        worker->census = new_census();
    begin_phase(worker, is_dear && worker->census ? CENSUS : BURST, 1);
}

static void begin_gap(struct hcct_worker *worker)
{
    uint64_t chosen = hcct_random_below(units_per_interval), units = place.behind + chosen;
    place.behind = units_per_interval - 1 - chosen;
    if (units)
        begin_phase(worker, GAP, units);
    else
        begin_burst(worker);
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
        place.behind = 0;
        worker->time_ahead = 0;
        worker->dear = 0;
        worker->has_bursts = true;
        begin_gap(worker);
    }
    hcct_table_unlock();
    hcct_worker_choose_slots();
}

uint64_t hcct_burst_wait_ns(void)
{
    return place.left * unit_ns;
}

void hcct_burst_go_on(void)
{
    struct hcct_worker *worker = outermost(hcct_worker_current());
    if (!worker || !worker->has_bursts || (!worker->has_counter && --place.left))
        return;
    hcct_busy_enter();
    hcct_table_lock();
    settle(worker);
    if (place.phase == BURST)
        begin_gap(worker);
    else
        begin_burst(worker);
    hcct_table_unlock();
    hcct_worker_choose_slots();
    hcct_busy_leave();
}

/* A handler in between does the same to a call or two: they are many. */
void hcct_burst_empty_census(void)
{
    struct hcct_worker *census = hcct_burst_census, *worker = outermost(hcct_worker_current());
    if (!census || !worker)
        return;
    __atomic_store_n(&worker->told, told_by(worker) + 1, __ATOMIC_RELAXED); /* other threads look */
    __atomic_store_n(&census->batch.count, 0, __ATOMIC_RELAXED);
}

void hcct_burst_arrive(struct hcct_worker *worker, const struct hcct_state *state)
{
    if (!hcct_burst_opening || !(worker = outermost(worker)))
        return;
    hcct_busy_enter();
    hcct_table_lock();
    struct opening *opening = opening_of(state);
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
    if (!worker->has_bursts)
        return;
    settle(worker);
    worker->in_burst = worker->in_census = worker->has_bursts = false;
}

void hcct_burst_settle(void)
{
    for (struct hcct_worker *worker = hcct_worker_first(); worker; worker = worker->next)
        if (worker->has_bursts)
            settle(worker);
}

void hcct_burst_after_fork(void)
{
    hcct_burst_pausing = hcct_burst_opening = false;
    hcct_burst_census = NULL;
    for (struct hcct_worker *worker = hcct_worker_first(); worker; worker = worker->next) {
        worker->weight = 1;
        worker->in_burst = worker->in_census = worker->has_bursts = false;
    }
    if (hcct_options.burst)
        hcct_worker_choose_slots();
}

/* --- statistics ------------------------------------------------------------------------------------ */

void hcct_burst_reset(void)
{
    hcct_burst_settle();
    observed = (struct hcct_file_bursts){ 0 };
    rate = (struct rate){ 0 };
}

/* With the bursts that are under way. */
struct hcct_file_bursts hcct_burst_observed(void)
{
    struct hcct_file_bursts now = observed;
    struct rate rates = rate;
    for (const struct hcct_worker *worker = hcct_worker_first(); worker; worker = worker->next) {
        uint64_t time = worker->has_bursts ? time_of(worker) : 0;
        if (time <= worker->time_start || !hcct_tables.running)
            continue;
        add_phase(&now, &rates, worker, (double)passed_ns(worker, time));
    }
    now.counted_ns = rates.calls > 0 ? now.estimate * rates.ns / rates.calls : 0;
    now.interval_ns = unit_ns * units_per_interval;
    now.length_ns = unit_ns;
    now.is_adaptive = hcct_options.burst == HCCT_BURST_ADAPTIVE;
    double scale = hcct_burst_scale(&now);
    now.estimate *= scale;
    now.squares *= scale * scale;
    return now;
}

double hcct_burst_scale(const struct hcct_file_bursts *bursts)
{
    bool known = hcct_options.burst && bursts->counted_ns > 0 && bursts->time_ns > bursts->counted_ns;
    return known ? bursts->time_ns / bursts->counted_ns : 1;
}
