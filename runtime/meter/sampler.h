/* Finds the context that a signal interrupted, and adds a sample to it: for metric=time, wall and events.
 *
 * Invariant: a sample goes to the context that the thread is in, or is counted as lost. */
#ifndef HCCT_RUNTIME_METER_SAMPLER_H
#define HCCT_RUNTIME_METER_SAMPLER_H

#include <stdbool.h>

#include "runtime/core/meter.h"

/* Call this once, when the program is numbered. False, after a warning, if samples cannot be taken. */
bool hcct_sampler_start(void);
/* What the file tells of samples: counts are estimates. */
extern __attribute__((visibility("hidden"))) const struct hcct_meter_file hcct_sampler_file;
/* The `take` of struct hcct_ticks: takes a sample of `amount` nanoseconds or events. */
void hcct_sampler_take(const void *context, uint64_t amount);
/* A thread that could get no timer: its CPU time so far is counted as lost. Under the table lock. */
void hcct_sampler_miss(struct hcct_block *block);
/* The same for all threads. */
void hcct_sampler_miss_all(void);

#endif
