/* The measuring build: functions tell the runtime when they begin and end. */
#ifndef HCCT_PASS_EMIT_CLOCK_H
#define HCCT_PASS_EMIT_CLOCK_H

#include "pass/unit/unit.h"

/* For targets that are `measured` or `holds_clock`: emits the begin in front of `first`, where the code of
 * the entry ends. Sets target->clock. */
void hcct_clock_enter(struct hcct_unit *unit, struct hcct_target *target, LLVMValueRef first);
/* Turns tail calls of a measured function that get no code of ours into plain calls. Call it before
 * hcct_calls_emit. */
void hcct_clock_hold_tails(struct hcct_target *target);
/* Emits the ends, and what is stored where exceptions and jumps arrive. Goes after all other code. */
void hcct_clock_leave(struct hcct_unit *unit, struct hcct_target *target);

#endif
