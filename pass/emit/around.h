/* Steps that the code around several kinds of calls consists of (calls.c, pushes.c). Each emits where the
 * builder is, unless it says otherwise. */
#ifndef HCCT_PASS_EMIT_AROUND_H
#define HCCT_PASS_EMIT_AROUND_H

#include "pass/unit/unit.h"

LLVMValueRef hcct_around_site(struct hcct_unit *unit, struct hcct_target *target, uint32_t index);
/* The instruction at which control comes back from the call; NULL if it never does. */
LLVMValueRef hcct_around_return_point(const struct hcct_call *call);
/* Splits so that the instruction begins a block of its own, and takes the branch in front of it away. */
LLVMBasicBlockRef hcct_around_open(struct hcct_unit *unit, LLVMValueRef instruction);
bool hcct_around_passes_word(struct hcct_unit *unit, const struct hcct_call *call);
/* As the last argument of `instruction`, which is the call or a copy of it, or in the thread's word. */
void hcct_around_give_word(struct hcct_unit *unit, const struct hcct_call *call, LLVMValueRef instruction,
                           LLVMValueRef word);
/* The runtime has left in the thread's word what the callee is to find there. */
void hcct_around_give_left_word(struct hcct_unit *unit, const struct hcct_call *call,
                                LLVMValueRef instruction);
void hcct_around_push(struct hcct_unit *unit, struct hcct_target *target, uint32_t index);
void hcct_around_push_outline(struct hcct_unit *unit, struct hcct_target *target, uint32_t index);
void hcct_around_pop(struct hcct_unit *unit);
/* The call once more, where the builder is, between a push and a pop. */
LLVMValueRef hcct_around_repeat(struct hcct_unit *unit, struct hcct_target *target,
                                const struct hcct_call *call, uint32_t index);
/* Goes on to `behind`, where the call in `at` and `again`, in the builder's block, meet. */
void hcct_around_join(struct hcct_unit *unit, const struct hcct_call *call, LLVMValueRef again,
                      LLVMBasicBlockRef at, LLVMBasicBlockRef behind);
bool hcct_around_is_must_tail(const struct hcct_call *call);
/* Behind `again`, a copy of a call in tail position. */
void hcct_around_end_function(struct hcct_unit *unit, const struct hcct_call *call, LLVMValueRef again);
/* A pop where the call returns. Calls that may return twice have __hcct_arrive there instead. */
void hcct_around_pop_behind(struct hcct_unit *unit, const struct hcct_call *call);

#endif
