/* Counters of a thread's events (perf_event_open). metric=page-faults, cycles, cache-misses and so on:
 * samples at every `period` events that the kernel or the processor counts for a thread, where metric=time
 * takes them of a timer. And burst=on has one of CPU time, which is not bound to the kernel's tick as timers
 * of it are.
 *
 * Invariants
 *   1. only what happens while the program's own code runs is counted (exclude_kernel), so that no signal
 *      comes in a system call;
 *   2. a counter stands still from an overflow until its signal was handled: no event of the handler counts,
 *      and there is never more than one signal, as more than the system queues would become SIGIO;
 *   3. between two signals there is at least one event without, so that the program goes on;
 *   4. a file descriptor is closed or told something only if it is still that counter's. */
#ifndef HCCT_RUNTIME_METER_EVENT_H
#define HCCT_RUNTIME_METER_EVENT_H

#include <signal.h>
#include <stdbool.h>

#include "runtime/core/thread.h"

/* Events by name; NULL: none has it. */
struct hcct_event;
const struct hcct_event *hcct_event_find(const char *name);
const char *hcct_event_name(const struct hcct_event *event);
/* The period, if 0 or another one is wanted. */
uint64_t hcct_event_period(const struct hcct_event *event, uint64_t wanted);
/* Whether the system counts hcct_options.event; says so if not. */
bool hcct_event_is_there(void);
/* The same of the CPU time of a thread; says nothing. */
bool hcct_event_choose_time(uint64_t period_ns);
/* The calling thread's counter (has_counter), which stands still, and whose signal it is to be. */
void hcct_event_begin(struct hcct_worker *worker, int signal);
void hcct_event_end(struct hcct_worker *worker);
/* Whether it has one still: the program may have closed it. */
bool hcct_event_counts(const struct hcct_worker *worker);
/* If the program closed it, the profile is to say that what it would have counted since is missing. Under the
 * table lock. */
void hcct_event_note_closed(struct hcct_worker *worker);
/* Whether the signal, of the number that was given, is a counter's. */
bool hcct_event_is_ours(const siginfo_t *info);
/* After the signal, and at the beginning: until the next, which comes after another period if that is not
 * 0. */
void hcct_event_go_on(const struct hcct_worker *worker, uint64_t period);

#endif
