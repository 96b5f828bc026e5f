/* Which tail calls may become plain calls. A tail call leaves no frame, so its path has the height of a
 * shorter one; as a plain call it has a frame.
 *
 * A program may rely on tail calls for a bounded stack: then it goes round a cycle of nothing but tail calls.
 * So a function keeps its tail calls if it may lie on such a cycle. A cycle that also has a plain call needs
 * more stack each time round anyway.
 * Cost: O(calls * functions) at worst, mostly a few rounds over the calls. */
#ifndef HCCT_HEIGHTS_PLAN_TAILS_H
#define HCCT_HEIGHTS_PLAN_TAILS_H

#include "heights/infer/binary.h"

/* By function: 1 if its tail calls may become calls. From malloc; NULL when memory is out. */
bool *hcct_tails_find(const struct hcct_stack_binary *binary);

#endif
