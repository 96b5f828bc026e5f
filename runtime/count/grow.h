/* More slots for one thread of the process. */
#ifndef HCCT_RUNTIME_COUNT_GROW_H
#define HCCT_RUNTIME_COUNT_GROW_H

#include "runtime/core/block.h"

/* Checks, once in 2^18 misses, whether more slots would avoid most misses of the calling thread. If so, it
 * uses them from now on; most are empty at first. Returns whether it does. Under the table lock, by the
 * thread itself. */
bool hcct_grow_if_needed(struct hcct_block *block);
/* Whether another key may take the slot. It may not if the slot is an empty one of a thread with more slots,
 * and chains take much memory. Under the table lock. */
bool hcct_grow_has_room(const struct hcct_block *block, uint32_t slot);

#endif
