/* The restoring build (HCCT_TIME): at any instruction the thread's `current` is the word of the instrumented
 * function that runs. While code that is not instrumented runs, it is the word of the function that called
 * it. So a signal handler can read where the program is.
 *
 *     entry:          saved = current; current = w
 *     return:         current = saved                   in front of a call that stays a sibling call
 *     landing pad:    current = w                       also where setjmp returned
 *
 * Invariants
 *   1. `current` is w from its store at the entry to the one at the return, but while instrumented callees
 *      run, which leave it as they found it; so code that is not instrumented and calls back finds it again,
 *      too;
 *   2. until the callee stores its own, and again once it has put back what it found, `current` is the
 *      caller's: a call and its push need no code;
 *   3. a function that a jump or an exception leaves does not put it back. Instrumented code in which such
 *      arrives stores its own word again; elsewhere the runtime does (runtime/boundary/jump.c).
 * Cost: a load and two stores for each call, and a register or a word of the stack for `saved`. */
#include "pass/emit/current.h"

#include <string.h>

#include "pass/emit/build.h"

static LLVMValueRef current_field(struct hcct_unit *unit)
{
    return hcct_build_thread_field(unit, offsetof(struct hcct_thread, current));
}

LLVMValueRef hcct_current_load(struct hcct_unit *unit)
{
    return hcct_build_load(unit, unit->i64, current_field(unit), "hcct.saved");
}

void hcct_current_enter(struct hcct_unit *unit, struct hcct_target *target)
{
    target->saved = hcct_current_load(unit);
    hcct_build_store(unit, target->word, current_field(unit));
}

static void store_before(struct hcct_unit *unit, struct hcct_target *target, LLVMValueRef at,
                         LLVMValueRef word)
{
    LLVMPositionBuilderBefore(unit->builder, at);
    LLVMSetCurrentDebugLocation2(unit->builder, hcct_build_artificial_location(unit, target));
    hcct_build_store(unit, word, current_field(unit));
}

/* The call of `target` that `instruction` is; NULL: its callee needs no context. */
static const struct hcct_call *find_call(const struct hcct_target *target, LLVMValueRef instruction)
{
    for (uint32_t i = 0; i < target->call_count; i++)
        if (target->calls[i].instruction == instruction)
            return &target->calls[i];
    return NULL;
}

static bool is_debug(LLVMValueRef at)
{
    size_t length;
    LLVMValueRef callee = LLVMIsACallInst(at) ? LLVMGetCalledValue(at) : NULL;
    return callee && LLVMIsAFunction(callee) &&
           strncmp(LLVMGetValueName2(callee, &length), "llvm.dbg.", 9) == 0;
}

/* The last instruction in front of `at` in its block that does something (LLVM 16 to 18 have intrinsics for
 * debuggers), or NULL. */
static LLVMValueRef previous_real(LLVMValueRef at)
{
    do
        at = LLVMGetPreviousInstruction(at);
    while (at && is_debug(at));
    return at;
}

void hcct_current_hold_tails(struct hcct_target *target)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(target->function); block;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef leave = LLVMGetBasicBlockTerminator(block);
        LLVMValueRef last = LLVMIsAReturnInst(leave) ? previous_real(leave) : NULL;
        if (!last || !LLVMIsACallInst(last) || hcct_bridge_tail_mark(last) != HCCT_TAIL_MARK_TAIL)
            continue;
        const struct hcct_call *call = find_call(target, last);
        if (!call || !call->tail)
            LLVMSetTailCall(last, false);
    }
}

LLVMValueRef hcct_current_last_act(LLVMValueRef leave)
{
    LLVMValueRef last = previous_real(leave);
    bool sibling = last && LLVMIsACallInst(last) && !LLVMIsAInlineAsm(LLVMGetCalledValue(last)) &&
                   hcct_bridge_tail_mark(last) >= HCCT_TAIL_MARK_TAIL;
    return sibling ? last : leave;
}

void hcct_current_leave(struct hcct_unit *unit, struct hcct_target *target)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(target->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
            next = LLVMGetNextInstruction(at);
            if (LLVMIsAReturnInst(at))
                store_before(unit, target, hcct_current_last_act(at), target->saved);
            else if (LLVMIsALandingPadInst(at))
                store_before(unit, target, hcct_bridge_first_insertion(block), target->word);
            else if (LLVMIsACallInst(at) && hcct_bridge_returns_twice(at))
                store_before(unit, target, next, target->word);
        }
}
