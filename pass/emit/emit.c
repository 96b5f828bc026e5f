/* Emits the code of an instrumented function. Its entry is in entry.c, the code around its calls in calls.c
 * and pushes.c. Here is what keeps the context stack right where control leaves or arrives without a return:
 * longjmp, setjmp, exceptions. */
#include "pass/emit/emit.h"

#include <stdlib.h>
#include <string.h>

#include "pass/emit/build.h"
#include "pass/emit/calls.h"
#include "pass/emit/clock.h"
#include "pass/emit/entry.h"
#include "pass/emit/fence.h"
#include "pass/emit/label.h"
#include "pass/unit/ir.h"

static void emit_arrival(struct hcct_unit *unit, struct hcct_target *target, LLVMValueRef at)
{
    LLVMPositionBuilderBefore(unit->builder, at);
    LLVMSetCurrentDebugLocation2(unit->builder, hcct_build_artificial_location(unit, target));
    LLVMValueRef sp = hcct_build_entry_sp(unit);
    hcct_build_call_runtime(unit, "__hcct_arrive", &sp, 1);
}

/* Whether the call is a direct one, to a function that the module declares under one of `count` names. */
static bool calls_one_of(LLVMValueRef call, const char *const *names, size_t count)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    const char *name =
        LLVMIsAFunction(callee) && LLVMIsDeclaration(callee) ? LLVMGetValueName2(callee, &length) : "";
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool is_jump(LLVMValueRef call)
{
    static const char *const names[] = { "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk" };
    return calls_one_of(call, names, sizeof names / sizeof names[0]) && LLVMGetNumArgOperands(call) == 2;
}

/* Tells the runtime of each jump. If it arrives in code that is not instrumented, nothing there takes off the
 * frames of the functions that it left. */
static void emit_jumps(struct hcct_unit *unit, struct hcct_target *target)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(target->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
            if (!(LLVMIsACallInst(at) || LLVMIsAInvokeInst(at)) || !is_jump(at))
                continue;
            LLVMValueRef environment = LLVMGetOperand(at, 0);
            LLVMPositionBuilderBefore(unit->builder, at);
            LLVMSetCurrentDebugLocation2(unit->builder, LLVMInstructionGetDebugLoc(at));
            hcct_build_call_runtime(unit, "__hcct_jump", &environment, 1);
        }
}

/* Functions of the run-time API (hcct/hcct.h) that ask for their caller's context. The caller leaves its word
 * where a numbered callee would find its own, and they take it as one (runtime/stack/here.c). */
static bool is_told_context(LLVMValueRef call)
{
    static const char *const names[] = { "__hcct_api_context",       "__hcct_api_context_describe",
                                         "__hcct_api_context_pin",   "__hcct_api_count",
                                         "__hcct_api_heap_allocate", "__hcct_heap_given" };
    return calls_one_of(call, names, sizeof names / sizeof names[0]);
}

static void tell_contexts(struct hcct_unit *unit, struct hcct_target *target)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(target->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
            if (!(LLVMIsACallInst(at) || LLVMIsAInvokeInst(at)) || !is_told_context(at))
                continue;
            LLVMPositionBuilderBefore(unit->builder, at);
            LLVMSetCurrentDebugLocation2(unit->builder, LLVMInstructionGetDebugLoc(at));
            hcct_build_store(unit, target->word, unit->thread);
        }
}

/* --- ends of activations ---------------------------------------------------------------------------- */

#define END_BLOCKS 32 /* to look at, from a block on; of larger ends nothing is known */

/* Blocks in which the frames on the context stack must be live: the function may return there, or calls
 * something without the runtime looking at the stack first. Sorted. */
struct blocks {
    LLVMBasicBlockRef *list;
    size_t count;
};

static int compare_blocks(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)*(const LLVMBasicBlockRef *)a, y = (uintptr_t)*(const LLVMBasicBlockRef *)b;
    return (x > y) - (x < y);
}

static struct blocks find_exposed(const struct hcct_target *target)
{
    size_t most = target->call_count + LLVMCountBasicBlocks(target->function);
    struct blocks found = { malloc(most * sizeof *found.list), 0 };
    if (!found.list)
        return found;
    for (uint32_t i = 0; i < target->call_count; i++)
        if (!hcct_calls_is_pushed_by_runtime(target, &target->calls[i]))
            found.list[found.count++] = LLVMGetInstructionParent(target->calls[i].instruction);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(target->function); block;
         block = LLVMGetNextBasicBlock(block))
        if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(block)))
            found.list[found.count++] = block;
    qsort(found.list, found.count, sizeof *found.list, compare_blocks);
    return found;
}

static bool holds(const LLVMBasicBlockRef *list, size_t count, LLVMBasicBlockRef block)
{
    while (count && list[count - 1] != block)
        count--;
    return count > 0;
}

/* Whether the block only leads to the end of the activation, by blocks that are not exposed: where an
 * exception goes on, or the process ends. Then dead frames may stay: pushes by the runtime take them off, and
 * so does what the exception reaches. */
static bool only_leaves(LLVMBasicBlockRef block, const struct blocks *exposed)
{
    LLVMBasicBlockRef seen[END_BLOCKS] = { block };
    size_t count = 1;
    for (size_t i = 0; i < count; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(seen[i]);
        if (bsearch(&seen[i], exposed->list, exposed->count, sizeof *exposed->list, compare_blocks))
            return false;
        for (unsigned j = 0; j < LLVMGetNumSuccessors(end); j++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, j);
            if (holds(seen, count, next))
                continue;
            if (count == END_BLOCKS)
                return false;
            seen[count++] = next;
        }
    }
    return true;
}

/* Whether the stack pointer is the same at each of the function's calls. Else a dead frame of one call would
 * seem to be live at a later one. */
static bool has_fixed_frame(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
            if (LLVMIsAAllocaInst(at) &&
                !(block == LLVMGetEntryBasicBlock(function) && LLVMIsAConstantInt(LLVMGetOperand(at, 0))))
                return false;
    return true;
}

static void find_leaving_calls(struct hcct_target *target, const struct blocks *exposed)
{
    for (uint32_t i = 0; i < target->call_count; i++) {
        struct hcct_call *call = &target->calls[i];
        call->leaves = hcct_calls_is_pushed_by_runtime(target, call) && !call->guess &&
                       only_leaves(LLVMGetInstructionParent(call->instruction), exposed);
    }
}

/* --- arrivals --------------------------------------------------------------------------------------- */

/* Where control arrives without a return, frames of what was left are taken off. */
static void emit_arrivals(struct hcct_unit *unit, struct hcct_target *target)
{
    struct blocks exposed = find_exposed(target);
    bool known = exposed.list && has_fixed_frame(target->function);
    if (known)
        find_leaving_calls(target, &exposed);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(target->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
            next = LLVMGetNextInstruction(at);
            if (LLVMIsALandingPadInst(at) && !(known && only_leaves(block, &exposed)))
                emit_arrival(unit, target, hcct_bridge_first_insertion(block));
            else if (LLVMIsACallInst(at) && hcct_bridge_returns_twice(at))
                emit_arrival(unit, target, next);
        }
    free(exposed.list);
}

void hcct_emit_function(struct hcct_unit *unit, struct hcct_target *target)
{
    hcct_entry_emit(unit, target);
    emit_jumps(unit, target);
    tell_contexts(unit, target);
    if (target->call_count)
        emit_arrivals(unit, target);
    if (target->measured)
        hcct_clock_hold_tails(target);
    hcct_calls_emit(unit, target);
    if (target->clock)
        hcct_clock_leave(unit, target);
    hcct_fence_assembly(unit, target->function);
    hcct_label_calls(unit, target);
}
