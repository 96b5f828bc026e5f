/* See around.h. */
#include "pass/emit/around.h"

#include "pass/emit/build.h"
#include "pass/unit/ir.h"

LLVMValueRef hcct_around_site(struct hcct_unit *unit, struct hcct_target *target, uint32_t index)
{
    return hcct_build_address(unit,
                              hcct_build_at_offset(unit, target->sites, index * sizeof(struct hcct_site)));
}

LLVMValueRef hcct_around_return_point(const struct hcct_call *call)
{
    if (LLVMIsAInvokeInst(call->instruction))
        return hcct_bridge_first_insertion(hcct_bridge_split_normal_edge(call->instruction));
    LLVMValueRef next = LLVMGetNextInstruction(call->instruction);
    return LLVMIsAUnreachableInst(next) ? NULL : next;
}

LLVMBasicBlockRef hcct_around_open(struct hcct_unit *unit, LLVMValueRef instruction)
{
    LLVMBasicBlockRef before = LLVMGetInstructionParent(instruction);
    LLVMBasicBlockRef at = hcct_bridge_split_before(instruction);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(before));
    LLVMPositionBuilderAtEnd(unit->builder, before);
    return at;
}

bool hcct_around_passes_word(struct hcct_unit *unit, const struct hcct_call *call)
{
    return call->kind == HCCT_SITE_LOCAL && hcct_unit_target(unit, call->callee)->passed;
}

void hcct_around_give_word(struct hcct_unit *unit, const struct hcct_call *call, LLVMValueRef instruction,
                           LLVMValueRef word)
{
    if (!hcct_around_passes_word(unit, call)) {
        hcct_build_store(unit, word, unit->thread);
        return;
    }
    LLVMValueRef argument = LLVMBuildIntToPtr(unit->builder, word, unit->ptr, "");
    LLVMSetOperand(instruction, LLVMGetNumArgOperands(instruction) - 1, argument);
}

void hcct_around_give_left_word(struct hcct_unit *unit, const struct hcct_call *call,
                                LLVMValueRef instruction)
{
    if (hcct_around_passes_word(unit, call))
        hcct_around_give_word(unit, call, instruction, hcct_build_take_word(unit));
}

void hcct_around_push(struct hcct_unit *unit, struct hcct_target *target, uint32_t index)
{
    LLVMValueRef arguments[] = { target->word, hcct_around_site(unit, target, index) };
    hcct_build_call_runtime(unit, "__hcct_push", arguments, 2);
}

void hcct_around_push_outline(struct hcct_unit *unit, struct hcct_target *target, uint32_t index)
{
    LLVMValueRef arguments[] = { target->word, hcct_around_site(unit, target, index) };
    hcct_build_call_runtime(unit, "__hcct_push_outline", arguments, 2);
}

void hcct_around_pop(struct hcct_unit *unit)
{
    hcct_build_call_runtime(unit, "__hcct_pop", NULL, 0);
}

LLVMValueRef hcct_around_repeat(struct hcct_unit *unit, struct hcct_target *target,
                                const struct hcct_call *call, uint32_t index)
{
    LLVMValueRef again = LLVMInstructionClone(call->instruction);
    if (call->pushes)
        hcct_around_push_outline(unit, target, index);
    else
        hcct_around_push(unit, target, index);
    hcct_around_give_left_word(unit, call, again);
    LLVMInsertIntoBuilder(unit->builder, again);
    hcct_around_pop(unit);
    return again;
}

static bool has_result(LLVMValueRef call)
{
    return LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
}

void hcct_around_join(struct hcct_unit *unit, const struct hcct_call *call, LLVMValueRef again,
                      LLVMBasicBlockRef at, LLVMBasicBlockRef behind)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef repeated = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, behind);
    if (!has_result(call->instruction))
        return;
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(behind));
    LLVMValueRef result = LLVMBuildPhi(b, LLVMTypeOf(again), "");
    LLVMReplaceAllUsesWith(call->instruction, result);
    LLVMAddIncoming(result, (LLVMValueRef[]){ call->instruction, again },
                    (LLVMBasicBlockRef[]){ at, repeated }, 2);
}

bool hcct_around_is_must_tail(const struct hcct_call *call)
{
    return hcct_bridge_tail_mark(call->instruction) == HCCT_TAIL_MARK_MUST;
}

void hcct_around_end_function(struct hcct_unit *unit, const struct hcct_call *call, LLVMValueRef again)
{
    if (LLVMGetNumOperands(hcct_bridge_next_real(call->instruction)))
        LLVMBuildRet(unit->builder, again);
    else
        LLVMBuildRetVoid(unit->builder);
}

void hcct_around_pop_behind(struct hcct_unit *unit, const struct hcct_call *call)
{
    LLVMValueRef back = hcct_around_return_point(call);
    if (!back || (LLVMIsACallInst(call->instruction) && hcct_bridge_returns_twice(call->instruction)))
        return;
    LLVMPositionBuilderBefore(unit->builder, back);
    hcct_around_pop(unit);
}
