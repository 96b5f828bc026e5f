/* More slots for one thread of the process. */
#ifndef HCCT_RUNTIME_COUNT_GROW_H
#define HCCT_RUNTIME_COUNT_GROW_H

#include "runtime/core/thread.h"

/* Looks, once for so many misses, whether more slots would spare the calling thread's calls most of them. If
 * so they are in use then, most of them empty. Under the table lock, by the thread itself. */
bool hcct_grow_if_needed(struct hcct_worker *worker);
/* Whether the slot may keep another key: of a thread with more slots not if it is empty and chains take much
 * memory. Under the lock. */
bool hcct_grow_has_room(const struct hcct_worker *worker, uint32_t slot);

#endif
