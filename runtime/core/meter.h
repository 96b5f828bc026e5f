/* A meter is a way to measure: what a run counts, and how. A run has one meter, which its options choose
 * (start/meters.c).
 *
 * Plain counting of calls is the core's own, so the meter `calls` only says so (meter.c). Every other meter
 * is a file in meter/ that fills in this table. The core (threads, misses, tables, fork, the file) calls the
 * functions of the table, and knows no meter by name. A function that a meter does not need is NULL.
 *
 * Invariants
 *   1. hcct_meter is set before the first thread has a block. After that it changes at most once, at start:
 *      to `calls`, if the system lacks what the meter needs;
 *   2. what a meter keeps for a thread lies behind the thread's block (hcct_meter_state). It is zero at
 *      first. */
#ifndef HCCT_RUNTIME_CORE_METER_H
#define HCCT_RUNTIME_CORE_METER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "format/layout.h"
#include "hcct/abi.h"
#include "runtime/core/block.h"
#include "runtime/meter/settings.h"

/* What becomes of the program's calls. */
enum hcct_program_calls {
    HCCT_CALLS_PASS,  /* slots are NULL, and a call costs one test */
    HCCT_CALLS_CLOCK, /* the same, and meter/clock.c has nanoseconds in the slots */
    HCCT_CALLS_MISS,  /* each of them misses, for hcct_calls.take */
    HCCT_CALLS_COUNT  /* each is counted once, at once: then the core may take its short cuts */
};

/* What becomes of calls of library functions that call nothing back (pass/select/library.c). */
enum hcct_library_calls {
    HCCT_LIBRARY_CALLS_PASS,
    /* all are noted or push but those that only give memory back, and those that are listed as waiting */
    HCCT_LIBRARY_CALLS_ARE_NOTED,
    HCCT_LIBRARY_CALLS_PUSH, /* all */
};

/* The signals that a meter needs: one each time a thread has used an interval of CPU time, or has caused a
 * number of events. */
struct hcct_ticks {
    uint64_t interval_ns; /* CPU time between two signals; 0: no signals are needed */
    bool are_samples;     /* each signal is a sample, which stands for an interval */
    /* the user chose the number of signals a second; a warning follows if there are fewer */
    bool is_frequency;
    bool by_events; /* counters of hcct_meter_settings.event send the signals, not a timer */
    /* counters of CPU time send the signals; the timer only checks that the counters still work */
    bool by_counters;
    uint64_t without_counters_ns; /* the timer's interval in a thread that could get no counter */
    const char *without;          /* for a message: the consequence if the system gives us no signals */
    /* The calling thread has just got its timer, or cannot get one. While busy. NULL: nothing to do. */
    void (*begin_thread)(struct hcct_block *block);
    /* A signal, or several that waited. `amount`: the CPU time or the events since the last call. `context`:
     * the interrupted machine context, as a handler gets it; NULL: the profiler was interrupted.
     * Async-signal-safe, while busy. */
    void (*take)(const void *context, uint64_t amount);
    /* The CPU time until the next signal, if counters send them; NULL: always the same. */
    uint64_t (*next)(void);
};

/* A column of the file (format/layout.h) that the meter fills, beside the counts. */
struct hcct_meter_column {
    const char *name, *unit;
    uint32_t part; /* a number, from 1, which tells columns of one name apart; 0: none */
    enum hcct_file_add add;
    bool is_estimate; /* cells have marks */
    bool has_cells;   /* if not, only the total is told */
    uint64_t total;
};

/* The columns that a meter adds to the file. Under the table lock. `count` is called first. Then each column
 * is begun, and its `value` is asked for once for each context. A column without a name is left out. */
struct hcct_meter_columns {
    uint32_t (*count)(void);
    struct hcct_meter_column (*begin)(uint32_t column);
    /* The meter's own number of a context; 0: it does not know it. */
    uint32_t (*number)(uint64_t key);
    /* What a context has; *mark is 0. */
    uint64_t (*value)(uint32_t column, uint64_t key, uint32_t number, uint32_t *mark);
    /* If the counts themselves are estimates: `mark` is that of a context's cell, and one of `period` was
     * chosen. Otherwise NULL. */
    uint32_t (*mark)(uint32_t number);
    uint64_t (*period)(void);
    /* The heap's curve: how many points there are, and each of them; or NULL. */
    uint32_t (*points)(void);
    struct hcct_file_curve (*point)(uint32_t point);
};

/* What the file tells beside the counts. Under the table lock. NULL: nothing. */
struct hcct_meter_file {
    /* Whether counts are estimates, without a bound of their error. */
    bool (*is_sampled)(void);
    /* The numbers behind the estimates; NULL: nothing more is known. */
    struct hcct_file_estimate (*observed)(void);
    /* With `observed`: the trials of a context's share (struct hcct_file_cell). `count`: its calls. */
    uint32_t (*trials)(uint64_t key, uint64_t count);
    /* Columns beside the counts, or a result of NULL. */
    const struct hcct_meter_columns *(*columns)(void);
    uint64_t (*note)(enum hcct_file_note_kind kind); /* a note of the meter's own */
    /* The process is ending, and its profile has just been written, in this hold of the table lock. It may
     * come again, if calls were counted since. */
    void (*ended)(void);
};

/* What becomes of calls. */
struct hcct_calls {
    enum hcct_program_calls program;
    enum hcct_library_calls library;
    /* Counts a call that missed, instead of the core. Not while busy. */
    void (*take)(struct hcct_block *block, uint64_t word, const struct hcct_state *state, uintptr_t sp);
    /* Calls of a context went to the tables: their number, times their weight. Under the table lock. */
    void (*added)(struct hcct_block *block, uint64_t key, uint64_t calls);
};

/* For a meter that has to know what each thread runs, or when it ends. */
struct hcct_meter_threads {
    size_t bytes; /* the size of hcct_meter_state */
    /* The thread of this outermost block has ended, or is ending. Under the table lock. */
    void (*end)(struct hcct_block *block);
    /* From now on the calling thread runs `next`. */
    void (*switch_to)(struct hcct_clock next);
    /* Is called before a jump to a function with the stack pointer `sp`. */
    void (*jump)(uintptr_t sp);
    /* From now on the calling thread counts in this block. NULL: it has none. */
    void (*use_block)(struct hcct_block *block);
};

struct hcct_meter {
    const char *name; /* the start of its messages, such as "metric=time: " */
    bool (*is_chosen)(void);

    struct hcct_calls calls;
    const struct hcct_meter_threads *threads;
    const struct hcct_meter_file *file;

    /* Once, when the program is numbered. Fills in *ticks if signals are needed. Returns false, after a
     * message, if nothing can be measured. */
    bool (*start)(struct hcct_ticks *ticks);
    /* Counting will begin or end now; or it was so already. Under the table lock. */
    void (*switch_running)(bool runs);
    /* The tables will be read now: adds to them all that is measured and not in them yet. Under the table
     * lock. */
    void (*flush)(void);
    /* All counts were set to zero. Under the table lock, or in a forked child, which is alone. `torn`: such a
     * child abandons the tables, with all nodes, as another thread was changing them. */
    void (*reset)(bool torn);
    /* In a forked child, which has no timers, no counters and no other threads. */
    void (*after_fork)(void);
    /* Nothing counts any more, for good: ends the meter's own threads, and waits until they have ended. */
    void (*stop)(void);
};

/* It begins with the meter of metric=calls: the core counts calls by itself. */
extern __attribute__((visibility("hidden"))) const struct hcct_meter *hcct_meter;
extern __attribute__((visibility("hidden"))) const struct hcct_meter hcct_meter_calls;
/* The thread of the meter's own that is in the process now; 0 or less: none. */
extern __attribute__((visibility("hidden"))) pid_t hcct_meter_thread;
/* The calling thread's calls do not count now. */
extern __attribute__((visibility("hidden"))) _Thread_local volatile bool hcct_meter_pauses;

/* What the ticks call each time, to write snapshots that are due; NULL: there is nothing to look after. A
 * meter may call it more often. The caller holds no lock; it may be busy. */
extern __attribute__((visibility("hidden"))) void (*hcct_meter_look)(void);

/* A meter's state in a thread. The ticks' own state lies before it (meter/ticks/timer.h). */
enum { HCCT_METER_TICKS_BYTES = 64 };
static inline void *hcct_meter_state(struct hcct_block *block)
{
    return (char *)block + hcct_count_hooks.block_bytes + HCCT_METER_TICKS_BYTES;
}

/* What the meter and the ticks need behind each thread's block. */
static inline size_t hcct_meter_thread_bytes(void)
{
    return HCCT_METER_TICKS_BYTES + (hcct_meter->threads ? hcct_meter->threads->bytes : 0);
}

static inline void hcct_meter_switch_running(bool runs)
{
    if (hcct_meter->switch_running)
        hcct_meter->switch_running(runs);
}

static inline bool hcct_meter_has_thread(void)
{
    return hcct_meter_thread > 0;
}

static inline void hcct_meter_flush(void)
{
    if (hcct_meter->flush)
        hcct_meter->flush();
}

static inline void hcct_meter_reset(bool torn)
{
    if (hcct_meter->reset)
        hcct_meter->reset(torn);
}

static inline void hcct_meter_use_block(struct hcct_block *block)
{
    if (hcct_meter->threads && hcct_meter->threads->use_block)
        hcct_meter->threads->use_block(block);
}

static inline void hcct_meter_added(struct hcct_block *block, uint64_t key, uint64_t calls)
{
    if (__builtin_expect(hcct_meter->calls.added != NULL, 0))
        hcct_meter->calls.added(block, key, calls);
}

static inline bool hcct_meter_has_end(void)
{
    return hcct_meter->file && hcct_meter->file->ended;
}

static inline void hcct_meter_switch_to(struct hcct_clock next)
{
    if (hcct_meter->threads && hcct_meter->threads->switch_to)
        hcct_meter->threads->switch_to(next);
}

static inline void hcct_meter_jump(uintptr_t sp)
{
    if (hcct_meter->threads && hcct_meter->threads->jump)
        hcct_meter->threads->jump(sp);
}

static inline bool hcct_meter_is_plain(void)
{
    return hcct_meter->calls.program == HCCT_CALLS_COUNT;
}

static inline bool hcct_meter_is_sampled(void)
{
    return hcct_meter->file && hcct_meter->file->is_sampled && hcct_meter->file->is_sampled();
}

#endif
