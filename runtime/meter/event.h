/* metric=page-faults, cycles, cache-misses and so on: a sample (sampler.h) at every `period` events that the
 * kernel or the processor counts for a thread (counter.h). */
#ifndef HCCT_RUNTIME_METER_EVENT_H
#define HCCT_RUNTIME_METER_EVENT_H

#include "runtime/core/meter.h"

extern const struct hcct_meter hcct_meter_event;

/* Events by name; NULL: none has it. */
struct hcct_event;
const struct hcct_event *hcct_event_find(const char *name);
const char *hcct_event_name(const struct hcct_event *event);
/* The period to be used, where the user asked for `wanted`; 0: for none. */
uint64_t hcct_event_period(const struct hcct_event *event, uint64_t wanted);

#endif
