/* The miss, for a meter that looks at each call that misses (`pass` in core/meter.h): the meter continues
 * here with a call that it lets pass. */
#ifndef HCCT_RUNTIME_COUNT_MISS_H
#define HCCT_RUNTIME_COUNT_MISS_H

#include "runtime/core/meter.h"

hcct_meter_miss hcct_miss_at_last;

#endif
