/* Fences around assembly that calls. */
#ifndef HCCT_PASS_EMIT_FENCE_H
#define HCCT_PASS_EMIT_FENCE_H

#include "pass/unit/unit.h"

/* Tells the compiler at each such `asm` of the function that a call may change all the registers that calls
 * change. Goes after all other code of the function. */
void hcct_fence_assembly(struct hcct_unit *unit, LLVMValueRef function);

#endif
