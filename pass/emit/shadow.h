/* The test build's shadow stack. */
#ifndef HCCT_PASS_EMIT_SHADOW_H
#define HCCT_PASS_EMIT_SHADOW_H

#include "pass/unit/unit.h"

/* Emits it for the calls of `target`. Goes before all other code. */
void hcct_shadow_add(struct hcct_unit *unit, struct hcct_target *target);
/* Around a call in tail position that turns out to be a plain one. The builder is in front of it, or behind
 * it. Nothing in other builds. */
void hcct_shadow_stay(struct hcct_unit *unit, const struct hcct_target *target);
void hcct_shadow_leave(struct hcct_unit *unit, const struct hcct_target *target);

#endif
