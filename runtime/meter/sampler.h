/* What a signal interrupted, as a context: metric=time, wall and events count by it.
 *
 * Invariant: a sample goes to the context that the thread is in, or is counted as lost; never to another. */
#ifndef HCCT_RUNTIME_METER_SAMPLER_H
#define HCCT_RUNTIME_METER_SAMPLER_H

#include <stdbool.h>

#include "runtime/core/meter.h"

/* Once, when the program is numbered: whether samples can be taken. Says what is missing. */
bool hcct_sampler_start(void);
/* Takes a sample of `amount` (nanoseconds, events) of what a signal interrupted; NULL: the thread was in the
 * profiler. As hcct_meter's `tick`. */
void hcct_sampler_take(const void *context, uint64_t amount);
/* The site of the leaf [waiting]. Under the table lock. */
uint64_t hcct_sampler_waiting_site(void);
/* As hcct_meter's `leaf`. */
const char *hcct_sampler_leaf(size_t index);

#endif
