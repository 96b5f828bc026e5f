/* metric=calls: every call is counted. The core does this by itself. */
#ifndef HCCT_RUNTIME_METER_CALLS_H
#define HCCT_RUNTIME_METER_CALLS_H

#include "runtime/core/meter.h"

extern const struct hcct_meter hcct_meter_calls;

#endif
