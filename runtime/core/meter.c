/* See meter.h: the meter of the run, and the one that it begins with. */
#include "runtime/core/meter.h"
#include "runtime/core/settings.h"

struct hcct_core_settings hcct_core_settings = { .mode = HCCT_MODE_HCCT };

const struct hcct_meter hcct_meter_calls = {
    .name = "metric=calls: ",
    .calls.program = HCCT_CALLS_COUNT,
};

const struct hcct_meter *hcct_meter = &hcct_meter_calls;
pid_t hcct_meter_thread;
_Thread_local volatile bool hcct_meter_pauses;
void (*hcct_meter_look)(void);
