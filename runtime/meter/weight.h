/* metric=weight: what the program gives to hcct_count(). docs/weights.md. */
#ifndef HCCT_RUNTIME_METER_WEIGHT_H
#define HCCT_RUNTIME_METER_WEIGHT_H

#include "runtime/core/meter.h"
#include "runtime/stack/here.h"

extern const struct hcct_meter hcct_meter_weight;

/* Adds to the context `here`, which is live, if this is what is measured. */
void hcct_weight_add(struct hcct_here here, uint64_t weight);

#endif
