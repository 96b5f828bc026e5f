/* metric=calls: every call is counted, which is what the core does by itself. */
#ifndef HCCT_RUNTIME_METER_CALLS_H
#define HCCT_RUNTIME_METER_CALLS_H

#include "runtime/core/meter.h"

extern const struct hcct_meter hcct_meter_calls;

/* Says what of the program cannot count calls. For every meter that counts them. */
void hcct_calls_say_uncounted(void);

#endif
