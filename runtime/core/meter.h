/* A way to measure: what a run counts, and how. A run has one meter, which its options choose
 * (meter/meters.c).
 *
 * Plain counting of calls is the core's own: the meter `calls` only says so. Every other meter is a file in
 * meter/ that fills in this table. The core (threads, misses, tables, fork, the file) asks the table and
 * knows no meter by name. A function that a meter does not need is NULL.
 *
 * Invariants
 *   1. hcct_meter is set before the first thread has a block. It changes once more at the most, at start: to
 *      `calls`, where the system has not what the meter needs;
 *   2. what a meter keeps for a thread lies behind the thread's block (hcct_meter_state), zero at first. */
#ifndef HCCT_RUNTIME_CORE_METER_H
#define HCCT_RUNTIME_CORE_METER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hcct/abi.h"
#include "hcct/format.h"
#include "runtime/core/thread.h"

/* What the counts in the slots are. */
enum hcct_slots_hold {
    HCCT_SLOTS_HOLD_CALLS,
    HCCT_SLOTS_HOLD_TIME, /* nanoseconds */
    HCCT_SLOTS_HOLD_NOTHING
};

/* The signals that a meter needs: one whenever a thread has used so much CPU time, or caused so many
 * events. */
struct hcct_ticks {
    uint64_t interval_ns; /* of CPU time; 0: none are needed */
    bool is_frequency;    /* the user asked for so many a second, and is told if there are fewer */
    bool by_events;       /* counters of hcct_options.event send them, and no timer */
    /* counters of CPU time send them; the timer only looks after the counters */
    bool by_counters;
    uint64_t without_counters_ns; /* the timer's interval in a thread that has no counter */
    const char *without;          /* what is so where the system has no signals for us */
};

/* A call that missed, as instrumented code makes it (hcct/abi.h): goes on at hcct_miss_slowly if it
 * counts. */
typedef void __attribute__((preserve_most)) hcct_meter_miss(HCCT_FREE_4, struct hcct_state *state,
                                                            uint64_t word);

struct hcct_meter {
    const char *name;   /* what messages begin with, such as "metric=time: " */
    const char *metric; /* the value of metric= that chooses it; NULL: other options do */
    uint32_t number;    /* enum hcct_file_metric */
    bool (*is_chosen)(void);

    /* --- calls --- */
    bool counts_calls; /* else slots are NULL, and no call costs more than a test */
    bool is_plain;     /* each call is counted once, at once: the core may take its short cuts */
    bool every_call_misses;
    enum hcct_slots_hold slots;
    /* A call that missed, before anything is locked or batched. NULL: it is recorded. */
    hcct_meter_miss *pass;
    /* The same, when it was not passed over: takes the call. Not while busy. */
    void (*take_call)(struct hcct_worker *worker, uint64_t word, const struct hcct_state *state,
                      uintptr_t sp);
    /* The first call after hcct_meter_asks was set in its thread. */
    void (*first_call)(struct hcct_worker *worker, const struct hcct_state *state);

    /* --- the process --- */
    /* Once, when the program is numbered. Fills in *ticks if signals are needed. False, said: nothing is
     * measured. */
    bool (*start)(struct hcct_ticks *ticks);
    /* Counting is about to begin or to end. Under the table lock. */
    void (*switch_running)(void);
    /* The tables are about to be read: what is measured and not in them yet goes there. Under the table
     * lock. */
    void (*flush)(void);
    /* All counts were set to zero. Under the table lock. */
    void (*reset)(void);
    /* In a forked child, which has no timers, counters and other threads any more. */
    void (*after_fork)(void);

    /* --- threads --- */
    size_t thread_bytes; /* what hcct_meter_state is for */
    /* The calling thread has a timer now, or cannot have one. While busy. */
    void (*begin_thread)(struct hcct_worker *worker);
    /* The thread of this outermost block has ended, or is about to. Under the table lock. */
    void (*end_thread)(struct hcct_worker *worker);
    /* The calling thread counts in this block from now on, or, if not `counts`, in none. NULL: it has
     * none. */
    void (*use_block)(struct hcct_worker *worker, bool counts);
    /* A signal of the ticks, or some that were put off. `amount`: CPU time or events since the last.
     * `context`: what it interrupted, as a handler gets it; NULL: the profiler. Async-signal-safe, while
     * busy. */
    void (*tick)(const void *context, uint64_t amount);
    /* The CPU time until the next tick, where counters send them; 0: always the same. */
    uint64_t (*next_tick)(void);

    /* --- what runs: metric=clock --- */
    /* The calling thread runs something else from now on: `next`. */
    void (*switch_to)(struct hcct_clock next);
    /* The same, before a jump to `sp`. */
    void (*jump)(uintptr_t sp);

    /* --- the file; under the table lock --- */
    bool is_sampled; /* counts are estimates without a bound */
    /* What estimates are made of; NULL: counts are none. */
    struct hcct_file_bursts (*observed)(void);
    /* What counts are to be multiplied by; NULL: 1. */
    uint64_t (*factor)(void);
    /* The objects that samples were in as [leaf]: path of number `index`, NULL behind the last. */
    const char *(*leaf)(size_t index);
};

extern __attribute__((visibility("hidden"))) const struct hcct_meter *hcct_meter;
/* Of the calling thread: its calls do not count now; the meter wants to be asked at its next call. */
extern __attribute__((visibility("hidden"))) _Thread_local volatile bool hcct_meter_pauses, hcct_meter_asks;

/* --- made by meter/meters.c, which knows all meters --- */

/* Reads a value of metric=; false if there is none such. seam: meter/meters.c. */
bool hcct_meter_read_metric(const char *text);
/* Chooses the meter, when all options are read. seam: meter/meters.c. */
void hcct_meter_choose(void);
/* Once, when the program is numbered. `take_signal` finds a signal that the program does not use; 0: none.
 * `look` is called in the same signals, each `look_ns` of CPU time or more often; NULL: there is nothing to
 * look after. seam: meter/meters.c. */
void hcct_meter_start(int (*take_signal)(void), uint64_t look_ns, void (*look)(void));
/* What the meter and the ticks need behind each thread's block, bytes. seam: meter/meters.c. */
size_t hcct_meter_thread_bytes(void);
/* As the meter's own; the ticks too. seam: meter/meters.c. */
void hcct_meter_begin_thread(struct hcct_worker *worker);
void hcct_meter_end_thread(struct hcct_worker *worker);
void hcct_meter_after_fork(void);

/* Behind the ticks' own state (meter/timer.h). */
enum { HCCT_METER_TICKS_BYTES = 64 };
static inline void *hcct_meter_state(struct hcct_worker *worker)
{
    return (char *)(worker + 1) + HCCT_METER_TICKS_BYTES;
}

static inline void hcct_meter_switch_running(void)
{
    if (hcct_meter->switch_running)
        hcct_meter->switch_running();
}

static inline void hcct_meter_flush(void)
{
    if (hcct_meter->flush)
        hcct_meter->flush();
}

static inline void hcct_meter_reset(void)
{
    if (hcct_meter->reset)
        hcct_meter->reset();
}

static inline void hcct_meter_use_block(struct hcct_worker *worker, bool counts)
{
    if (hcct_meter->use_block)
        hcct_meter->use_block(worker, counts);
}

static inline void hcct_meter_switch_to(struct hcct_clock next)
{
    if (hcct_meter->switch_to)
        hcct_meter->switch_to(next);
}

static inline void hcct_meter_jump(uintptr_t sp)
{
    if (hcct_meter->jump)
        hcct_meter->jump(sp);
}

static inline uint64_t hcct_meter_factor(void)
{
    return hcct_meter->factor ? hcct_meter->factor() : 1;
}

#endif
