/* metric=weight: what the program gives to hcct_count(). docs/weights.md. */
#ifndef HCCT_RUNTIME_METER_WEIGHT_H
#define HCCT_RUNTIME_METER_WEIGHT_H

#include "runtime/core/meter.h"

extern const struct hcct_meter hcct_meter_weight;

#endif
