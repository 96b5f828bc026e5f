/* Emits what stands around the calls of a function.
 *
 *     prenumbered: ctx = w + delta;  call
 *     numbered:    d = delta;  if (d > 0) { ctx = w + d;  call }  else { __hcct_push;  call;  __hcct_pop }
 *     pushing:     ++top = { mix(w, site), site, sp };  call;  top = what it was
 *     guessed:     if (pointer == &f) { ctx = w + delta;  call } else as cold
 *     once:        under = NULL;
 *                  if (pointer == &f) ctx = w + delta else { __hcct_push_outline;  under = top - 1 };  call;
 *                  if (under) top = under
 *     cold:        __hcct_push or, pushing, __hcct_push_outline;  call;  __hcct_pop
 *     a library's: if (delta == HCCT_DELTA_NONE) call;  else as numbered or cold
 *     a stand-in:  if (delta != HCCT_DELTA_NONE) as prenumbered, numbered or cold
 *
 * A callee that takes its word as a parameter is given it there, and ctx is not touched.
 *
 * Invariants
 *   1. nothing follows a call in tail position. The exception is a call that turns out at run time to leave
 *      instrumented code: nobody could tell later whether its frame is live, so it becomes a plain call;
 *   2. a call that may stand in the code only once (an invoke, setjmp) is not copied: code behind it asks
 *      again whether the code in front of it pushed, and pops. */
#include "pass/emit/calls.h"

#include "pass/emit/build.h"
#include "pass/number/guess.h"
#include "pass/unit/ir.h"

static LLVMValueRef site_address(struct hcct_unit *unit, struct hcct_target *target, uint32_t index)
{
    return hcct_build_address(unit,
                              hcct_build_at_offset(unit, target->sites, index * sizeof(struct hcct_site)));
}

/* The instruction at which control comes back from the call; NULL if it never does. */
static LLVMValueRef return_point(const struct hcct_call *call)
{
    if (LLVMIsAInvokeInst(call->instruction))
        return hcct_bridge_first_insertion(hcct_bridge_split_normal_edge(call->instruction));
    LLVMValueRef next = LLVMGetNextInstruction(call->instruction);
    return LLVMIsAUnreachableInst(next) ? NULL : next;
}

/* Splits so that the instruction begins a block of its own, and takes the branch in front of it away. */
static LLVMBasicBlockRef open_before(struct hcct_unit *unit, LLVMValueRef instruction)
{
    LLVMBasicBlockRef before = LLVMGetInstructionParent(instruction);
    LLVMBasicBlockRef at = hcct_bridge_split_before(instruction);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(before));
    LLVMPositionBuilderAtEnd(unit->builder, before);
    return at;
}

/* --- what the callee is given ------------------------------------------------------------------ */

static bool passes_word(struct hcct_unit *unit, const struct hcct_call *call)
{
    return call->kind == HCCT_SITE_LOCAL && hcct_unit_target(unit, call->callee)->passed;
}

/* As the last argument of `instruction`, which is the call or a copy of it, or in the thread's word. */
static void give_word(struct hcct_unit *unit, const struct hcct_call *call, LLVMValueRef instruction,
                      LLVMValueRef word)
{
    if (!passes_word(unit, call)) {
        hcct_build_store(unit, word, unit->thread);
        return;
    }
    LLVMValueRef argument = LLVMBuildIntToPtr(unit->builder, word, unit->ptr, "");
    LLVMSetOperand(instruction, LLVMGetNumArgOperands(instruction) - 1, argument);
}

/* The runtime has left in the thread's word what the callee is to find there. */
static void give_left_word(struct hcct_unit *unit, const struct hcct_call *call, LLVMValueRef instruction)
{
    if (passes_word(unit, call))
        give_word(unit, call, instruction, hcct_build_take_word(unit));
}

/* No test. A wrong delta, before the program is numbered, does no harm (hcct/abi.h, invariant 6). */
static void emit_prenumbered_call(struct hcct_unit *unit, struct hcct_target *target,
                                  const struct hcct_call *call, uint32_t index)
{
    LLVMPositionBuilderBefore(unit->builder, call->instruction);
    LLVMValueRef delta = hcct_build_delta(unit, target, index);
    give_word(unit, call, call->instruction, LLVMBuildAdd(unit->builder, target->word, delta, ""));
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

/* Whether the code pushes a frame without a look at the delta (but for HCCT_DELTA_NONE): that is shorter. It
 * is done for cold calls and for stdio, as hardly a program has stdio of its own. */
static bool pushes_beside(const struct hcct_call *call)
{
    return !call->tail && (call->cold || call->library & HCCT_LIBRARY_STREAM);
}

bool hcct_calls_is_framed(const struct hcct_call *call)
{
    return pushes_beside(call) && !call->pushes && !call->prenumbered && !call->guess;
}

/* In front of the block `at`, which begins with the call: if the call is numbered, gives the word and goes to
 * `at`, else to `push`; if pushes_beside, always to `push`. Returns the delta, then NULL. */
static LLVMValueRef emit_numbered_side(struct hcct_unit *unit, struct hcct_target *target,
                                       const struct hcct_call *call, uint32_t index, LLVMBasicBlockRef at,
                                       LLVMBasicBlockRef push)
{
    LLVMBuilderRef b = unit->builder;
    if (call->library)
        skip_library(unit, target, index, at);
    if (pushes_beside(call)) {
        LLVMBuildBr(b, push);
        return NULL;
    }
    LLVMBasicBlockRef fast = hcct_build_new_block(unit, target, "hcct.numbered");
    LLVMValueRef delta = hcct_build_load(
        unit, unit->i64, hcct_build_place(unit, hcct_build_delta_address(unit, target, index)), "hcct.delta");
    LLVMValueRef pushes = LLVMBuildICmp(b, LLVMIntSLE, delta, hcct_build_constant(unit, 0), "");
    hcct_build_branch_rarely(unit, pushes, push, fast);
    LLVMPositionBuilderAtEnd(b, fast);
    give_word(unit, call, call->instruction, LLVMBuildAdd(b, target->word, delta, ""));
    LLVMBuildBr(b, at);
    return delta;
}

static void call_push(struct hcct_unit *unit, struct hcct_target *target, uint32_t index)
{
    LLVMValueRef arguments[] = { target->word, site_address(unit, target, index) };
    hcct_build_call_runtime(unit, "__hcct_push", arguments, 2);
}

static void call_push_outline(struct hcct_unit *unit, struct hcct_target *target, uint32_t index)
{
    LLVMValueRef arguments[] = { target->word, site_address(unit, target, index) };
    hcct_build_call_runtime(unit, "__hcct_push_outline", arguments, 2);
}

static void call_pop(struct hcct_unit *unit)
{
    hcct_build_call_runtime(unit, "__hcct_pop", NULL, 0);
}

/* The call once more, where the builder is, between a push and a pop. */
static LLVMValueRef repeat_between(struct hcct_unit *unit, struct hcct_target *target,
                                   const struct hcct_call *call, uint32_t index)
{
    LLVMValueRef again = LLVMInstructionClone(call->instruction);
    if (call->pushes)
        call_push_outline(unit, target, index);
    else
        call_push(unit, target, index);
    give_left_word(unit, call, again);
    LLVMInsertIntoBuilder(unit->builder, again);
    call_pop(unit);
    return again;
}

static bool has_result(LLVMValueRef call)
{
    return LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
}

/* Goes on to `behind`, where the call in `at` and `again`, in the builder's block, meet. */
static void join(struct hcct_unit *unit, const struct hcct_call *call, LLVMValueRef again,
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

static void emit_repeated_call(struct hcct_unit *unit, struct hcct_target *target,
                               const struct hcct_call *call, uint32_t index)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef behind = hcct_bridge_split_before(LLVMGetNextInstruction(call->instruction));
    LLVMBasicBlockRef at = open_before(unit, call->instruction);
    LLVMBasicBlockRef push = hcct_build_new_block(unit, target, "hcct.tested");
    emit_numbered_side(unit, target, call, index, at, push);
    LLVMPositionBuilderAtEnd(b, push);
    LLVMValueRef again = repeat_between(unit, target, call, index);
    join(unit, call, again, at, behind);
}

static void emit_pop_if_pushed(struct hcct_unit *unit, struct hcct_target *target, uint32_t index,
                               LLVMValueRef back)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef done = open_before(unit, back);
    LLVMBasicBlockRef pop = hcct_build_new_block(unit, target, "hcct.pop");
    if (target->calls[index].library)
        skip_library(unit, target, index, done);
    if (pushes_beside(&target->calls[index])) {
        LLVMBuildBr(b, pop);
    } else {
        LLVMValueRef delta = hcct_build_load_folded(
            unit, hcct_build_place(unit, hcct_build_delta_address(unit, target, index)));
        LLVMValueRef pushed = LLVMBuildICmp(b, LLVMIntSLE, delta, hcct_build_constant(unit, 0), "");
        hcct_build_branch_rarely(unit, pushed, pop, done);
    }
    LLVMPositionBuilderAtEnd(b, pop);
    call_pop(unit);
    LLVMBuildBr(b, done);
}

/* Invariant 2. The word is given at the call itself, where both ways to it have met. */
static void emit_single_call(struct hcct_unit *unit, struct hcct_target *target, const struct hcct_call *call,
                             uint32_t index)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef at = open_before(unit, call->instruction);
    LLVMBasicBlockRef push = hcct_build_new_block(unit, target, "hcct.tested");
    emit_numbered_side(unit, target, call, index, at, push);
    LLVMPositionBuilderAtEnd(b, push);
    call_push(unit, target, index);
    LLVMValueRef numbered = NULL, left = NULL;
    if (passes_word(unit, call)) {
        unsigned last = LLVMGetNumArgOperands(call->instruction) - 1;
        numbered = LLVMGetOperand(call->instruction, last);
        give_left_word(unit, call, call->instruction);
        left = LLVMGetOperand(call->instruction, last);
    }
    LLVMBuildBr(b, at);
    if (left) {
        LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(at));
        LLVMValueRef word = LLVMBuildPhi(b, unit->ptr, "hcct.passed");
        LLVMBasicBlockRef fast = LLVMGetInstructionParent(numbered);
        LLVMAddIncoming(word, (LLVMValueRef[]){ numbered, left }, (LLVMBasicBlockRef[]){ fast, push }, 2);
        LLVMSetOperand(call->instruction, LLVMGetNumArgOperands(call->instruction) - 1, word);
    }
    LLVMValueRef back = return_point(call);
    if (back && !(LLVMIsACallInst(call->instruction) && hcct_bridge_returns_twice(call->instruction)))
        emit_pop_if_pushed(unit, target, index, back);
}

static bool is_must_tail(const struct hcct_call *call)
{
    return hcct_bridge_tail_mark(call->instruction) == HCCT_TAIL_MARK_MUST;
}

/* Behind `again`, a copy of a call in tail position. */
static void end_function(struct hcct_unit *unit, const struct hcct_call *call, LLVMValueRef again)
{
    if (LLVMGetNumOperands(hcct_bridge_next_real(call->instruction)))
        LLVMBuildRet(unit->builder, again);
    else
        LLVMBuildRetVoid(unit->builder);
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
    LLVMValueRef again = repeat_between(unit, target, call, index);
    LLVMSetTailCall(again, false);
    end_function(unit, call, again);
    LLVMPositionBuilderAtEnd(b, stay);
}

static void emit_tail_call(struct hcct_unit *unit, struct hcct_target *target, const struct hcct_call *call,
                           uint32_t index)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef at = open_before(unit, call->instruction);
    LLVMBasicBlockRef push = hcct_build_new_block(unit, target, "hcct.tested");
    LLVMValueRef delta = emit_numbered_side(unit, target, call, index, at, push);
    LLVMPositionBuilderAtEnd(b, push);
    if (call->kind == HCCT_SITE_SYMBOL && !is_must_tail(call))
        leave_by_plain_call(unit, target, call, index, delta);
    LLVMValueRef arguments[] = { target->word, site_address(unit, target, index),
                                 hcct_build_address(unit, target->state), hcct_build_entry_sp(unit) };
    hcct_build_call_runtime(unit, "__hcct_push_tail", arguments, 4);
    if (!passes_word(unit, call)) {
        LLVMBuildBr(b, at);
        return;
    }
    LLVMValueRef again = LLVMInstructionClone(call->instruction);
    give_left_word(unit, call, again);
    LLVMInsertIntoBuilder(b, again);
    end_function(unit, call, again);
}

/* A pop where the call returns. Calls that may return twice have __hcct_arrive there instead. */
static void pop_behind(struct hcct_unit *unit, const struct hcct_call *call)
{
    LLVMValueRef back = return_point(call);
    if (!back || (LLVMIsACallInst(call->instruction) && hcct_bridge_returns_twice(call->instruction)))
        return;
    LLVMPositionBuilderBefore(unit->builder, back);
    call_pop(unit);
}

/* Pushes by the runtime, even if the call is numbered: the shortest code. */
static void emit_cold_call(struct hcct_unit *unit, struct hcct_target *target, const struct hcct_call *call,
                           uint32_t index)
{
    LLVMPositionBuilderBefore(unit->builder, call->instruction);
    call_push(unit, target, index);
    give_left_word(unit, call, call->instruction);
    pop_behind(unit, call);
}

/* A cold call of a library function is tested if its weight is at least this. The test takes 24 bytes, and
 * most often saves push and pop. Code behind landing pads is below this. libsass grows by 2% so; if all cold
 * calls were tested it would by 4%, and hardly fewer would push. */
#define SELDOM_FREQUENCY 124

static void emit_numbered_call(struct hcct_unit *unit, struct hcct_target *target,
                               const struct hcct_call *call, uint32_t index)
{
    if (call->tail)
        emit_tail_call(unit, target, call, index);
    else if (call->cold && ((target->small && !target->unoptimized) ||
                            !(call->library && call->weight >= SELDOM_FREQUENCY)))
        emit_cold_call(unit, target, call, index);
    else if (!hcct_ir_can_be_repeated(call->instruction))
        emit_single_call(unit, target, call, index);
    else
        emit_repeated_call(unit, target, call, index);
}

/* --- pushes ------------------------------------------------------------------------------------ */

static bool is_call(LLVMValueRef at)
{
    LLVMValueRef callee = LLVMIsACallInst(at) ? LLVMGetCalledValue(at) : NULL;
    return callee && !(LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee));
}

/* The top of the context stack at the end of the builder's block, if the block stores it and calls nothing
 * behind that; else NULL. */
static LLVMValueRef known_top(struct hcct_unit *unit, LLVMValueRef top_field)
{
    LLVMValueRef at = LLVMGetLastInstruction(LLVMGetInsertBlock(unit->builder));
    for (; at && !is_call(at); at = LLVMGetPreviousInstruction(at))
        if (LLVMIsAStoreInst(at) && LLVMGetOperand(at, 1) == top_field)
            return LLVMGetOperand(at, 0);
    return NULL;
}

/* A push in line; by the runtime if the thread's mask says so. Returns the top of the context stack before
 * it. */
static LLVMValueRef emit_push(struct hcct_unit *unit, struct hcct_target *target,
                              const struct hcct_call *call, uint32_t index, LLVMBasicBlockRef at)
{
    LLVMBuilderRef b = unit->builder;
    LLVMValueRef top_field = hcct_build_thread_field(unit, offsetof(struct hcct_thread, top));
    LLVMBasicBlockRef outline = hcct_build_new_block(unit, target, "hcct.outline");
    LLVMBasicBlockRef push = hcct_build_new_block(unit, target, "hcct.push");
    LLVMBasicBlockRef pushed = hcct_build_new_block(unit, target, "hcct.pushed");
    LLVMValueRef seen = known_top(unit, top_field);
    if (!seen)
        seen = hcct_build_load(unit, unit->ptr, top_field, "hcct.top");
    LLVMValueRef frame = hcct_build_at_offset(unit, seen, sizeof(struct hcct_frame));
    LLVMValueRef mask =
        hcct_build_load_folded(unit, hcct_build_thread_field(unit, offsetof(struct hcct_thread, push_mask)));
    LLVMValueRef bits = LLVMBuildAnd(b, LLVMBuildPtrToInt(b, frame, unit->i64, ""), mask, "");
    hcct_build_branch_rarely(unit, LLVMBuildICmp(b, LLVMIntEQ, bits, hcct_build_constant(unit, 0), ""),
                             outline, push);

    LLVMPositionBuilderAtEnd(b, outline);
    call_push_outline(unit, target, index);
    LLVMValueRef made = hcct_build_load(unit, unit->ptr, top_field, ""), made_prefix = NULL;
    if (call->kind == HCCT_SITE_LOCAL)
        made_prefix = hcct_build_load(
            unit, unit->i64, hcct_build_at_offset(unit, made, offsetof(struct hcct_frame, prefix)), "");
    LLVMValueRef under = hcct_build_at_offset(unit, made, -sizeof(struct hcct_frame));
    LLVMBuildBr(b, pushed);

    LLVMPositionBuilderAtEnd(b, push);
    LLVMValueRef site = hcct_build_constant(unit, call->id);
    LLVMValueRef product = LLVMBuildMul(b, target->word, site, "");
    LLVMValueRef prefix = hcct_build_call_intrinsic(unit, "llvm.bswap", unit->i64, &product, 1);
    hcct_build_store(unit, prefix, hcct_build_at_offset(unit, frame, offsetof(struct hcct_frame, prefix)));
    hcct_build_store(unit, site, hcct_build_at_offset(unit, frame, offsetof(struct hcct_frame, site)));
    hcct_build_store(unit, hcct_build_current_sp(unit),
                     hcct_build_at_offset(unit, frame, offsetof(struct hcct_frame, sp)));
    hcct_build_store(unit, frame, top_field);
    LLVMBuildBr(b, pushed);

    LLVMPositionBuilderAtEnd(b, pushed);
    LLVMBasicBlockRef from[] = { push, outline };
    LLVMValueRef top = LLVMBuildPhi(b, unit->ptr, "hcct.top");
    LLVMAddIncoming(top, (LLVMValueRef[]){ seen, under }, from, 2);
    if (call->kind == HCCT_SITE_LOCAL) {
        LLVMValueRef given = LLVMBuildPhi(b, unit->i64, "hcct.prefix");
        LLVMAddIncoming(given, (LLVMValueRef[]){ prefix, made_prefix }, from, 2);
        LLVMValueRef base = hcct_build_base(unit, hcct_unit_target(unit, call->callee));
        give_word(unit, call, call->instruction, LLVMBuildAdd(b, given, base, ""));
    }
    LLVMBuildBr(b, at);
    return top;
}

static void emit_cold_push(struct hcct_unit *unit, struct hcct_target *target, const struct hcct_call *call,
                           uint32_t index)
{
    LLVMBuilderRef b = unit->builder;
    LLVMPositionBuilderBefore(b, call->instruction);
    call_push_outline(unit, target, index);
    if (call->kind == HCCT_SITE_LOCAL) {
        LLVMValueRef top_field = hcct_build_thread_field(unit, offsetof(struct hcct_thread, top));
        LLVMValueRef frame = hcct_build_load(unit, unit->ptr, top_field, "hcct.top");
        LLVMValueRef prefix = hcct_build_load(
            unit, unit->i64, hcct_build_at_offset(unit, frame, offsetof(struct hcct_frame, prefix)), "");
        LLVMValueRef base = hcct_build_base(unit, hcct_unit_target(unit, call->callee));
        give_word(unit, call, call->instruction, LLVMBuildAdd(b, prefix, base, ""));
    }
    pop_behind(unit, call);
}

/* --- calls through pointers whose callee is guessed ---------------------------------------------- */

/* The first of the target's calls that guess what `call` leads to, and how many there are. */
static uint32_t find_guesses(const struct hcct_target *target, const struct hcct_call *call, uint32_t *count)
{
    uint32_t first = 0;
    while (first < target->delta_count && !hcct_guess_is_for(&target->calls[first], call))
        first++;
    *count = 0;
    while (first + *count < target->delta_count && hcct_guess_is_for(&target->calls[first + *count], call))
        ++*count;
    return first;
}

/* If the pointer is one of the guesses, gives the word and goes to `at`; `under`, a phi there, or NULL for no
 * phi, gets a null pointer. Leaves the builder where the pointer is another. */
static void emit_guesses(struct hcct_unit *unit, struct hcct_target *target, const struct hcct_call *call,
                         uint32_t first, uint32_t count, LLVMBasicBlockRef at, LLVMValueRef under)
{
    LLVMBuilderRef b = unit->builder;
    const struct hcct_call *guesses = &target->calls[first];
    LLVMValueRef pointer = LLVMGetCalledValue(call->instruction);
    for (uint32_t i = 0; i < count; i++) {
        LLVMBasicBlockRef other = hcct_build_new_block(unit, target, "hcct.other");
        LLVMBasicBlockRef guessed = hcct_build_new_block(unit, target, "hcct.guessed");
        LLVMValueRef differs =
            LLVMBuildICmp(b, LLVMIntNE, pointer, hcct_build_address(unit, guesses[i].callee), "");
        if (i + 1 < count)
            LLVMBuildCondBr(b, differs, other, guessed);
        else
            hcct_build_branch_rarely(unit, differs, other, guessed);
        LLVMPositionBuilderAtEnd(b, guessed);
        LLVMValueRef delta = hcct_build_delta(unit, target, first + i);
        give_word(unit, &guesses[i], call->instruction, LLVMBuildAdd(b, target->word, delta, ""));
        LLVMBuildBr(b, at);
        if (under)
            LLVMAddIncoming(under, (LLVMValueRef[]){ LLVMConstPointerNull(unit->ptr) }, &guessed, 1);
        LLVMPositionBuilderAtEnd(b, other);
    }
}

static void emit_guessed_call(struct hcct_unit *unit, struct hcct_target *target,
                              const struct hcct_call *call, uint32_t index, uint32_t first, uint32_t count)
{
    LLVMBasicBlockRef behind = hcct_bridge_split_before(LLVMGetNextInstruction(call->instruction));
    LLVMBasicBlockRef at = open_before(unit, call->instruction);
    emit_guesses(unit, target, call, first, count, at, NULL);
    LLVMValueRef again = repeat_between(unit, target, call, index);
    join(unit, call, again, at, behind);
}

/* Invariant 2. `under` is the top of the context stack to put back behind the call, NULL if nothing was
 * pushed. */
static void emit_guessed_once(struct hcct_unit *unit, struct hcct_target *target,
                              const struct hcct_call *call, uint32_t index, uint32_t first, uint32_t count)
{
    LLVMBuilderRef b = unit->builder;
    LLVMValueRef top_field = hcct_build_thread_field(unit, offsetof(struct hcct_thread, top));
    LLVMBasicBlockRef at = open_before(unit, call->instruction), before = LLVMGetInsertBlock(b);
    LLVMPositionBuilderBefore(b, call->instruction);
    LLVMValueRef under = LLVMBuildPhi(b, unit->ptr, "hcct.under");
    LLVMPositionBuilderAtEnd(b, before);
    emit_guesses(unit, target, call, first, count, at, under);
    call_push_outline(unit, target, index);
    LLVMValueRef frame = hcct_build_load(unit, unit->ptr, top_field, "");
    LLVMValueRef pushed_on = hcct_build_at_offset(unit, frame, -sizeof(struct hcct_frame));
    LLVMBasicBlockRef pushed = LLVMGetInsertBlock(b);
    LLVMAddIncoming(under, &pushed_on, &pushed, 1);
    LLVMBuildBr(b, at);

    LLVMBasicBlockRef done = open_before(unit, return_point(call));
    LLVMBasicBlockRef pop = hcct_build_new_block(unit, target, "hcct.pop");
    hcct_build_branch_rarely(unit, LLVMBuildIsNotNull(b, under, ""), pop, done);
    LLVMPositionBuilderAtEnd(b, pop);
    hcct_build_store(unit, under, top_field);
    LLVMBuildBr(b, done);
}

/* --- pushes, guessed or not ------------------------------------------------------------------------ */

static void emit_pushing_tail_call(struct hcct_unit *unit, struct hcct_target *target,
                                   const struct hcct_call *call, uint32_t index)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef at = is_must_tail(call) ? NULL : open_before(unit, call->instruction);
    if (!at)
        LLVMPositionBuilderBefore(b, call->instruction);
    uint32_t count, first = find_guesses(target, call, &count);
    emit_guesses(unit, target, call, first, count, at, NULL);
    LLVMValueRef callee =
        call->callee ? LLVMConstPointerNull(unit->ptr) : LLVMGetCalledValue(call->instruction);
    LLVMValueRef arguments[] = { target->word, site_address(unit, target, index),
                                 hcct_build_address(unit, target->state), hcct_build_entry_sp(unit), callee };
    hcct_build_call_runtime(unit, at ? "__hcct_push_tail_pointer" : "__hcct_push_tail_open", arguments, 5);
    if (!at)
        return;
    LLVMBasicBlockRef leave = hcct_build_new_block(unit, target, "hcct.leave");
    LLVMValueRef given = hcct_build_load(unit, unit->i64, unit->thread, "");
    LLVMValueRef none = LLVMBuildICmp(b, LLVMIntEQ, given, hcct_build_constant(unit, HCCT_WORD_NONE), "");
    hcct_build_branch_rarely(unit, none, leave, at);
    LLVMPositionBuilderAtEnd(b, leave);
    LLVMValueRef again = LLVMInstructionClone(call->instruction);
    LLVMInsertIntoBuilder(b, again);
    call_pop(unit);
    LLVMSetTailCall(again, false);
    end_function(unit, call, again);
}

static void emit_pushing_call(struct hcct_unit *unit, struct hcct_target *target,
                              const struct hcct_call *call, uint32_t index)
{
    LLVMBuilderRef b = unit->builder;
    if (call->tail) {
        emit_pushing_tail_call(unit, target, call, index);
        return;
    }
    uint32_t count, first = find_guesses(target, call, &count);
    if (count) {
        (LLVMIsAInvokeInst(call->instruction) ? emit_guessed_once : emit_guessed_call)(unit, target, call,
                                                                                       index, first, count);
        return;
    }
    if (call->cold) {
        emit_cold_push(unit, target, call, index);
        return;
    }
    LLVMBasicBlockRef at = open_before(unit, call->instruction);
    LLVMValueRef top = emit_push(unit, target, call, index, at);
    LLVMValueRef back = return_point(call);
    if (!back)
        return;
    LLVMPositionBuilderBefore(b, back);
    hcct_build_store(unit, top, hcct_build_thread_field(unit, offsetof(struct hcct_thread, top)));
}

/* --- calls of stand-ins ---------------------------------------------------------------------------- */

/* Such a call counts the one behind it (prepare/externals.c), unless the function that is called there turned
 * out to be instrumented. */
static void emit_external_count(struct hcct_unit *unit, struct hcct_target *target,
                                const struct hcct_call *call, uint32_t index)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef behind = hcct_bridge_split_before(LLVMGetNextInstruction(call->instruction));
    LLVMBasicBlockRef at = open_before(unit, call->instruction);
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
        emit_cold_push(unit, target, call, index);
        return;
    }
    LLVMPositionBuilderAtEnd(b, test);
    LLVMBasicBlockRef push = hcct_build_new_block(unit, target, "hcct.tested");
    (void)emit_numbered_side(unit, target, call, index, at, push);
    LLVMPositionBuilderAtEnd(b, push);
    repeat_between(unit, target, call, index);
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
            emit_pushing_call(unit, target, call, i);
        else if (call->prenumbered)
            emit_prenumbered_call(unit, target, call, i);
        else
            emit_numbered_call(unit, target, call, i);
    }
}
