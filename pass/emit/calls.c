/* Emits what stands around the calls of a function.
 *
 *     prenumbered: ctx = w + delta;  call
 *     numbered:    d = delta;  if (d > 0) { ctx = w + d;  call }  else { __hcct_push;  call;  __hcct_pop }
 *     pushing:     as pushes.c says
 *     asked:       __hcct_call;  call;  __hcct_called      where it seldom runs, and at -O0
 *     rare:        __hcct_push;  call;  __hcct_pop
 *     a library's: if (delta == HCCT_DELTA_NONE) call else as asked or rare; if it may be noted, asked by
 *                  __hcct_call_noted and __hcct_called_noted
 *     a stand-in:  if (delta != HCCT_DELTA_NONE) as prenumbered, numbered or rare
 *
 * A callee that takes its word as a parameter is given it there, and ctx is not touched.
 *
 * Invariants
 *   1. nothing follows a call in tail position. The exception is a call that turns out at run time to leave
 *      instrumented code: nobody could tell later whether its frame is live, so it becomes a plain call;
 *   2. a call that may stand in the code only once (setjmp, noduplicate) is not copied: code behind it asks
 *      again whether the code in front of it pushed, and pops. So in front, __hcct_call numbers what is not
 *      numbered yet before it decides. */
#include "pass/emit/calls.h"

#include "pass/emit/build.h"
#include "pass/emit/pushes.h"
#include "pass/emit/shadow.h"
#include "pass/select/library.h"
#include "pass/unit/ir.h"

/* No test. A wrong delta, before the program is numbered, does no harm (hcct/abi.h, invariant 6). */
static void emit_prenumbered_call(struct hcct_unit *unit, struct hcct_target *target,
                                  const struct hcct_call *call, uint32_t index)
{
    LLVMPositionBuilderBefore(unit->builder, call->instruction);
    LLVMValueRef delta = hcct_build_delta(unit, target, index);
    hcct_build_give_word(unit, call, call->instruction, LLVMBuildAdd(unit->builder, target->word, delta, ""));
}

/* --- numbered or not --------------------------------------------------------------------------- */

/* For a call of a library function: branches to `skipped` if it calls nothing back in this program, else to a
 * new block, where the builder is left. */
static void skip_library(struct hcct_unit *unit, struct hcct_target *target, uint32_t index,
                         LLVMBasicBlockRef skipped)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef replaced = hcct_build_new_block(unit, target, "hcct.replaced");
    LLVMValueRef delta =
        hcct_build_load_folded(unit, hcct_build_place(unit, hcct_build_delta_address(unit, target, index)));
    LLVMValueRef none = hcct_build_constant(unit, (uint64_t)HCCT_DELTA_NONE);
    hcct_build_branch_rarely(unit, LLVMBuildICmp(b, LLVMIntNE, delta, none, ""), replaced, skipped);
    LLVMPositionBuilderAtEnd(b, replaced);
}

/* Calls of a lower weight run once in 2^16 entries or less: those behind landing pads, and those that the
 * process does not survive. */
#define RARE_FREQUENCY 112

static bool is_rare(const struct hcct_target *target, const struct hcct_call *call)
{
    return call->cold && (call->weight < RARE_FREQUENCY || hcct_build_lends(target, call));
}

/* Whether the code pushes a frame without a look at the delta (but for HCCT_DELTA_NONE): that is shorter.
 * It is done for rare calls, for stdio, and for what waits, as hardly a program has such functions of its
 * own. */
static bool pushes_beside(const struct hcct_target *target, const struct hcct_call *call)
{
    return !call->tail &&
           (is_rare(target, call) || call->library & (HCCT_LIBRARY_STREAM | HCCT_LIBRARY_WAIT));
}

bool hcct_calls_is_framed(const struct hcct_target *target, const struct hcct_call *call)
{
    return pushes_beside(target, call) && !call->pushes && !call->prenumbered && !call->guess;
}

/* Whether the runtime looks at the delta: where the code finds that a call of a library function goes to one
 * of the program's own, which is seldom. */
static bool asks_beside(const struct hcct_target *target, const struct hcct_call *call)
{
    return call->library && !call->tail && !pushes_beside(target, call);
}

/* No meter wants to know of calls that only give memory back. */
bool hcct_calls_notes(const struct hcct_target *target, const struct hcct_call *call)
{
    return call->library && call->kind == HCCT_SITE_SYMBOL && !call->tail && !pushes_beside(target, call) &&
           !call->pushes && !call->prenumbered && !call->guess && !call->external &&
           !hcct_library_only_releases(call->callee);
}

static void ask(struct hcct_unit *unit, struct hcct_target *target, uint32_t index)
{
    LLVMValueRef arguments[] = { hcct_build_site(unit, target, index), target->word };
    const char *name = hcct_calls_notes(target, &target->calls[index]) ? "__hcct_call_noted" : "__hcct_call";
    hcct_build_call_last(unit, name, arguments, 2, false);
}

static void end_asked(struct hcct_unit *unit, struct hcct_target *target, uint32_t index)
{
    LLVMValueRef delta = hcct_build_address(unit, hcct_build_delta_address(unit, target, index));
    const char *name =
        hcct_calls_notes(target, &target->calls[index]) ? "__hcct_called_noted" : "__hcct_called";
    hcct_build_call_usual(unit, name, &delta, 1);
}

/* --- the ways in front of a call ------------------------------------------------------------------ */

/* In front of the block `at`, which begins with the call: if the call is numbered, gives the word and goes to
 * `at`, else to `push`. If pushes_beside or asks_beside, goes to `push` in any case. Returns the delta, then
 * NULL. */
static LLVMValueRef emit_numbered_side(struct hcct_unit *unit, struct hcct_target *target,
                                       const struct hcct_call *call, uint32_t index, LLVMBasicBlockRef at,
                                       LLVMBasicBlockRef push)
{
    LLVMBuilderRef b = unit->builder;
    if (call->library)
        skip_library(unit, target, index, at);
    if (pushes_beside(target, call) || asks_beside(target, call)) {
        LLVMBuildBr(b, push);
        return NULL;
    }
    LLVMBasicBlockRef fast = hcct_build_new_block(unit, target, "hcct.numbered");
    LLVMValueRef delta = hcct_build_load(
        unit, unit->i64, hcct_build_place(unit, hcct_build_delta_address(unit, target, index)), "hcct.delta");
    LLVMValueRef pushes = LLVMBuildICmp(b, LLVMIntSLE, delta, hcct_build_constant(unit, 0), "");
    hcct_build_branch_rarely(unit, pushes, push, fast);
    LLVMPositionBuilderAtEnd(b, fast);
    hcct_build_give_word(unit, call, call->instruction, LLVMBuildAdd(b, target->word, delta, ""));
    LLVMBuildBr(b, at);
    return delta;
}

static void emit_repeated_call(struct hcct_unit *unit, struct hcct_target *target,
                               const struct hcct_call *call, uint32_t index)
{
    LLVMBasicBlockRef behind = hcct_build_split_behind(call);
    LLVMBasicBlockRef at = hcct_build_open(unit, call->instruction);
    LLVMBasicBlockRef push = hcct_build_new_block(unit, target, "hcct.tested");
    emit_numbered_side(unit, target, call, index, at, push);
    LLVMPositionBuilderAtEnd(unit->builder, push);
    LLVMValueRef again;
    if (asks_beside(target, call)) {
        ask(unit, target, index);
        again = hcct_build_copy(unit, target, call);
        end_asked(unit, target, index);
    } else {
        again = hcct_build_repeat(unit, target, call, index);
    }
    hcct_build_join(unit, call, again, at, behind);
}

static void emit_pop_if_pushed(struct hcct_unit *unit, struct hcct_target *target, uint32_t index,
                               LLVMValueRef back)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef done = hcct_build_open(unit, back);
    LLVMBasicBlockRef pop = hcct_build_new_block(unit, target, "hcct.pop");
    if (target->calls[index].library)
        skip_library(unit, target, index, done);
    if (pushes_beside(target, &target->calls[index]) || asks_beside(target, &target->calls[index])) {
        LLVMBuildBr(b, pop);
    } else {
        LLVMValueRef delta = hcct_build_load_folded(
            unit, hcct_build_place(unit, hcct_build_delta_address(unit, target, index)));
        LLVMValueRef pushed = LLVMBuildICmp(b, LLVMIntSLE, delta, hcct_build_constant(unit, 0), "");
        hcct_build_branch_rarely(unit, pushed, pop, done);
    }
    LLVMPositionBuilderAtEnd(b, pop);
    if (asks_beside(target, &target->calls[index]))
        end_asked(unit, target, index);
    else
        hcct_build_pop(unit, target, &target->calls[index]);
    LLVMBuildBr(b, done);
}

/* Invariant 2. The word is given at the call itself, where both ways to it have met. */
static void emit_single_call(struct hcct_unit *unit, struct hcct_target *target, const struct hcct_call *call,
                             uint32_t index)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef at = hcct_build_open(unit, call->instruction);
    LLVMBasicBlockRef push = hcct_build_new_block(unit, target, "hcct.tested");
    emit_numbered_side(unit, target, call, index, at, push);
    LLVMPositionBuilderAtEnd(b, push);
    if (pushes_beside(target, call))
        hcct_build_push(unit, target, index);
    else
        ask(unit, target, index);
    LLVMValueRef numbered = NULL, left = NULL;
    if (hcct_build_passes_word(unit, call)) {
        unsigned last = LLVMGetNumArgOperands(call->instruction) - 1;
        numbered = LLVMGetOperand(call->instruction, last);
        hcct_build_give_left_word(unit, call, call->instruction);
        left = LLVMGetOperand(call->instruction, last);
    }
    LLVMBuildBr(b, at);
    if (left) {
        hcct_bridge_position_at_start(b, at);
        LLVMValueRef word = LLVMBuildPhi(b, unit->ptr, "hcct.passed");
        LLVMBasicBlockRef fast = LLVMGetInstructionParent(numbered);
        LLVMAddIncoming(word, (LLVMValueRef[]){ numbered, left }, (LLVMBasicBlockRef[]){ fast, push }, 2);
        LLVMSetOperand(call->instruction, LLVMGetNumArgOperands(call->instruction) - 1, word);
    }
    LLVMValueRef back = hcct_build_return_point(call);
    if (back && !(LLVMIsACallInst(call->instruction) && hcct_bridge_returns_twice(call->instruction)))
        emit_pop_if_pushed(unit, target, index, back);
}

/* Invariant 1, where a tail call is not numbered: if the callee is not instrumented (its delta is open, or
 * its object could not be numbered), a plain call. Leaves the builder where the callee is instrumented. */
static void leave_by_plain_call(struct hcct_unit *unit, struct hcct_target *target,
                                const struct hcct_call *call, uint32_t index, LLVMValueRef delta)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef leave = hcct_build_new_block(unit, target, "hcct.leave");
    LLVMBasicBlockRef stay = hcct_build_new_block(unit, target, "hcct.stay");
    LLVMValueRef magnitude = LLVMBuildShl(b, delta, hcct_build_constant(unit, 1), "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, magnitude, hcct_build_constant(unit, 0), ""), leave, stay);
    LLVMPositionBuilderAtEnd(b, leave);
    hcct_shadow_stay(unit, target);
    LLVMValueRef again = hcct_build_repeat(unit, target, call, index);
    LLVMSetTailCall(again, false);
    hcct_shadow_leave(unit, target);
    hcct_build_end_function(unit, call, again);
    LLVMPositionBuilderAtEnd(b, stay);
}

static void emit_tail_call(struct hcct_unit *unit, struct hcct_target *target, const struct hcct_call *call,
                           uint32_t index)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef at = hcct_build_open(unit, call->instruction);
    LLVMBasicBlockRef push = hcct_build_new_block(unit, target, "hcct.tested");
    LLVMValueRef delta = emit_numbered_side(unit, target, call, index, at, push);
    LLVMPositionBuilderAtEnd(b, push);
    if (call->kind == HCCT_SITE_SYMBOL && !hcct_build_is_must_tail(call))
        leave_by_plain_call(unit, target, call, index, delta);
    LLVMValueRef arguments[] = { target->word, hcct_build_site(unit, target, index),
                                 hcct_build_address(unit, target->state), hcct_build_entry_sp(unit) };
    hcct_build_call_runtime(unit, "__hcct_push_tail", arguments, 4);
    if (!hcct_build_passes_word(unit, call)) {
        LLVMBuildBr(b, at);
        return;
    }
    LLVMValueRef again = LLVMInstructionClone(call->instruction);
    hcct_build_give_left_word(unit, call, again);
    LLVMInsertIntoBuilder(b, again);
    hcct_build_end_function(unit, call, again);
}

/* Pushes by the runtime, even if the call is numbered: the shortest code. */
static void emit_rare_call(struct hcct_unit *unit, struct hcct_target *target, const struct hcct_call *call,
                           uint32_t index)
{
    LLVMPositionBuilderBefore(unit->builder, call->instruction);
    hcct_build_push(unit, target, index);
    hcct_build_give_left_word(unit, call, call->instruction);
    hcct_build_pop_behind(unit, target, call);
}

/* The same without a frame where the call is numbered. */
static void emit_asked_call(struct hcct_unit *unit, struct hcct_target *target, const struct hcct_call *call,
                            uint32_t index)
{
    LLVMPositionBuilderBefore(unit->builder, call->instruction);
    ask(unit, target, index);
    hcct_build_give_left_word(unit, call, call->instruction);
    LLVMValueRef back = hcct_build_return_point(call);
    if (!back || (LLVMIsACallInst(call->instruction) && hcct_bridge_returns_twice(call->instruction)))
        return;
    LLVMPositionBuilderBefore(unit->builder, back);
    end_asked(unit, target, index);
}

/* In a function that runs once: calls of a lower weight run less than 16 times. */
#define FEW_TIMES_FREQUENCY 132

/* A cold call of a library function is tested in line if its weight is at least this. The test takes 24
 * bytes. libsass grows by 2% so; if all cold calls were tested it would by 4%. */
#define SELDOM_FREQUENCY 124

/* Cold, and not tested in line. */
static bool is_short(const struct hcct_target *target, const struct hcct_call *call)
{
    return call->cold && !call->tail &&
           ((target->small && !target->unoptimized) || !(call->library && call->weight >= SELDOM_FREQUENCY));
}

static bool is_asked(const struct hcct_target *target, const struct hcct_call *call)
{
    if (hcct_build_lends(target, call))
        return false;
    if (target->unoptimized)
        return !call->library;
    return is_short(target, call) || (target->once && call->weight < FEW_TIMES_FREQUENCY);
}

bool hcct_calls_is_pushed_by_runtime(const struct hcct_target *target, const struct hcct_call *call)
{
    if (call->guess)
        return true; /* the call itself follows in the list */
    if (call->external || call->prenumbered || call->tail)
        return false;
    return call->pushes ? hcct_pushes_is_cold(target, call) : is_rare(target, call) && is_short(target, call);
}

static void emit_numbered_call(struct hcct_unit *unit, struct hcct_target *target,
                               const struct hcct_call *call, uint32_t index)
{
    if (call->tail)
        emit_tail_call(unit, target, call, index);
    else if (is_rare(target, call) && is_short(target, call))
        emit_rare_call(unit, target, call, index);
    else if (is_asked(target, call))
        emit_asked_call(unit, target, call, index);
    else if (!hcct_ir_can_be_repeated(call->instruction))
        emit_single_call(unit, target, call, index);
    else
        emit_repeated_call(unit, target, call, index);
}

/* --- calls of stand-ins ---------------------------------------------------------------------------- */

/* Such a call counts the one behind it (prepare/externals.c), unless the function that is called there turned
 * out to be instrumented. */
static void emit_external_count(struct hcct_unit *unit, struct hcct_target *target,
                                const struct hcct_call *call, uint32_t index)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef behind = hcct_bridge_split_before(LLVMGetNextInstruction(call->instruction));
    LLVMBasicBlockRef at = hcct_build_open(unit, call->instruction);
    LLVMBasicBlockRef test =
        call->prenumbered || call->pushes ? at : hcct_build_new_block(unit, target, "hcct.external");
    LLVMValueRef none = hcct_build_constant(unit, (uint64_t)HCCT_DELTA_NONE);
    LLVMValueRef delta =
        hcct_build_load_folded(unit, hcct_build_place(unit, hcct_build_delta_address(unit, target, index)));
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, delta, none, ""), behind, test);
    if (call->prenumbered) {
        emit_prenumbered_call(unit, target, call, index);
        return;
    }
    if (call->pushes) { /* only in a whole program whose ids are used up */
        hcct_pushes_emit_cold(unit, target, call, index);
        return;
    }
    LLVMPositionBuilderAtEnd(b, test);
    LLVMBasicBlockRef push = hcct_build_new_block(unit, target, "hcct.tested");
    (void)emit_numbered_side(unit, target, call, index, at, push);
    LLVMPositionBuilderAtEnd(b, push);
    hcct_build_repeat(unit, target, call, index);
    LLVMBuildBr(b, behind);
}

void hcct_calls_emit(struct hcct_unit *unit, struct hcct_target *target)
{
    for (uint32_t i = 0; i < target->call_count; i++) {
        const struct hcct_call *call = &target->calls[i];
        if (call->guess)
            continue;
        LLVMSetCurrentDebugLocation2(unit->builder, LLVMInstructionGetDebugLoc(call->instruction));
        hcct_bridge_drop_memory_attributes(call->instruction);
        if (call->callee && LLVMIsAFunction(call->callee))
            hcct_bridge_drop_memory_attributes(call->callee);
        if (call->external)
            emit_external_count(unit, target, call, i);
        else if (call->pushes)
            hcct_pushes_emit(unit, target, call, i);
        else if (call->prenumbered)
            emit_prenumbered_call(unit, target, call, i);
        else
            emit_numbered_call(unit, target, call, i);
    }
}
