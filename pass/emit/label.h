/* Labels at calls: which site a return address belongs to. */
#ifndef HCCT_PASS_EMIT_LABEL_H
#define HCCT_PASS_EMIT_LABEL_H

#include "pass/unit/unit.h"

/* Labels a copy of the call number `index`, which the builder stands in front of. Not all calls are labelled:
 * see the next one. */
void hcct_label_call(struct hcct_unit *unit, struct hcct_target *target, uint32_t index);
/* Labels all calls that return to the target, but those of code that is not instrumented, of listed library
 * functions, and of stand-ins. A function without such calls gets one label at its entry. Goes after all
 * other code of the function. */
void hcct_label_calls(struct hcct_unit *unit, struct hcct_target *target);

#endif
