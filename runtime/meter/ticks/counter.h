/* Counters of a thread's events, or of its CPU time (perf_event_open), that send a signal when so many were
 * counted.
 *
 * Invariants
 *   1. only what happens while the program's own code runs is counted (exclude_kernel). So no signal comes in
 *      a system call;
 *   2. a counter stands still from an overflow until its signal was handled. So no event of the handler
 *      counts, and there is never more than one signal: more than the system queues would become SIGIO;
 *   3. between two signals there is at least one event without, so that the program goes on;
 *   4. a descriptor is closed or told something only while it is still the counter's: the program may have
 *      closed it and opened another file by its number. */
#ifndef HCCT_RUNTIME_METER_TICKS_COUNTER_H
#define HCCT_RUNTIME_METER_TICKS_COUNTER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* A thread's. */
struct hcct_counter {
    /* told last: the thread that writes the profile looks at the others then */
    _Atomic bool is_open;
    int file;
    uint64_t id; /* what tells whether `file` still is the counter */
};

/* What all counters count, as perf_event_open's type and config, and how many for a signal. Whether the
 * system counts it; errno tells why not. */
bool hcct_counter_choose(uint32_t type, uint64_t config, uint64_t period);
/* The calling thread's, which stands still, and whose signal it is to be. Not open if the system refuses. */
void hcct_counter_open(struct hcct_counter *counter, int signal);
void hcct_counter_close(struct hcct_counter *counter);
/* Whether it is open, and the program has not closed it. */
bool hcct_counter_is_whole(const struct hcct_counter *counter);
/* Whether the signal, of the number that was given, is a counter's. */
bool hcct_counter_is_ours(const siginfo_t *info);
/* At the beginning and after each signal: counts until the next, which comes after another period if that is
 * not 0. */
void hcct_counter_go_on(const struct hcct_counter *counter, uint64_t period);

#endif
