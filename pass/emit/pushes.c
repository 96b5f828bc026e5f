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
    hcct_build_push_outline(unit, target, index);
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
    bool lends = hcct_build_lends(target, call);
    hcct_build_store(unit, lends ? hcct_build_lent_sp(unit) : hcct_build_current_sp(unit),
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
    hcct_build_call_runtime(unit, at ? "__hcct_push_tail_pointer" : "__hcct_push_tail_open", arguments, 5);
    if (!at)
        return;
    LLVMBasicBlockRef leave = hcct_build_new_block(unit, target, "hcct.leave");
    LLVMValueRef given = hcct_build_load(unit, unit->i64, unit->thread, "");
    LLVMValueRef none = LLVMBuildICmp(b, LLVMIntEQ, given, hcct_build_constant(unit, HCCT_WORD_NONE), "");
    hcct_build_branch_rarely(unit, none, leave, at);
    LLVMPositionBuilderAtEnd(b, leave);
    hcct_shadow_stay(unit, target);
    LLVMValueRef again = LLVMInstructionClone(call->instruction);
    LLVMInsertIntoBuilder(b, again);
    hcct_build_pop(unit, target, call);
    LLVMSetTailCall(again, false);
    hcct_shadow_leave(unit, target);
    hcct_build_end_function(unit, call, again);
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
