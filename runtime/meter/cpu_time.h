/* metric=time: each thread is interrupted by its timer (timer.h), and the interval goes to the context that
 * it is in.
 *
 * Invariant: a sample goes to the context that the thread is in, or is counted as lost; never to another
 * one. */
#ifndef HCCT_RUNTIME_METER_CPU_TIME_H
#define HCCT_RUNTIME_METER_CPU_TIME_H

#include <stdbool.h>

#include "runtime/core/thread.h"

/* Once, when the program is numbered: whether samples are taken. Says what is missing. */
bool hcct_sample_start(void);
/* What messages begin with. */
const char *hcct_sample_metric(void);
/* Takes a sample of `weight` nanoseconds of what a signal interrupted; NULL: the thread was in the profiler.
 * Async-signal-safe. */
void hcct_sample_take(const void *context, uint64_t weight);
/* `current` for code that is not instrumented and to which a jump leads, where `top` is the newest push. */
void hcct_sample_arrive_outside(const struct hcct_frame *top);

/* The site of the leaf [waiting]. Under the table lock. */
uint64_t hcct_sample_waiting_site(void);
/* The objects that samples were in as [leaf]: path of number `index`, NULL behind the last. Under the table
 * lock. */
const char *hcct_sample_leaf(size_t index);

#endif
