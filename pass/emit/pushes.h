/* The code around calls that push in every program. */
#ifndef HCCT_PASS_EMIT_PUSHES_H
#define HCCT_PASS_EMIT_PUSHES_H

#include "pass/unit/unit.h"

void hcct_pushes_emit(struct hcct_unit *unit, struct hcct_target *target, const struct hcct_call *call,
                      uint32_t index);
/* By calls of the runtime: the shortest code. */
void hcct_pushes_emit_cold(struct hcct_unit *unit, struct hcct_target *target, const struct hcct_call *call,
                           uint32_t index);
/* Whether hcct_pushes_emit emits no more than hcct_pushes_emit_cold. */
bool hcct_pushes_is_cold(const struct hcct_target *target, const struct hcct_call *call);

#endif
