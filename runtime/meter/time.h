/* metric=time: CPU time, by samples (docs/metrics.md). */
#ifndef HCCT_RUNTIME_METER_TIME_H
#define HCCT_RUNTIME_METER_TIME_H

#include "runtime/core/meter.h"

extern const struct hcct_meter hcct_meter_time;

/* The `start` of struct hcct_meter. metric=wall takes the same samples. */
bool hcct_time_start(struct hcct_ticks *ticks);

#endif
