/* A miss that goes to the tables at once. */
#ifndef HCCT_RUNTIME_COUNT_RECORD_H
#define HCCT_RUNTIME_COUNT_RECORD_H

#include "hcct/abi.h"
#include "runtime/count/tally.h"

/* Counts one call of the function with this state. A key takes its slot if that is empty, unless the
 * summary is full. Otherwise it goes to the tables with weight 1. Then it may get its chain, or challenge
 * its slot. `sp` filters dead frames. Under the table lock. */
void hcct_record(struct hcct_tally *tally, uint64_t word, const struct hcct_state *state, uintptr_t sp);
/* Whether contexts have left, and it would first add all slots to the summary. Needs no lock. */
bool hcct_record_is_to_drain(void);

#endif
