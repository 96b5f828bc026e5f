/* The code at a function's entry. */
#ifndef HCCT_PASS_EMIT_ENTRY_H
#define HCCT_PASS_EMIT_ENTRY_H

#include "pass/unit/unit.h"

/* Sets target->word. */
void hcct_entry_emit(struct hcct_unit *unit, struct hcct_target *target);

#endif
