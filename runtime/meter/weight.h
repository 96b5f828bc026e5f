/* metric=weight: adds the weights that the program gives to hcct_count() (docs/metrics.md). */
#ifndef HCCT_RUNTIME_METER_WEIGHT_H
#define HCCT_RUNTIME_METER_WEIGHT_H

#include "runtime/core/meter.h"
#include "runtime/stack/here.h"

extern const struct hcct_meter hcct_meter_weight;

/* Adds to the live context `here`. Does nothing with another meter. Counts the weight as dropped if memory is
 * short, or if a fault struck inside the tables. */
void hcct_weight_add(struct hcct_here here, uint64_t weight);

#endif
