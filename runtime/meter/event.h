/* metric=page-faults, cycles, cache-misses and so on: the kernel or the processor counts a thread's events
 * (counter.h). Every `period` events there is a sample (sampler.h). */
#ifndef HCCT_RUNTIME_METER_EVENT_H
#define HCCT_RUNTIME_METER_EVENT_H

#include "runtime/core/meter.h"

extern const struct hcct_meter hcct_meter_event;

struct hcct_event;
/* The event with this name; NULL if there is none. */
const struct hcct_event *hcct_event_find(const char *name);
const char *hcct_event_name(const struct hcct_event *event);
/* So many events are a sample. */
uint64_t hcct_event_period(const struct hcct_event *event);

#endif
