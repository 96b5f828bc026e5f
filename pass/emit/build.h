/* The few shapes of code that the pass emits, at the unit's builder.
 *
 * Invariants
 *   1. every access of the thread's words and of slots is !nosanitize. It is atomic (monotonic) if a signal
 *      handler that comes between two accesses could otherwise see them in another order;
 *   2. calls of the runtime's rare entry points are marked cold, so that the fast path saves no register for
 *      them. */
#ifndef HCCT_PASS_EMIT_BUILD_H
#define HCCT_PASS_EMIT_BUILD_H

#include "pass/unit/bridge.h"
#include "pass/unit/unit.h"

LLVMValueRef hcct_build_constant(struct hcct_unit *unit, uint64_t value);
LLVMValueRef hcct_build_load(struct hcct_unit *unit, LLVMTypeRef type, LLVMValueRef from, const char *name);
/* 64 bits, not atomic, so that the load folds into what uses it. */
LLVMValueRef hcct_build_load_folded(struct hcct_unit *unit, LLVMValueRef from);
/* The target's first id; and what a call that is numbered adds. Constants in a unit with fixed ids, if they
 * are small. */
LLVMValueRef hcct_build_base(struct hcct_unit *unit, const struct hcct_target *target);
LLVMValueRef hcct_build_delta(struct hcct_unit *unit, struct hcct_target *target, uint32_t index);
/* The address of the delta of the target's call number `index`. */
LLVMValueRef hcct_build_delta_address(struct hcct_unit *unit, struct hcct_target *target, uint32_t index);
void hcct_build_store(struct hcct_unit *unit, LLVMValueRef value, LLVMValueRef to);
/* The address of data or a function of the unit, as a value. Code that was not compiled as
 * position-independent may be linked so if it holds no absolute address: this one is computed from the
 * program counter. */
LLVMValueRef hcct_build_address(struct hcct_unit *unit, LLVMValueRef address);
/* The same for a load or store: in optimized code that is relative to the program counter already. */
LLVMValueRef hcct_build_place(struct hcct_unit *unit, LLVMValueRef address);
bool hcct_build_is_unoptimized(LLVMValueRef function);
LLVMValueRef hcct_build_at_offset(struct hcct_unit *unit, LLVMValueRef base, uint64_t offset);
/* The address of a field of __hcct_thread. */
LLVMValueRef hcct_build_thread_field(struct hcct_unit *unit, size_t offset);
/* A conditional branch of which `then` is the rare side. */
void hcct_build_branch_rarely(struct hcct_unit *unit, LLVMValueRef condition, LLVMBasicBlockRef then,
                              LLVMBasicBlockRef other);
LLVMBasicBlockRef hcct_build_new_block(struct hcct_unit *unit, struct hcct_target *target, const char *name);
/* Calls a cold entry point of the runtime (hcct/abi.h). */
void hcct_build_call_runtime(struct hcct_unit *unit, const char *name, LLVMValueRef *arguments,
                             unsigned count);
/* The same for an entry point that is called often. */
void hcct_build_call_usual(struct hcct_unit *unit, const char *name, LLVMValueRef *arguments, unsigned count);
/* Calls what is called at an entry: with the last of six arguments. */
void hcct_build_call_last(struct hcct_unit *unit, const char *name, const LLVMValueRef *last, unsigned count,
                          bool cold);
LLVMValueRef hcct_build_call_intrinsic(struct hcct_unit *unit, const char *name, LLVMTypeRef overload,
                                       LLVMValueRef *arguments, unsigned count);
/* The address of the return address: the same throughout an activation, and no reason for a frame pointer. */
LLVMValueRef hcct_build_entry_sp(struct hcct_unit *unit);
/* The stack pointer itself: no register is kept for it. */
LLVMValueRef hcct_build_current_sp(struct hcct_unit *unit);
/* Takes the thread's word, and leaves none. */
LLVMValueRef hcct_build_take_word(struct hcct_unit *unit);
/* A debug location in the function, of no line. */
LLVMMetadataRef hcct_build_artificial_location(struct hcct_unit *unit, struct hcct_target *target);

/* --- what stands around calls (calls.c, pushes.c) ------------------------------------------------- */

LLVMValueRef hcct_build_site(struct hcct_unit *unit, struct hcct_target *target, uint32_t index);
/* The instruction at which control comes back from the call; NULL if it never does. */
LLVMValueRef hcct_build_return_point(const struct hcct_call *call);
/* Splits so that the instruction begins a block of its own, and takes the branch in front of it away. */
LLVMBasicBlockRef hcct_build_open(struct hcct_unit *unit, LLVMValueRef instruction);
bool hcct_build_passes_word(struct hcct_unit *unit, const struct hcct_call *call);
/* Gives the callee its word: as the last argument of `instruction`, which is the call or a copy of it, or in
 * the thread's word. */
void hcct_build_give_word(struct hcct_unit *unit, const struct hcct_call *call, LLVMValueRef instruction,
                          LLVMValueRef word);
/* As hcct_build_give_word, with the word that the runtime has left in the thread's word. */
void hcct_build_give_left_word(struct hcct_unit *unit, const struct hcct_call *call,
                               LLVMValueRef instruction);
void hcct_build_push(struct hcct_unit *unit, struct hcct_target *target, uint32_t index);
void hcct_build_push_outline(struct hcct_unit *unit, struct hcct_target *target, uint32_t index);
/* Takes off what one of these pushed for the call. */
void hcct_build_pop(struct hcct_unit *unit, const struct hcct_target *target, const struct hcct_call *call);
/* Whether uninstrumented code that the call leads to may run on memory in the target's own frame, as libffi's
 * does: above the stack pointer at the call. Then the frame of the push gets the stack pointer
 * hcct_build_lent_sp, which is above all that memory, so that what is called back there is below it. */
bool hcct_build_lends(const struct hcct_target *target, const struct hcct_call *call);
LLVMValueRef hcct_build_lent_sp(struct hcct_unit *unit);
/* Splits so that what follows the call begins a block of its own, which is returned. */
LLVMBasicBlockRef hcct_build_split_behind(const struct hcct_call *call);
/* The call once more, where the builder is, which is left behind it. */
LLVMValueRef hcct_build_copy(struct hcct_unit *unit, struct hcct_target *target,
                             const struct hcct_call *call);
/* The same between a push and a pop. */
LLVMValueRef hcct_build_repeat(struct hcct_unit *unit, struct hcct_target *target,
                               const struct hcct_call *call, uint32_t index);
/* Goes on to `behind`, where the call in `at` and `again`, in the builder's block, meet. */
void hcct_build_join(struct hcct_unit *unit, const struct hcct_call *call, LLVMValueRef again,
                     LLVMBasicBlockRef at, LLVMBasicBlockRef behind);
bool hcct_build_is_must_tail(const struct hcct_call *call);
/* Behind `again`, a copy of a call in tail position. */
void hcct_build_end_function(struct hcct_unit *unit, const struct hcct_call *call, LLVMValueRef again);
/* A pop where the call returns, if its activation goes on. Calls that may return twice have __hcct_arrive
 * there instead. */
void hcct_build_pop_behind(struct hcct_unit *unit, const struct hcct_target *target,
                           const struct hcct_call *call);

#endif
