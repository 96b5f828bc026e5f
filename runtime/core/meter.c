/* See meter.h: the meter of the run, and the one that it begins with. */
#include "runtime/core/meter.h"

const struct hcct_meter hcct_meter_calls = {
    .name = "metric=calls: ",
    .counts_calls = true,
    .is_plain = true,
    .slots = HCCT_SLOTS_HOLD_CALLS,
};

const struct hcct_meter *hcct_meter = &hcct_meter_calls;
_Thread_local volatile bool hcct_meter_pauses;
void (*hcct_meter_look)(void);
