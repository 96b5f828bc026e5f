/* Emits what stands around calls that push in every program: recursion that the module knows, calls through
 * pointers, and calls of code that is not instrumented.
 *
 *     pushing:     ++top = { mix(w, site), site, sp };  call;  top = what it was
 *     guessed:     if (pointer == &f) { ctx = w + delta;  call } else as cold
 *     cold:        __hcct_push_outline;  call;  __hcct_pop
 *
 * Invariants: those of calls.c. */
#include "pass/emit/pushes.h"

#include "pass/emit/build.h"
#include "pass/emit/shadow.h"
#include "pass/number/guess.h"
#include "pass/unit/ir.h"

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

/* Of the frame that the runtime has made for a call in place of a sibling call (hcct/abi.h). */
static void mark_frame(struct hcct_unit *unit, LLVMValueRef frame)
{
    LLVMValueRef field = hcct_build_at_offset(unit, frame, offsetof(struct hcct_frame, sp));
    LLVMValueRef sp = hcct_build_load(unit, unit->i64, field, "");
    hcct_build_store(unit, LLVMBuildSub(unit->builder, sp, hcct_build_constant(unit, 1), ""), field);
}

/* The frame that is put by code in line has this stack pointer. */
static LLVMValueRef frame_sp(struct hcct_unit *unit, const struct hcct_target *target,
                             const struct hcct_call *call)
{
    if (hcct_build_lends(target, call))
        return hcct_build_lent_sp(unit);
    LLVMValueRef sp = hcct_build_current_sp(unit);
    return call->tail ? LLVMBuildSub(unit->builder, sp, hcct_build_constant(unit, 1), "") : sp;
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
    hcct_build_push_outline(unit, target, index);
    LLVMValueRef made = hcct_build_load(unit, unit->ptr, top_field, ""), made_prefix = NULL;
    if (call->tail)
        mark_frame(unit, made);
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
    hcct_build_store(unit, frame_sp(unit, target, call),
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
        hcct_build_give_word(unit, call, call->instruction, LLVMBuildAdd(b, given, base, ""));
    }
    LLVMBuildBr(b, at);
    return top;
}

void hcct_pushes_emit_cold(struct hcct_unit *unit, struct hcct_target *target, const struct hcct_call *call,
                           uint32_t index)
{
    LLVMBuilderRef b = unit->builder;
    LLVMPositionBuilderBefore(b, call->instruction);
    hcct_build_push_outline(unit, target, index);
    if (call->kind == HCCT_SITE_LOCAL) {
        LLVMValueRef top_field = hcct_build_thread_field(unit, offsetof(struct hcct_thread, top));
        LLVMValueRef frame = hcct_build_load(unit, unit->ptr, top_field, "hcct.top");
        LLVMValueRef prefix = hcct_build_load(
            unit, unit->i64, hcct_build_at_offset(unit, frame, offsetof(struct hcct_frame, prefix)), "");
        LLVMValueRef base = hcct_build_base(unit, hcct_unit_target(unit, call->callee));
        hcct_build_give_word(unit, call, call->instruction, LLVMBuildAdd(b, prefix, base, ""));
    }
    hcct_build_pop_behind(unit, target, call);
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

/* If the pointer is one of the guesses, gives the word and goes to `at`. Leaves the builder where the pointer
 * is another. */
static void emit_guesses(struct hcct_unit *unit, struct hcct_target *target, const struct hcct_call *call,
                         uint32_t first, uint32_t count, LLVMBasicBlockRef at)
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
        hcct_build_give_word(unit, &guesses[i], call->instruction, LLVMBuildAdd(b, target->word, delta, ""));
        LLVMBuildBr(b, at);
        LLVMPositionBuilderAtEnd(b, other);
    }
}

static void emit_guessed_call(struct hcct_unit *unit, struct hcct_target *target,
                              const struct hcct_call *call, uint32_t index, uint32_t first, uint32_t count)
{
    LLVMBasicBlockRef behind = hcct_build_split_behind(call);
    LLVMBasicBlockRef at = hcct_build_open(unit, call->instruction);
    emit_guesses(unit, target, call, first, count, at);
    LLVMValueRef again = hcct_build_repeat(unit, target, call, index);
    hcct_build_join(unit, call, again, at, behind);
}

/* --- pushes, guessed or not ------------------------------------------------------------------------ */

/* A push by the runtime has been made: its frame. */
static LLVMValueRef made_frame(struct hcct_unit *unit)
{
    return hcct_build_load(unit, unit->ptr, hcct_build_thread_field(unit, offsetof(struct hcct_thread, top)),
                           "");
}

/* The push for a call in place of a sibling call, and a branch to `at`. Returns the top before it. */
static LLVMValueRef emit_push_for_sibling(struct hcct_unit *unit, struct hcct_target *target,
                                          const struct hcct_call *call, uint32_t index, LLVMBasicBlockRef at)
{
    if (!call->cold)
        return emit_push(unit, target, call, index, at);
    hcct_build_push_outline(unit, target, index);
    LLVMValueRef frame = made_frame(unit);
    mark_frame(unit, frame);
    LLVMValueRef top = hcct_build_at_offset(unit, frame, -sizeof(struct hcct_frame));
    LLVMBuildBr(unit->builder, at);
    return top;
}

/* Whether emit_question can be asked: no parameter is on the stack. Other conventions make each call in tail
 * position a sibling call. */
static bool can_tell_entry(const struct hcct_target *target)
{
    return LLVMGetFunctionCallConv(target->function) <= LLVMFastCallConv &&
           hcct_ir_has_register_parameters(target->function);
}

/* Goes to `sibling` if the newest frame's call entered this activation and is a sibling call, or stands in
 * place of one. Otherwise goes to `plain`. The frame's sp tells: its call put the return address of this
 * activation just below the caller's stack pointer. An sp of one less marks a call in place of a sibling
 * call, and a tail frame has nearly 0. */
static void emit_question(struct hcct_unit *unit, LLVMBasicBlockRef plain, LLVMBasicBlockRef sibling)
{
    LLVMBuilderRef b = unit->builder;
    LLVMValueRef top = hcct_build_load(
        unit, unit->ptr, hcct_build_thread_field(unit, offsetof(struct hcct_thread, top)), "hcct.top");
    LLVMValueRef sp = hcct_build_load(
        unit, unit->i64, hcct_build_at_offset(unit, top, offsetof(struct hcct_frame, sp)), "hcct.sp");
    LLVMValueRef own = LLVMBuildAdd(b, hcct_build_entry_sp(unit), hcct_build_constant(unit, 8), "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntUGE, sp, own, ""), plain, sibling);
}

/* The call as a plain one, in `leave`, where the push has been made. */
static void emit_left(struct hcct_unit *unit, struct hcct_target *target, const struct hcct_call *call,
                      LLVMValueRef top)
{
    hcct_shadow_stay(unit, target);
    LLVMValueRef again = LLVMInstructionClone(call->instruction);
    LLVMInsertIntoBuilder(unit->builder, again);
    LLVMSetTailCall(again, false);
    hcct_build_store(unit, top, hcct_build_thread_field(unit, offsetof(struct hcct_thread, top)));
    hcct_shadow_leave(unit, target);
    hcct_build_end_function(unit, call, again);
}

/* A tail call through a pointer becomes a plain call, between a push and a pop. That takes stack, so in a
 * loop of such calls only the first one does it. The others stay sibling calls, if their callee is
 * instrumented. (The languages promise no sibling call, unless it is musttail.) */
static void emit_pushing_tail_call(struct hcct_unit *unit, struct hcct_target *target,
                                   const struct hcct_call *call, uint32_t index)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef at = hcct_build_is_must_tail(call) ? NULL : hcct_build_open(unit, call->instruction);
    if (!at)
        LLVMPositionBuilderBefore(b, call->instruction);
    uint32_t count, first = find_guesses(target, call, &count);
    emit_guesses(unit, target, call, first, count, at);
    LLVMValueRef callee =
        call->callee ? LLVMConstPointerNull(unit->ptr) : LLVMGetCalledValue(call->instruction);
    LLVMValueRef arguments[] = { target->word, hcct_build_site(unit, target, index),
                                 hcct_build_address(unit, target->state), hcct_build_entry_sp(unit), callee };
    if (!at) {
        hcct_build_call_runtime(unit, "__hcct_push_tail_open", arguments, 5);
        return;
    }
    if (!can_tell_entry(target))
        arguments[3] = LLVMBuildAdd(b, arguments[3], hcct_build_constant(unit, HCCT_ENTRY_UNKNOWN), "");
    LLVMBasicBlockRef leave = hcct_build_new_block(unit, target, "hcct.leave"), from[2];
    LLVMValueRef tops[2];
    unsigned ways = 0;
    if (can_tell_entry(target)) {
        LLVMBasicBlockRef plain = hcct_build_new_block(unit, target, "hcct.plain");
        LLVMBasicBlockRef sibling = hcct_build_new_block(unit, target, "hcct.sibling");
        emit_question(unit, plain, sibling);
        LLVMPositionBuilderAtEnd(b, plain);
        tops[ways] = emit_push_for_sibling(unit, target, call, index, leave);
        from[ways++] = LLVMGetInsertBlock(b);
        LLVMPositionBuilderAtEnd(b, sibling);
    }
    hcct_build_call_runtime(unit, "__hcct_push_tail_pointer", arguments, 5);
    LLVMBasicBlockRef refused = hcct_build_new_block(unit, target, "hcct.refused");
    LLVMValueRef given = hcct_build_load(unit, unit->i64, unit->thread, "");
    LLVMValueRef none = LLVMBuildICmp(b, LLVMIntEQ, given, hcct_build_constant(unit, HCCT_WORD_NONE), "");
    hcct_build_branch_rarely(unit, none, refused, at);
    LLVMPositionBuilderAtEnd(b, refused);
    tops[ways] = hcct_build_at_offset(unit, made_frame(unit), -sizeof(struct hcct_frame));
    from[ways++] = refused;
    LLVMBuildBr(b, leave);
    LLVMPositionBuilderAtEnd(b, leave);
    LLVMValueRef top = LLVMBuildPhi(b, unit->ptr, "hcct.top");
    LLVMAddIncoming(top, tops, from, ways);
    emit_left(unit, target, call, top);
}

bool hcct_pushes_is_cold(const struct hcct_target *target, const struct hcct_call *call)
{
    uint32_t count;
    find_guesses(target, call, &count);
    return call->cold && !call->tail && !count;
}

void hcct_pushes_emit(struct hcct_unit *unit, struct hcct_target *target, const struct hcct_call *call,
                      uint32_t index)
{
    LLVMBuilderRef b = unit->builder;
    if (call->tail) {
        emit_pushing_tail_call(unit, target, call, index);
        return;
    }
    uint32_t count, first = find_guesses(target, call, &count);
    if (count) {
        emit_guessed_call(unit, target, call, index, first, count);
        return;
    }
    if (call->cold) {
        hcct_pushes_emit_cold(unit, target, call, index);
        return;
    }
    LLVMBasicBlockRef at = hcct_build_open(unit, call->instruction);
    LLVMValueRef top = emit_push(unit, target, call, index, at);
    LLVMValueRef back = hcct_build_return_point(call);
    if (!back)
        return;
    LLVMPositionBuilderBefore(b, back);
    hcct_build_store(unit, top, hcct_build_thread_field(unit, offsetof(struct hcct_thread, top)));
}
