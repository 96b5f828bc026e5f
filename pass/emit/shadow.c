/* The test build's oracle: an explicit shadow stack in the same binary, which shares nothing with the
 * encoding but the ids of sites. test/oracle/shadow.c holds the functions that are called here.
 *
 *     entry:       d = hcct_shadow_enter(record, sp, function)   pushes; d is its depth
 *     every call:  hcct_shadow_call(d, site);  call;  hcct_shadow_return(d)
 *     landing pad: hcct_shadow_return(d)                  also after setjmp, which is a call
 *     return:      hcct_shadow_leave(d)
 *
 * Each activation keeps its depth itself, so that a longjmp or an exception leaves nothing behind. In front
 * of a tail call stands hcct_shadow_tail(d, site, sp, callee or NULL), and nothing behind it. If it becomes a
 * plain call at run time, that is in its place hcct_shadow_stay(d);  call;  hcct_shadow_leave(d). The stack
 * pointer is that at the function's entry, which the callee of a tail call has, too. */
#include "pass/emit/shadow.h"

#include <stdlib.h>

#include "pass/emit/build.h"
#include "pass/unit/bridge.h"
#include "pass/unit/ir.h"

static void call_hook(struct hcct_unit *unit, const char *name, LLVMValueRef *arguments, unsigned count)
{
    LLVMTypeRef types[4] = { unit->i64, unit->i64, unit->i64, unit->ptr };
    LLVMTypeRef type = LLVMFunctionType(unit->none, types, count, false);
    LLVMValueRef callee = LLVMGetNamedFunction(unit->module, name);
    callee = callee ? callee : LLVMAddFunction(unit->module, name, type);
    LLVMBuildCall2(unit->builder, type, callee, arguments, count, "");
}

/* NULL: a call that the encoding takes for harmless. */
static const struct hcct_call *find_call(const struct hcct_target *target, LLVMValueRef instruction)
{
    for (uint32_t i = target->call_count; i-- > 0;)
        if (target->calls[i].instruction == instruction)
            return &target->calls[i];
    return NULL;
}

static bool is_intrinsic_or_asm(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAInlineAsm(callee) || (LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee));
}

static bool is_tail(const struct hcct_target *target, LLVMValueRef instruction)
{
    const struct hcct_call *call = LLVMIsACallInst(instruction) ? find_call(target, instruction) : NULL;
    return call && call->tail;
}

static void hook_call(struct hcct_unit *unit, struct hcct_target *target, LLVMValueRef call,
                      LLVMValueRef depth)
{
    const struct hcct_call *site = find_call(target, call);
    LLVMValueRef arguments[4] = { depth, LLVMConstInt(unit->i64, site ? site->id : 0, false) };
    bool leaves = is_tail(target, call);
    LLVMPositionBuilderBefore(unit->builder, call);
    if (leaves) {
        LLVMValueRef callee = LLVMGetCalledValue(call);
        arguments[2] = hcct_build_entry_sp(unit);
        arguments[3] = LLVMIsAFunction(callee) ? callee : LLVMConstNull(unit->ptr);
    }
    call_hook(unit, leaves ? "hcct_shadow_tail" : "hcct_shadow_call", arguments, leaves ? 4 : 2);
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
        if (before && is_tail(target, before))
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
    LLVMTypeRef types[] = { unit->ptr, unit->i64, unit->ptr };
    LLVMTypeRef type = LLVMFunctionType(unit->i64, types, 3, false);
    LLVMValueRef callee = LLVMGetNamedFunction(unit->module, "hcct_shadow_enter");
    callee = callee ? callee : LLVMAddFunction(unit->module, "hcct_shadow_enter", type);
    LLVMValueRef arguments[] = { target->record, hcct_build_entry_sp(unit), target->function };
    LLVMValueRef depth = LLVMBuildCall2(unit->builder, type, callee, arguments, 3, "hcct.depth");
    for (size_t i = 0; i < count; i++)
        hook_instruction(unit, target, list[i], depth);
    free(list);
    target->depth = depth;
}

static void hook_depth(struct hcct_unit *unit, const struct hcct_target *target, const char *name)
{
    LLVMValueRef depth = target->depth;
    if (depth)
        call_hook(unit, name, &depth, 1);
}

void hcct_shadow_stay(struct hcct_unit *unit, const struct hcct_target *target)
{
    hook_depth(unit, target, "hcct_shadow_stay");
}

void hcct_shadow_leave(struct hcct_unit *unit, const struct hcct_target *target)
{
    hook_depth(unit, target, "hcct_shadow_leave");
}
