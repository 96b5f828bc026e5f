/* The code of an instrumented function. */
#ifndef HCCT_PASS_EMIT_EMIT_H
#define HCCT_PASS_EMIT_EMIT_H

#include "pass/unit/unit.h"

void hcct_emit_function(struct hcct_unit *unit, struct hcct_target *target);

#endif
