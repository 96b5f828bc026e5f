/* More slots for a thread that misses much. */
#ifndef HCCT_RUNTIME_COUNT_GROW_H
#define HCCT_RUNTIME_COUNT_GROW_H

#include "runtime/count/tally.h"

/* Whether the thread has the slots that it began with. */
static inline bool hcct_grow_has_few(const struct hcct_tally *tally)
{
    return tally->block.last_slot < HCCT_SLOTS - 1;
}

/* Whether hcct_grow_if_needed has to be called now, for a thread that is not the only one. Needs no lock. */
bool hcct_grow_is_due(const struct hcct_tally *tally);
/* Checks whether the calling thread is to have more slots. If so, it uses them from now on; most are empty at
 * first. Under the table lock, by the thread itself. */
void hcct_grow_if_needed(struct hcct_tally *tally);
/* With mode=cct, and one thread so far: the calls that it counted in the exact table without a lock, of which
 * its tally does not know. Otherwise 0. Under the table lock. */
uint64_t hcct_grow_in_place(const struct hcct_tally *tally);
/* Whether another key may take the slot. It may not if the slot is an empty one of a thread with more slots,
 * and chains take much memory. Under the table lock. */
bool hcct_grow_has_room(const struct hcct_tally *tally, uint32_t slot);

#endif
