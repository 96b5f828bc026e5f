/* See strides.h. Cost of a call that is not the sample: 44 instructions, with calls-per-function 59
 * (docs/sampling.md). */
#include "runtime/meter/strides.h"

#include "runtime/base/random.h"
#include "runtime/base/real.h"
#include "runtime/core/options.h"
#include "runtime/core/tables.h"
#include "runtime/count/count.h"
#include "runtime/count/miss.h"
#include "runtime/meter/ticks/timer.h"

/* sample=calls: the number of the thread's calls up to the next sample, the sample included. 0: before the
 * thread's first call. */
static _Thread_local volatile uint32_t left;
/* calls-per-function: the counters of the thread's functions, in its slots; NULL if none are counted. */
static _Thread_local struct hcct_slot *counters;

static inline struct hcct_slot *counter_of(const struct hcct_state *state)
{
    return &counters[hcct_slot_of((uintptr_t)state)];
}

/* The statistics, under the table lock. The two sums are doubles in the file. */
static struct hcct_file_bursts observed;
static uint64_t estimate;
static unsigned __int128 squares;

/* sample=calls: the calls of the thread's stride that follow its sample. */
static _Thread_local uint32_t rest;

/* --- which call is the sample ---------------------------------------------------------------------- */

/* Begins a stride of `calls` calls, after `before` more calls. Sets *behind to the calls of the stride that
 * follow its sample. Returns the number of calls up to the sample, the sample included. */
static uint32_t begin_stride(uint32_t before, uint32_t calls, uint32_t *behind)
{
    uint32_t at = (uint32_t)hcct_random_below(calls);
    *behind = calls - 1 - at;
    observed.units++;
    return before + at + 1;
}

static uint64_t weight_by_calls(void)
{
    uint32_t period = (uint32_t)hcct_options.period;
    if (!left) { /* the thread's first */
        observed.slack += period - 1;
        left = begin_stride(0, period, &rest);
        if (left > 1) {
            left--;
            return 0;
        }
    }
    left = begin_stride(rest, period, &rest);
    return period;
}

/* The counter of a function, in the count of a slot. `left` is the lower half, which `pass` counts down. */
struct counter {
    uint32_t left;      /* calls up to the sample, included: below 2 HCCT_STRIDES_PERIOD_LIMIT */
    uint32_t rest : 24; /* calls of the stride that follow its sample */
    uint32_t level : 8; /* strides so far */
};

union packed {
    uint64_t count;
    struct counter counter;
};

_Static_assert(sizeof(union packed) == 8 && HCCT_STRIDES_PERIOD_LIMIT < 1 << 24,
               "a counter is a slot's count");

enum { STRIDES_PER_LENGTH = 8 };

static uint32_t stride_at(uint32_t level)
{
    uint32_t calls = UINT32_C(1) << level / STRIDES_PER_LENGTH;
    return calls < hcct_options.period ? calls : (uint32_t)hcct_options.period;
}

/* The first stride of a function is its first call. */
static uint64_t weight_by_function(struct hcct_slot *slot, const struct hcct_state *state)
{
    union packed packed = { .count = slot->count };
    struct counter *counter = &packed.counter;
    uint32_t behind;
    if (slot->key != (uintptr_t)state)
        *counter = (struct counter){ 0 };
    uint32_t calls = stride_at(counter->level);
    counter->level += calls < hcct_options.period;
    uint32_t next = stride_at(counter->level);
    counter->left = begin_stride(counter->rest, next, &behind);
    counter->rest = behind & 0xffffff;
    observed.slack += slot->key == (uintptr_t)state ? next - calls : next - 1;
    slot->count = packed.count;
    slot->key = (uintptr_t)state;
    return calls;
}

/* The weight of this call; 0: it is no sample. */
static uint64_t weight_of(const struct hcct_state *state)
{
    switch (hcct_options.sample) {
    case HCCT_STRIDES_CALLS:
        return weight_by_calls();
    case HCCT_STRIDES_PER_FUNCTION:
        return weight_by_function(counter_of(state), state);
    default:
        hcct_meter_pauses = true;
        return 1;
    }
}

/* --- samples --------------------------------------------------------------------------------------- */

static void take(struct hcct_block *block, uint64_t word, const struct hcct_state *state, uintptr_t sp)
{
    uint64_t weight = weight_of(state);
    if (!weight || !hcct_tables.running)
        return;
    block->weight = weight; /* a fault inside the tables drops so much */
    observed.bursts++;
    observed.calls++;
    estimate += weight;
    squares += (unsigned __int128)weight * weight;
    if (!state->base) { /* no memory to number the function's object */
        __atomic_fetch_add(&hcct_tables.dropped_memory, weight, __ATOMIC_RELAXED);
        return;
    }
    hcct_count_sample(block, word, state, sp, weight);
}

static void take_call(struct hcct_block *block, uint64_t word, const struct hcct_state *state, uintptr_t sp)
{
    hcct_busy_enter();
    hcct_tables_lock();
    take(block, word, state, sp);
    hcct_tables_unlock();
    hcct_block_choose_slots();
    hcct_busy_leave();
}

/* --- ticks ----------------------------------------------------------------------------------------- */

/* sample=timer: nothing is counted before the first tick. */
static void begin_thread(struct hcct_block *block)
{
    if (hcct_options.sample != HCCT_STRIDES_TIMER)
        return;
    hcct_meter_pauses = true;
    if (!hcct_timer_of(block)->has_timer) {
        hcct_tables_lock();
        observed.untimed++;
        hcct_tables_unlock();
    }
    hcct_block_choose_slots();
}

static void tick(const void *context, uint64_t amount)
{
    (void)context;
    (void)amount;
    if (hcct_options.sample != HCCT_STRIDES_TIMER)
        return;
    hcct_meter_pauses = false;
    hcct_block_choose_slots();
}

/* --- calls that are not the sample ----------------------------------------------------------------- */

static hcct_meter_miss pass;

/* Counts one call down. The lower half of a slot's count is struct counter's `left`. */
static void pass(HCCT_FREE_4, struct hcct_state *state, uint64_t word)
{
    if (left > 1) {
        left--;
        return;
    }
    if (counters) {
        struct hcct_slot *counter = counter_of(state);
        if (counter->key == (uintptr_t)state && (uint32_t)counter->count > 1) {
            counter->count--;
            return;
        }
    }
    HCCT_GO_ON(hcct_miss_at_last(HCCT_NOTHING_4, state, word));
}

static void use_block(struct hcct_block *block, bool counts)
{
    counters = counts && hcct_options.sample == HCCT_STRIDES_PER_FUNCTION ? block->slots : NULL;
}

/* --- statistics ------------------------------------------------------------------------------------ */

/* Strides that are under way go on. */
static void reset(void)
{
    observed = (struct hcct_file_bursts){ .slack = observed.slack };
    estimate = 0;
    squares = 0;
}

/* The thread's stride was its parent's: it begins another one. But a child that is noticed by its sample has
 * made the calls before it. */
static void after_fork(void)
{
    if (left > 1)
        left = rest = 0;
    observed.slack = 0;
}

static struct hcct_file_bursts observe(void)
{
    static const uint64_t kinds[] = { [HCCT_STRIDES_CALLS] = HCCT_ESTIMATE_CALLS,
                                      [HCCT_STRIDES_PER_FUNCTION] = HCCT_ESTIMATE_CALLS_PER_FUNCTION,
                                      [HCCT_STRIDES_TIMER] = HCCT_ESTIMATE_TIMER };
    struct hcct_file_bursts now = observed;
    hcct_real_set(&now.estimate, hcct_real_of(estimate, 0));
    hcct_real_set(&now.squares, hcct_real_of(squares, 0));
    now.kind = kinds[hcct_options.sample];
    now.period = hcct_options.sample == HCCT_STRIDES_TIMER ? 0 : hcct_options.period;
    return now;
}

/* --- the meter ------------------------------------------------------------------------------------- */

static bool is_chosen(void)
{
    return hcct_options.sample != HCCT_STRIDES_OFF;
}

/* With period=1 each call is counted, with weight 1. */
static bool was_sampled(void)
{
    return hcct_options.sample == HCCT_STRIDES_TIMER || hcct_options.period != 1;
}

static bool start(struct hcct_ticks *ticks)
{
    if (hcct_options.sample == HCCT_STRIDES_TIMER)
        *ticks = (struct hcct_ticks){ .interval_ns = 1000000000 / hcct_options.frequency,
                                      .are_samples = true,
                                      .is_frequency = true,
                                      .without = "all calls are counted" };
    return true;
}

const struct hcct_meter hcct_meter_strides = {
    .name = "sample=timer: ",
    .is_chosen = is_chosen,
    .counts_calls = true,
    .every_call_misses = true,
    .slots = HCCT_SLOTS_HOLD_NOTHING,
    .is_sampled = true,
    .was_sampled = was_sampled,
    .pass = pass,
    .take_call = take_call,
    .start = start,
    .reset = reset,
    .after_fork = after_fork,
    .begin_thread = begin_thread,
    .use_block = use_block,
    .tick = tick,
    .observed = observe,
};
