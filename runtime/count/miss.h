/* The miss: for a meter that looks at each call that misses (`pass` in core/meter.h), which continues here
 * with a call that it lets pass, and for count.c. */
#ifndef HCCT_RUNTIME_COUNT_MISS_H
#define HCCT_RUNTIME_COUNT_MISS_H

#include "runtime/core/meter.h"

/* noinline: the ways before it need no frame. */
__attribute__((noinline)) hcct_meter_miss hcct_miss_at_last;
/* Adds the keys of the batch that are not drained to the summary. */
void hcct_miss_add_batch(struct hcct_block *block);

#endif
