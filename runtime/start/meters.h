/* All meters (core/meter.h), and the life of the chosen one. */
#ifndef HCCT_RUNTIME_START_METERS_H
#define HCCT_RUNTIME_START_METERS_H

#include <stdbool.h>
#include <stdint.h>

/* Reads a value of metric=; false if there is none such. */
bool hcct_meters_read_metric(const char *text);
/* Chooses the meter, when all options are read. */
void hcct_meters_choose(void);
/* Once, when the program is numbered. `take_signal` finds a signal that the program does not use; 0: none.
 * With counters it prepares SIGIO, too.
 * `look` is called in the same signals, each `look_ns` of CPU time or more often; NULL: there is nothing to
 * look after. */
void hcct_meters_start(int (*take_signal)(bool by_counters), uint64_t look_ns, void (*look)(void));
void hcct_meters_after_fork(void);
/* Nothing counts any more, for good: ends all timers, counters and threads of the profiler. Not under the
 * table lock. */
void hcct_meters_stop(void);

#endif
