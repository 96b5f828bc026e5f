/* The restoring build: the word of the function that runs, kept in the thread's data. */
#ifndef HCCT_PASS_EMIT_CURRENT_H
#define HCCT_PASS_EMIT_CURRENT_H

#include "pass/unit/unit.h"

/* The word of the function that runs, where the builder is. */
LLVMValueRef hcct_current_load(struct hcct_unit *unit);
/* Stores the word at the entry, where the builder is. Sets target->saved. */
void hcct_current_enter(struct hcct_unit *unit, struct hcct_target *target);
/* Turns tail calls that get no code of ours into plain calls. Call it before hcct_calls_emit. */
void hcct_current_hold_tails(struct hcct_target *target);
/* Puts the caller's word back at returns, and stores the own one again where exceptions and jumps arrive.
 * Call it after all other code of the function was made. */
void hcct_current_leave(struct hcct_unit *unit, struct hcct_target *target);
/* Where code for the return `leave` has to stand in front of: the sibling call before it, if there is one, as
 * nothing may follow that; else the return itself. */
LLVMValueRef hcct_current_last_act(LLVMValueRef leave);

#endif
