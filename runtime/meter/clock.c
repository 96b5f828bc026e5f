/* See clock.h. The clock is the time stamp counter (rdtsc) on x86-64, and the virtual counter (cntvct_el0) on
 * AArch64. Its ticks are converted to units of 1/1024 ns. The length of a tick is measured at start, or the
 * processor tells it.
 *
 * A thread's `mark` is the moment up to which its time has been added to contexts. The profiler itself takes
 * some of the time between two readings of the clock. This cost is measured at start, for an entry and for an
 * exit. The mark is set so much later, and may then lie in the future: the cost is subtracted from the times
 * that follow, up to `debt_limit`. The slow path (a key that misses its slot) reads the clock again at its
 * end instead.
 *
 * The cost is an upper bound: if the program waits for its own results, the processor does the profiler's
 * work meanwhile. Then a call's time is too low, by this cost at most (docs/metrics.md). To wait for the
 * program's results before each reading would be exact, and triple the cost.
 *
 * Times are counted in the slots of the thread's block, in nanoseconds, and drained to the tables as calls
 * are (count/count.c). */
#include "runtime/meter/clock.h"

#include <stdatomic.h>
#include <time.h>

#include "format/divide.h"
#include "format/layout.h"
#include "runtime/base/machine.h"
#include "runtime/base/say.h"
#include "runtime/core/notice.h"
#include "runtime/core/own_stack.h"
#include "runtime/core/settings.h"
#include "runtime/core/tables.h"
#include "runtime/count/count.h"
#include "runtime/objects/registry.h"

enum { UNIT_BITS = 10, SCALE_BITS = 32 };
#define UNIT_MASK ((UINT64_C(1) << UNIT_BITS) - 1)

static bool is_on; /* the clock is set */
/* Marks and moments leave out the time that counting was stopped so far. While it is stopped, the moment is
 * that of the stop. Stored under the table lock. is_stopped is loaded first (acquire): so a thread that loads
 * them while they change is as one that was a few instructions earlier or later. */
static _Atomic uint64_t left_out, stopped_at;
static atomic_bool is_stopped;
static _Thread_local struct {
    struct hcct_block *block; /* that the thread's time goes to; NULL: none yet */
    uint64_t mark;
} own;
static uint64_t scale; /* units in a tick, times 2^SCALE_BITS */
/* The profiler's units between two readings of the clock, the first one at an entry or at an exit. */
static uint64_t enter_cost, leave_cost;
static int64_t debt_limit;

static inline bool stopped_now(void)
{
    return atomic_load_explicit(&is_stopped, memory_order_acquire);
}

/* In units, modulo 2^64: only differences are meaningful. While counting is not stopped. */
static inline uint64_t now(void)
{
    return (uint64_t)((unsigned __int128)hcct_machine_ticks() * scale >> SCALE_BITS) -
           atomic_load_explicit(&left_out, memory_order_relaxed);
}

static uint64_t moment_now(void)
{
    return stopped_now() ? atomic_load_explicit(&stopped_at, memory_order_relaxed) : now();
}

/* Returns the nanoseconds from the mark to `at`, and sets the mark to `cost` after `at`. The fraction of a
 * nanosecond is left to the next interval, and so is a cost that is not subtracted yet. */
static inline uint64_t charge(uint64_t at, uint64_t cost)
{
    int64_t elapsed = (int64_t)(at - own.mark);
    uint64_t units = elapsed > 0 ? (uint64_t)elapsed : 0;
    int64_t ahead = (int64_t)cost - (elapsed > 0 ? elapsed & (int64_t)UNIT_MASK : elapsed);
    own.mark = at + (uint64_t)(ahead < debt_limit ? ahead : debt_limit);
    return units >> UNIT_BITS;
}

/* --- to the tables -------------------------------------------------------------------------------- */

/* Under the table lock. */
static void add(uint64_t word, uint64_t time)
{
    struct hcct_block *block = hcct_block_current();
    uintptr_t left = hcct_own_stack_left(), sp = left ? left : (uintptr_t)__builtin_frame_address(0);
    bool stopped = stopped_now(); /* then the time is of before */
    if (!word || !time || !(hcct_tables.running || stopped))
        return;
    if (block && stopped)
        hcct_count_time_before(hcct_tally_of(block), word, time, sp);
    else if (block)
        hcct_count_time(hcct_tally_of(block), word, time, sp);
    else
        __atomic_fetch_add(&hcct_tables.dropped_memory, time, __ATOMIC_RELAXED);
}

/* For a context that is in no slot, and for a new thread. In the handler of a fault inside the tables it does
 * nothing: the time goes to the next context. */
static __attribute__((preserve_most, noinline, cold)) void charge_slowly(uint64_t word, uint64_t cost)
{
    /* while counting is stopped, there is something to charge once: what is of before */
    if (hcct_busy.depth ||
        (own.block && stopped_now() && (int64_t)(moment_now() - own.mark) <= (int64_t)UNIT_MASK))
        return;
    hcct_busy_enter();
    hcct_notice();
    uint64_t time = charge(moment_now(), 0);
    hcct_block_self(); /* makes it; takes the lock */
    hcct_tables_lock();
    add(word, time);
    hcct_tables_unlock();
    hcct_machine_wait_for_loads(); /* otherwise the tables' cache misses would be in the next interval */
    charge(moment_now(), cost);
    hcct_busy_leave();
}

static __attribute__((preserve_most, noinline, cold)) void redeliver(void)
{
    hcct_guest_hooks.redeliver();
}

/* While the thread is busy, no handler runs between the reading of the clock and the setting of the mark. The
 * relaxed accesses of the count pair with those of count/count.c, which another thread may run. */
static inline __attribute__((always_inline)) void charge_quickly(uint64_t word, uint64_t cost)
{
    struct hcct_block *block = own.block;
    struct hcct_slot *slot = block ? &block->slots[hcct_slot_of(word)] : NULL;
    if (!block || hcct_busy.depth || stopped_now() || (word && slot->key != word) ||
        hcct_busy_cancel_is_asynchronous()) {
        charge_slowly(word, cost);
        return;
    }
    hcct_busy_enter_frame();
    uint64_t time = charge(now(), cost);
    if (word)
        __atomic_store_n(&slot->count, __atomic_load_n(&slot->count, __ATOMIC_RELAXED) + time,
                         __ATOMIC_RELAXED);
    atomic_signal_fence(memory_order_seq_cst);
    hcct_busy.depth = 0;
    if (__builtin_expect(hcct_busy.deferred, 0))
        redeliver();
}

void __hcct_clock_enter(uint64_t word, struct hcct_clock *frame)
{
    struct hcct_clock before = *frame = __hcct_thread.clock;
    if (!is_on)
        return;
    charge_quickly(before.word, enter_cost);
    __hcct_thread.clock = (struct hcct_clock){ word, frame };
}

void __hcct_clock_leave(const struct hcct_clock *frame)
{
    if (!is_on)
        return;
    charge_quickly(__hcct_thread.clock.word, leave_cost);
    __hcct_thread.clock = *frame;
}

/* Adds the time up to now to the present context. From now on time goes to `next`. Not while a lock is
 * held. */
static void switch_to(struct hcct_clock next)
{
    if (!is_on)
        return;
    charge_slowly(__hcct_thread.clock.word, 0);
    __hcct_thread.clock = next;
}

static void flush(void)
{
    if (!is_on)
        return;
    add(__hcct_thread.clock.word, charge(moment_now(), 0));
    charge(moment_now(), 0);
}

static void switch_running(bool runs)
{
    if (is_on && !runs && !stopped_now()) {
        atomic_store(&stopped_at, now());
        atomic_store(&is_stopped, true);
    } else if (is_on && runs && stopped_now()) {
        flush(); /* what is of before the stop */
        atomic_fetch_add(&left_out, now() - stopped_at);
        atomic_store(&is_stopped, false);
    }
}

static void after_fork(void)
{
    own.mark = moment_now();
}

/* Drops the measured functions that the jump leaves. Only those on this stack are looked at: their frames lie
 * one above the other, from here to `sp`. */
static void jump(uintptr_t sp)
{
    struct hcct_clock next = __hcct_thread.clock;
    uintptr_t low = (uintptr_t)__builtin_frame_address(0);
    if (!is_on)
        return;
    while ((uintptr_t)next.frame > low && (uintptr_t)next.frame < sp) {
        low = (uintptr_t)next.frame;
        next = *next.frame;
    }
    switch_to(next);
}

/* --- start ---------------------------------------------------------------------------------------- */

enum { BATCHES = 32, PAIRS = 64 };

/* The mean of the quickest quarter. On a busy machine more than half of the batches may be interrupted. */
static uint64_t quickest(uint64_t samples[BATCHES])
{
    uint64_t sum = 0;
    for (int i = 1; i < BATCHES; i++) {
        uint64_t value = samples[i];
        int at = i;
        for (; at && samples[at - 1] > value; at--)
            samples[at] = samples[at - 1];
        samples[at] = value;
    }
    for (int i = 0; i < BATCHES / 4; i++)
        sum += samples[i];
    return sum / (BATCHES / 4);
}

/* The smallest step of the clock that can be seen, in units. */
static uint64_t resolution(void)
{
    enum { STEPS = 16, TRIES = 1 << 20 };
    uint64_t last = now(), smallest = UINT64_MAX;
    for (int steps = 0, tries = 0; steps < STEPS && tries < TRIES; tries++) {
        uint64_t at = now();
        if (at == last)
            continue;
        smallest = at - last < smallest ? at - last : smallest;
        last = at;
        steps++;
    }
    return smallest == UINT64_MAX ? 0 : smallest;
}

/* Measures the cost of entries and exits of an empty function, under a key that is no context. In batches, as
 * the clock may be coarse. */
static void measure_cost(struct hcct_slot *slot)
{
    uint64_t entered[BATCHES] = { 0 }, left[BATCHES] = { 0 };
    struct hcct_clock frame;
    slot->key = __hcct_thread.clock.word = HCCT_WORD_TAIL;
    own.mark = now();
    for (int batch = -1; batch < BATCHES; batch++) /* the first one warms up the caches */
        for (int i = 0; i < PAIRS; i++) {
            uint64_t before = own.mark;
            __hcct_clock_enter(HCCT_WORD_TAIL, &frame);
            uint64_t between = own.mark;
            __hcct_clock_leave(&frame);
            if (batch >= 0) {
                left[batch] += between - before;
                entered[batch] += own.mark - between;
            }
        }
    enter_cost = quickest(entered) / PAIRS;
    leave_cost = quickest(left) / PAIRS;
    debt_limit = (int64_t)(resolution() + 2 * (enter_cost + leave_cost));
    __hcct_thread.clock.word = 0;
    *slot = (struct hcct_slot){ 0, 0 };
}

static uint64_t system_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

struct moment {
    uint64_t ticks, time;
};

/* Reads both clocks at the same moment: the quickest of some tries. */
static struct moment moment(void)
{
    struct moment best = { 0, 0 };
    uint64_t shortest = UINT64_MAX;
    for (int i = 0; i < 10; i++) {
        uint64_t before = hcct_machine_ticks(), time = system_time(), after = hcct_machine_ticks();
        if (after - before >= shortest)
            continue;
        shortest = after - before;
        best = (struct moment){ before + shortest / 2, time };
    }
    return best;
}

/* The length of a tick: the processor tells it, or it is measured. */
static void set_scale(void)
{
    enum { LENGTH_NS = 3000000 };
    uint64_t time = 1000000000, ticks = hcct_machine_ticks_a_second();
    if (!ticks) {
        struct moment start = moment(), end;
        do
            end = moment();
        while (end.time - start.time < LENGTH_NS);
        time = end.time - start.time;
        ticks = end.ticks - start.ticks;
    }
    scale = (uint64_t)hcct_quotient((unsigned __int128)time << (UNIT_BITS + SCALE_BITS), ticks ? ticks : 1);
}

/* Prints the cost in nanoseconds, rounded up. */
static void say_cost(void)
{
    char buffer[24];
    uint64_t ns = (enter_cost + leave_cost + UNIT_MASK) >> UNIT_BITS;
    HCCT_SAY(2, "metric=clock: the entry and exit of a function take ",
             hcct_say_decimal((unsigned long)ns, buffer, sizeof buffer),
             " ns here, which are taken off each call: its time may be so much too low");
}

static bool start(struct hcct_ticks *ticks)
{
    bool any = false;
    (void)ticks;
    for (size_t i = 0; i < hcct_registry_object_count(); i++)
        any |= hcct_registry_object(i)->clocks;
    if (!any)
        HCCT_SAY(1, "metric=clock: nothing here was compiled by hcct-cc --hcct-clock, which it needs: no "
                    "time is measured");
    if (!hcct_machine_clock_is_steady())
        HCCT_SAY(1, "metric=clock: this processor's clock does not go at one speed: times are not those of "
                    "the clock on the wall");
    set_scale();
    struct hcct_block *block = hcct_block_self();
    is_on = true;
    if (block)
        measure_cost(&block->slots[hcct_slot_of(HCCT_WORD_TAIL)]);
    say_cost();
    own.mark = now();
    if (!hcct_tables.running) /* counting=off */
        switch_running(false);
    return true;
}

/* The strict mode of seccomp forbids the processor's clock, too. */
static void stop(void)
{
    is_on = false;
}

static bool is_chosen(void)
{
    return hcct_core_settings.metric == HCCT_METRIC_CLOCK;
}

static void use_block(struct hcct_block *block)
{
    own.block = block;
}

static const struct hcct_meter_threads threads = { .switch_to = switch_to,
                                                   .jump = jump,
                                                   .use_block = use_block };

const struct hcct_meter hcct_meter_clock = {
    .name = "metric=clock: ",
    .is_chosen = is_chosen,
    .calls.program = HCCT_CALLS_CLOCK,
    .start = start,
    .switch_running = switch_running,
    .flush = flush,
    .after_fork = after_fork,
    .stop = stop,
    .threads = &threads,
};
