/* The test build's oracle: an explicit shadow stack in the same binary, which shares nothing with the
 * encoding but the ids of sites. test/oracle/shadow.c holds the functions that are called here.
 *
 *     entry:       d = hcct_shadow_enter(record)          pushes; d is its depth
 *     every call:  hcct_shadow_call(d, site);  call;  hcct_shadow_return(d)
 *     landing pad: hcct_shadow_return(d)                  also after setjmp, which is a call
 *     return:      hcct_shadow_leave(d)
 *
 * Each activation keeps its depth itself, so that a longjmp or an exception leaves nothing behind. There are
 * no tail calls but musttail ones: in front of such a call stands hcct_shadow_tail(d, site), and nothing
 * behind it. */
#include "pass/emit/shadow.h"

#include <stdlib.h>

#include "pass/unit/bridge.h"
#include "pass/unit/ir.h"

static void call_hook(struct hcct_unit *unit, const char *name, LLVMValueRef *arguments, unsigned count)
{
    LLVMTypeRef types[2] = { unit->i64, unit->i64 };
    LLVMTypeRef type = LLVMFunctionType(unit->none, types, count, false);
    LLVMValueRef callee = LLVMGetNamedFunction(unit->module, name);
    callee = callee ? callee : LLVMAddFunction(unit->module, name, type);
    LLVMBuildCall2(unit->builder, type, callee, arguments, count, "");
}

static uint64_t site_id_of(const struct hcct_target *target, LLVMValueRef instruction)
{
    for (uint32_t i = 0; i < target->call_count; i++)
        if (target->calls[i].instruction == instruction)
            return target->calls[i].id;
    return 0; /* a call that the encoding takes for harmless */
}

static bool is_intrinsic_or_asm(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAInlineAsm(callee) || (LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee));
}

static void hook_call(struct hcct_unit *unit, struct hcct_target *target, LLVMValueRef call,
                      LLVMValueRef depth)
{
    LLVMValueRef arguments[] = { depth, LLVMConstInt(unit->i64, site_id_of(target, call), false) };
    bool leaves = LLVMIsACallInst(call) && hcct_bridge_tail_mark(call) == HCCT_TAIL_MARK_MUST;
    LLVMPositionBuilderBefore(unit->builder, call);
    call_hook(unit, leaves ? "hcct_shadow_tail" : "hcct_shadow_call", arguments, 2);
    LLVMValueRef back = NULL;
    if (LLVMIsAInvokeInst(call))
        back = hcct_bridge_first_insertion(hcct_bridge_split_normal_edge(call));
    else if (!leaves)
        back = LLVMGetNextInstruction(call);
    if (!back)
        return;
    LLVMPositionBuilderBefore(unit->builder, back);
    call_hook(unit, "hcct_shadow_return", &depth, 1);
}

static void hook_instruction(struct hcct_unit *unit, struct hcct_target *target, LLVMValueRef at,
                             LLVMValueRef depth)
{
    if (LLVMInstructionGetDebugLoc(at))
        LLVMSetCurrentDebugLocation2(unit->builder, LLVMInstructionGetDebugLoc(at));
    if (LLVMIsALandingPadInst(at)) {
        LLVMPositionBuilderBefore(unit->builder, hcct_bridge_first_insertion(LLVMGetInstructionParent(at)));
        call_hook(unit, "hcct_shadow_return", &depth, 1);
    } else if (LLVMIsAReturnInst(at)) {
        LLVMValueRef before = LLVMGetPreviousInstruction(at);
        if (before && LLVMIsACallInst(before) && hcct_bridge_tail_mark(before) == HCCT_TAIL_MARK_MUST)
            return;
        LLVMPositionBuilderBefore(unit->builder, at);
        call_hook(unit, "hcct_shadow_leave", &depth, 1);
    } else if ((LLVMIsACallInst(at) || LLVMIsAInvokeInst(at)) && !is_intrinsic_or_asm(at)) {
        hook_call(unit, target, at, depth);
    }
}

void hcct_shadow_add(struct hcct_unit *unit, struct hcct_target *target)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(target->function);
    LLVMValueRef first = LLVMGetFirstInstruction(entry);
    while (LLVMIsAAllocaInst(first))
        first = LLVMGetNextInstruction(first);
    size_t count = 0, capacity = 64;
    LLVMValueRef *list = malloc(capacity * sizeof *list);
    for (LLVMBasicBlockRef block = entry; block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
            if (count == capacity)
                list = realloc(list, (capacity *= 2) * sizeof *list);
            list[count++] = at;
        }

    LLVMMetadataRef subprogram = LLVMGetSubprogram(target->function);
    LLVMSetCurrentDebugLocation2(
        unit->builder,
        subprogram ? LLVMDIBuilderCreateDebugLocation(unit->context, 0, 0, subprogram, NULL) : NULL);
    LLVMPositionBuilderBefore(unit->builder, first);
    LLVMTypeRef type = LLVMFunctionType(unit->i64, (LLVMTypeRef[]){ unit->ptr }, 1, false);
    LLVMValueRef callee = LLVMGetNamedFunction(unit->module, "hcct_shadow_enter");
    callee = callee ? callee : LLVMAddFunction(unit->module, "hcct_shadow_enter", type);
    LLVMValueRef depth = LLVMBuildCall2(unit->builder, type, callee, &target->record, 1, "hcct.depth");
    for (size_t i = 0; i < count; i++)
        hook_instruction(unit, target, list[i], depth);
    free(list);
}
