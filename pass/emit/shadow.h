/* The test build's shadow stack. */
#ifndef HCCT_PASS_EMIT_SHADOW_H
#define HCCT_PASS_EMIT_SHADOW_H

#include "pass/unit/unit.h"

/* Emits it for the calls of `target`. Goes before all other code. */
void hcct_shadow_add(struct hcct_unit *unit, struct hcct_target *target);

#endif
