/* The ticks of a thread: signals of a timer of its CPU time, or of a counter of its CPU time or events
 * (counter.h). Their handler takes samples and writes snapshots.
 *
 * Invariants
 *   1. the program may use the same signal, for its own timers, too. A signal that is not from one of our
 *      timers or counters goes to the program;
 *   2. a thread that has a timer has a thread block, which names the timer;
 *   3. no system call is interrupted. While a thread is blocked, its CPU time does not advance, so no timer
 *      expires. Otherwise Linux 5.9 and newer send the signal when the thread returns from the kernel. */
#ifndef HCCT_RUNTIME_METER_TICKS_TIMER_H
#define HCCT_RUNTIME_METER_TICKS_TIMER_H

#include <signal.h>
#include <stdbool.h>
#include <time.h>

#include "runtime/core/meter.h"
#include "runtime/meter/ticks/counter.h"

/* The number of the signal that is used for ticks; 0: there are no ticks. */
extern __attribute__((visibility("hidden"))) int hcct_timer_signal;

/* The timer and counter of a thread: behind its outermost block. */
struct hcct_timer_thread {
    bool has_timer; /* the thread gets ticks: from `timer`, or from the counter alone */
    bool is_first;  /* the counter's period is that of a thread's first sample */
    bool has_look_timer;
    bool is_untimed; /* it should have ticks, and could get none */
    int timer, look_timer;
    struct hcct_counter counter;
    uint64_t missed_ns; /* without ticks: the CPU time that is counted as lost */
};
_Static_assert(sizeof(struct hcct_timer_thread) <= HCCT_METER_TICKS_BYTES,
               "it lies in front of the meter's state");

static inline struct hcct_timer_thread *hcct_timer_of(struct hcct_block *block)
{
    return (struct hcct_timer_thread *)(void *)((char *)block + hcct_count_hooks.block_bytes);
}

/* Call this once, when the program is numbered. Starts the main thread's ticks, if anything needs them. The
 * parameters are those of hcct_meters_start; `ticks` is what the meter's `start` filled in. False, after a
 * warning, if no signal is free. */
bool hcct_timer_start(const struct hcct_ticks *ticks, int (*take_signal)(bool by_counters), uint64_t look_ns,
                      void (*look)(void));
/* Starts the calling thread's ticks, unless it has them. `block` is its outermost block. Keeps errno. */
void hcct_timer_begin_thread(struct hcct_block *block);
/* The thread has ended, or is about to. Under the table lock. */
void hcct_timer_end_thread(struct hcct_block *block);
/* In a forked child, which has no timers. */
void hcct_timer_stop_after_fork(void);

/* The CPU time of a thread, ns; 0 if there is no such thread. */
uint64_t hcct_timer_cpu_ns(pid_t thread);
/* The time of a clock, ns; 0 if there is no such clock. */
uint64_t hcct_timer_clock_ns(clockid_t clock);

/* Whether ticks may come with this number: hcct_timer_signal, and with counters SIGIO, too. */
bool hcct_timer_uses(int signal);
/* For a signal that the program has a handler for: whether it is the program's for certain, so that
 * hcct_timer_is_ours must not be asked. That is so for SIGIO while the thread is busy, a tick waits or the
 * counter is held: the counter may be stopped then without having sent this SIGIO, which hcct_timer_is_ours
 * would take for a tick. */
bool hcct_timer_leaves_to_program(int signal);
/* Whether a signal is a tick. */
bool hcct_timer_is_ours(int signal, const siginfo_t *info);
/* Handles a tick; if the thread is busy, the tick waits until it leaves. Async-signal-safe. */
void hcct_timer_take(const siginfo_t *info, const void *context);
/* Handles the ticks that waited while the thread was busy. */
void hcct_timer_take_put_off(void);

#endif
