/* The restoring build: the word of the function that runs, kept in the thread's data. */
#ifndef HCCT_PASS_EMIT_CURRENT_H
#define HCCT_PASS_EMIT_CURRENT_H

#include "pass/unit/unit.h"

/* The word of the function that runs, where the builder is. */
LLVMValueRef hcct_current_load(struct hcct_unit *unit);
/* Stores the word at the entry, where the builder is. Sets target->saved. */
void hcct_current_enter(struct hcct_unit *unit, struct hcct_target *target);
/* Makes plain calls of tail calls that get no code. Goes before hcct_calls_emit. */
void hcct_current_hold_tails(struct hcct_target *target);
/* Puts the caller's word back at returns, and stores the own one again where exceptions and jumps arrive.
 * Goes after all other code of the function. */
void hcct_current_leave(struct hcct_unit *unit, struct hcct_target *target);
/* The sibling call in front of the return `leave`, behind which no code may stand; else the return. */
LLVMValueRef hcct_current_last_act(LLVMValueRef leave);

#endif
