/* The measuring build (HCCT_CLOCK): functions whose time is measured tell the runtime when they begin and end
 * (runtime/meter/clock.c), and it knows at any moment which of them runs.
 *
 *     entry:         __hcct_clock_enter(w, frame)      behind the count
 *     return:        __hcct_clock_leave(frame)         in front of a call that stays a sibling call
 *     landing pad:   clock = { w, frame }              also where setjmp returned
 *
 * `frame`, on the function's own stack, holds what was measured before. Other functions of the build, if a
 * jump or an exception can arrive in them, keep there what was measured at their entry, and put that back
 * where such arrives.
 *
 * Invariants
 *   1. `clock.word` is that of the newest measured function that runs or called what runs, `clock.frame` its
 *      frame; 0 and NULL: none;
 *   2. a function that a jump or an exception leaves does not put it back. A function of this build in which
 *      such arrives does; elsewhere the runtime does (runtime/boundary/jump.c);
 *   3. a sibling call ends its caller's time.
 * Cost: docs/metrics.md. */
#include "pass/emit/clock.h"

#include <string.h>

#include "pass/emit/build.h"
#include "pass/unit/ir.h"

static LLVMValueRef clock_word(struct hcct_unit *unit)
{
    return hcct_build_thread_field(unit, offsetof(struct hcct_thread, clock.word));
}

static LLVMValueRef clock_frame(struct hcct_unit *unit)
{
    return hcct_build_thread_field(unit, offsetof(struct hcct_thread, clock.frame));
}

static LLVMValueRef make_frame(struct hcct_unit *unit, struct hcct_target *target)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(target->function);
    LLVMPositionBuilderBefore(unit->builder, LLVMGetFirstInstruction(entry));
    LLVMTypeRef type = LLVMArrayType(unit->i64, sizeof(struct hcct_clock) / 8);
    LLVMValueRef frame = LLVMBuildAlloca(unit->builder, type, "hcct.clock");
    LLVMSetAlignment(frame, 8);
    return frame;
}

void hcct_clock_enter(struct hcct_unit *unit, struct hcct_target *target, LLVMValueRef first)
{
    LLVMValueRef frame = target->clock = make_frame(unit, target);
    LLVMPositionBuilderBefore(unit->builder, first);
    LLVMSetCurrentDebugLocation2(unit->builder, hcct_build_artificial_location(unit, target));
    if (target->measured) {
        hcct_build_call_usual(unit, "__hcct_clock_enter", (LLVMValueRef[]){ target->word, frame }, 2);
        return;
    }
    LLVMValueRef word = hcct_build_load(unit, unit->i64, clock_word(unit), "");
    LLVMValueRef outer = hcct_build_load(unit, unit->ptr, clock_frame(unit), "");
    hcct_build_store(unit, word, hcct_build_at_offset(unit, frame, offsetof(struct hcct_clock, word)));
    hcct_build_store(unit, outer, hcct_build_at_offset(unit, frame, offsetof(struct hcct_clock, frame)));
}

static void emit_arrival(struct hcct_unit *unit, struct hcct_target *target)
{
    LLVMValueRef word = target->word, frame = target->clock;
    if (!target->measured) {
        word = hcct_build_load(unit, unit->i64,
                               hcct_build_at_offset(unit, frame, offsetof(struct hcct_clock, word)), "");
        frame = hcct_build_load(unit, unit->ptr,
                                hcct_build_at_offset(unit, frame, offsetof(struct hcct_clock, frame)), "");
    }
    hcct_build_store(unit, word, clock_word(unit));
    hcct_build_store(unit, frame, clock_frame(unit));
}

static void place_before(struct hcct_unit *unit, struct hcct_target *target, LLVMValueRef at)
{
    LLVMPositionBuilderBefore(unit->builder, at);
    LLVMSetCurrentDebugLocation2(unit->builder, hcct_build_artificial_location(unit, target));
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

void hcct_clock_hold_tails(struct hcct_target *target)
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

/* Where code for the return `leave` has to stand in front of: the sibling call before it, if there is one, as
 * nothing may follow that; else the return itself. */
static LLVMValueRef last_act(LLVMValueRef leave)
{
    LLVMValueRef last = previous_real(leave);
    bool sibling = last && LLVMIsACallInst(last) && !LLVMIsAInlineAsm(LLVMGetCalledValue(last)) &&
                   hcct_bridge_tail_mark(last) >= HCCT_TAIL_MARK_TAIL;
    return sibling ? last : leave;
}

void hcct_clock_leave(struct hcct_unit *unit, struct hcct_target *target)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(target->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
            next = LLVMGetNextInstruction(at);
            if (LLVMIsAReturnInst(at) && target->measured) {
                place_before(unit, target, last_act(at));
                hcct_build_call_usual(unit, "__hcct_clock_leave", &target->clock, 1);
            } else if (hcct_ir_is_arrival(at)) {
                place_before(unit, target,
                             LLVMIsALandingPadInst(at) ? hcct_bridge_first_insertion(block) : next);
                emit_arrival(unit, target);
            }
        }
}
