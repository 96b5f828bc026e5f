/* What inline assembly names and calls. */
#ifndef HCCT_PASS_SELECT_ASSEMBLY_H
#define HCCT_PASS_SELECT_ASSEMBLY_H

#include "pass/unit/unit.h"

/* Sets `in_assembly` of the targets that the module's assembly names. */
void hcct_assembly_find(struct hcct_unit *unit);
/* The `asm` that the instruction is, `asm goto` included; else NULL. */
LLVMValueRef hcct_assembly_of(LLVMValueRef instruction);
/* Whether the text of the `asm` has a call instruction. */
bool hcct_assembly_calls(LLVMModuleRef module, LLVMValueRef assembly);

#endif
