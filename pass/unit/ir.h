/* Questions about LLVM's IR that several files of the pass ask. */
#ifndef HCCT_PASS_UNIT_IR_H
#define HCCT_PASS_UNIT_IR_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

/* The number of LLVM's attribute `name`, and whether `function` has it. */
unsigned hcct_ir_attribute_kind(const char *name);
bool hcct_ir_has_attribute(LLVMValueRef function, const char *name);
/* Whether no other module can name `global`: internal or private linkage. */
bool hcct_ir_is_local(LLVMValueRef global);
/* Whether a call by name reaches this very definition: no linker can put another one in its place. */
bool hcct_ir_is_non_interposable(LLVMValueRef function);
/* Whether it is a call or an invoke. `callbr` is not counted in. */
bool hcct_ir_is_call(LLVMValueRef instruction);
bool hcct_ir_is_must_tail(LLVMValueRef instruction);
/* Whether a second copy of the call may stand on another way through its function. */
bool hcct_ir_can_be_repeated(LLVMValueRef call);
/* Whether all parameters are certainly in registers: there are at most six, and all are scalars. Every
 * machine has at least six general-purpose and eight vector registers for parameters. */
bool hcct_ir_has_register_parameters(LLVMValueRef function);
/* Whether control may arrive at `instruction` by an exception or a jump: a landing pad, or a call of setjmp.
 * And whether `function` has such a place. */
bool hcct_ir_is_arrival(LLVMValueRef instruction);
bool hcct_ir_has_arrivals(LLVMValueRef function);
/* Whether the function's frame has memory of its own that `least` bytes fit into, or that it takes by
 * alloca. */
bool hcct_ir_has_room(LLVMValueRef function, uint64_t least);

#endif
