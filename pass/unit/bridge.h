/* What the pass needs of LLVM and LLVM-C lacks, as of LLVM 22. Each function is a few lines of C++ in
 * bridge.cpp.
 * Threads: as LLVM's context, one at a time. */
#ifndef HCCT_PASS_UNIT_BRIDGE_H
#define HCCT_PASS_UNIT_BRIDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opaque: gives block frequencies and dominators. */
struct hcct_analyses;

/* Moves `instruction` and what follows into a new block; the old one ends in a branch to it. (LLVM-C has no
 * BasicBlock::splitBasicBlock.) */
LLVMBasicBlockRef hcct_bridge_split_before(LLVMValueRef instruction);
/* A new block on the edge from `invoke` to its normal destination. (No SplitEdge.) */
LLVMBasicBlockRef hcct_bridge_split_normal_edge(LLVMValueRef invoke);
/* Where code may be put at the start of `block`: behind phis and landing pads. (No getFirstInsertionPt.) */
LLVMValueRef hcct_bridge_first_insertion(LLVMBasicBlockRef block);
/* `builder` goes to the start of `block`, for phis: in front of debug records, too.
 * (LLVMPositionBuilderBefore goes between them and the first instruction.) */
void hcct_bridge_position_at_start(LLVMBuilderRef builder, LLVMBasicBlockRef block);
/* Takes the edge from `predecessor` out of the phis of `block`. (No removePredecessor.) */
void hcct_bridge_remove_predecessor(LLVMBasicBlockRef block, LLVMBasicBlockRef predecessor);
/* The next instruction that is not a debug intrinsic (LLVM 16 to 18 have them; LLVM-C can't step over), or
 * NULL. */
LLVMValueRef hcct_bridge_next_real(LLVMValueRef instruction);

/* The subprogram that a debug scope lies in, its names ("" where there is none). (No
 * DILocalScope::getSubprogram.) */
LLVMMetadataRef hcct_bridge_scope_subprogram(LLVMMetadataRef scope);
const char *hcct_bridge_subprogram_name(LLVMMetadataRef subprogram, size_t *length);
const char *hcct_bridge_subprogram_linkage_name(LLVMMetadataRef subprogram, size_t *length);
/* The base discriminator of a debug location, 12 bits. (LLVM-C has no DILocation::getBaseDiscriminator.) */
uint16_t hcct_bridge_discriminator(LLVMMetadataRef location);

/* The constant offset that `pointer` adds to another one, 0 if it adds nothing; false if it is no constant
 * one. (LLVM-C has no GEPOperator::accumulateConstantOffset.) */
bool hcct_bridge_offset(LLVMModuleRef module, LLVMValueRef pointer, uint64_t *offset);

/* The function that stands at `offset` in a constant table, its own address or its distance from there; or
 * NULL. (LLVM-C has no getPointerAtOffset.) */
LLVMValueRef hcct_bridge_in_table(LLVMModuleRef module, LLVMValueRef table, uint64_t offset);

/* The text of an `asm`. (LLVMGetInlineAsmAsmString is since LLVM 18.) */
const char *hcct_bridge_assembly(LLVMValueRef assembly, size_t *length);

/* Keeps globals through the optimizer (llvm.compiler.used), or through the linker too (llvm.used). Takes time
 * for all that is kept. */
void hcct_bridge_append_used(LLVMModuleRef module, LLVMValueRef *globals, size_t count, bool linker_too);
/* Runs `function` when the object is unloaded, behind all other destructors. The reference is in the comdat
 * group of the function: a linker that drops this copy of the function drops the reference to it, too. */
void hcct_bridge_append_last_destructor(LLVMModuleRef module, LLVMValueRef function);
/* !associated: the linker drops `global` with `function`. */
void hcct_bridge_associate(LLVMValueRef global, LLVMValueRef function);
/* Marks `global` as of the same linked object (dso_local). (LLVM-C has no setDSOLocal.) */
void hcct_bridge_set_dso_local(LLVMValueRef global);
bool hcct_bridge_is_dso_local(LLVMValueRef global);
bool hcct_bridge_is_position_independent_library(LLVMModuleRef module);
/* Compiled for an executable at a fixed place, in the small code model. (No getPICLevel, no getCodeModel.) */
bool hcct_bridge_has_fixed_place(LLVMModuleRef module);
/* How `call` is marked. (LLVMGetTailCallKind is since LLVM 18.) */
enum hcct_tail_mark { HCCT_TAIL_MARK_NONE, HCCT_TAIL_MARK_TAIL, HCCT_TAIL_MARK_MUST };
enum hcct_tail_mark hcct_bridge_tail_mark(LLVMValueRef call);
/* Whether `call` may return a second time (setjmp). (No CallBase::hasFnAttr that sees both call and
 * callee.) */
bool hcct_bridge_returns_twice(LLVMValueRef call);
/* Whether `call` may stand in the code only once: it may return a second time, or is marked so (noduplicate,
 * convergent). (No CallBase::cannotDuplicate.) */
bool hcct_bridge_stands_once(LLVMValueRef call);
/* Gives `function`, which only its calls refer to, a last parameter, a pointer marked `nest`, which has a
 * register of its own; the calls pass poison for now. Returns the function that takes the place of the old
 * one. (LLVM-C cannot move a body.) */
LLVMValueRef hcct_bridge_add_nest_parameter(struct hcct_analyses *analyses, LLVMValueRef function);
/* Whether `call` can be made through a wrapper: neither musttail nor setjmp, no operand bundle, no parameter
 * that only the callee's own frame can have. */
bool hcct_bridge_can_wrap(LLVMValueRef call);
/* Makes the call through a new function that only makes it, whose name is `prefix` and the callee's, or
 * "pointer": then the pointer is a last parameter, marked `nest`. Returns the new function. (LLVM-C has no
 * copy of a call's attributes.) */
LLVMValueRef hcct_bridge_wrap(LLVMValueRef call, const char *prefix);
/* The type that `call` takes its callee to have is that of `function`. */
bool hcct_bridge_calls_as_defined(LLVMValueRef call, LLVMValueRef function);
/* Drops what an instrumented function or call no longer fulfils: memory(...), speculatable. */
void hcct_bridge_drop_memory_attributes(LLVMValueRef function_or_call);

/* Whether `use`, in the same function, is reached only through `definition`. (No DominatorTree.) */
bool hcct_bridge_dominates(struct hcct_analyses *analyses, LLVMValueRef definition, LLVMValueRef use);
/* Static frequency of `block` against its function's entry: 128 = equal, a step = a factor of 2, 0..254. */
uint8_t hcct_bridge_block_weight(struct hcct_analyses *analyses, LLVMBasicBlockRef block);
/* A C++ name as the source has it, from malloc; NULL if memory is short. */
char *hcct_bridge_demangle(const char *name);
/* One clang warning. */
void hcct_bridge_warn(LLVMModuleRef module, const char *message);
/* One clang error: the compiler goes on, writes no output, and its exit status is 1. */
void hcct_bridge_fail(LLVMModuleRef module, const char *message);

#ifdef __cplusplus
}
#endif
#endif
