/* Counters of a thread's events or CPU time (perf_event_open). A counter sends its thread a signal after each
 * period.
 *
 * Invariants
 *   1. a counter runs only while the program's own code does (exclude_kernel). So no system call is
 *      interrupted;
 *   2. a counter stops when it sends its signal, until the signal was handled. So the handler's events do not
 *      count, and at most one signal waits. If the system queues no more (ulimit -i), the kernel sends
 *      SIGIO in its place;
 *   3. between two signals there is at least one event without a signal, so that the program makes progress;
 *   4. a descriptor is used only while it is still the counter's: the program may have closed it and opened
 *      another file, which got its number. */
#ifndef HCCT_RUNTIME_METER_TICKS_COUNTER_H
#define HCCT_RUNTIME_METER_TICKS_COUNTER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* The counter of one thread. */
struct hcct_counter {
    /* Stored after the other fields. Pairs with the load in hcct_counter_is_whole, by the thread that writes
     * the profile. */
    _Atomic bool is_open;
    int file;
    uint64_t id; /* shows whether `file` is still the counter */
};

/* Chooses the event of all counters (type and config of perf_event_open), and the number of events for each
 * signal. False if the system does not count it; errno says why. */
bool hcct_counter_choose(uint32_t type, uint64_t config, uint64_t period);
/* Opens a counter for the calling thread, which will get this signal. The counter does not run yet. is_open
 * stays false if the system refuses. */
void hcct_counter_open(struct hcct_counter *counter, int signal);
void hcct_counter_close(struct hcct_counter *counter);
/* Whether the counter is open, and the program has not closed it. */
bool hcct_counter_is_whole(const struct hcct_counter *counter);
/* Whether a signal with the chosen number comes from a counter. */
bool hcct_counter_is_ours(const siginfo_t *info);
/* Whether the counter is open and stopped: in a handler of SIGIO, whether the counter sent it. */
bool hcct_counter_is_stopped(const struct hcct_counter *counter);
/* Lets the counter run until its next signal. Needed at first, and after each signal. `period`: the events
 * until then; 0: as before. */
void hcct_counter_go_on(const struct hcct_counter *counter, uint64_t period);
/* While `is_on`, hcct_counter_go_on does not let the calling thread's counter run, and only notes that in
 * `goes_on` and `period`. */
struct hcct_counter_hold {
    bool is_on, goes_on;
    uint64_t period;
};
extern _Thread_local struct hcct_counter_hold hcct_counter_hold;
/* Stops the counter, and lets it run on, up to the same event. Not between the counter's signal and
 * hcct_counter_go_on. */
void hcct_counter_pause(const struct hcct_counter *counter);
void hcct_counter_resume(const struct hcct_counter *counter);

#endif
