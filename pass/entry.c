/* Emits the entry of a function: its word, and the count.
 *
 *     w = ctx; ctx = 0                            or the last parameter, where only calls of the module lead here
 *     (enterable)   if (w <= HCCT_WORD_TAIL) w = top->prefix + base      when top is live and base is known,
 *                                            else __hcct_enter
 *     if (slots)                                  nothing is counted otherwise
 *         slot = slots[hash(w)]; if (slot.key == w) slot.count++ else __hcct_miss
 *     (small)       if (w <= HCCT_WORD_TAIL) __hcct_enter; __hcct_count
 *
 * Cost on the usual path: 9 instructions to count, 3 not to, none or 2 for the word, 2 more if enterable, 9 if entered fresh. */
#include "hcct/abi.h"
#include "pass/build.h"

/* Allocas must stay in the entry block to be static, and the new code splits it: returns the first instruction
 * behind them. */
static LLVMValueRef gather_allocas(struct hcct_target *target)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(target->function);
    LLVMValueRef first = NULL;
    for (LLVMValueRef at = LLVMGetFirstInstruction(entry), next; at; at = next) {
        next = LLVMGetNextInstruction(at);
        if (!LLVMIsAAllocaInst(at)) {
            first = first ? first : at;
        } else if (first && LLVMIsAConstantInt(LLVMGetOperand(at, 0))) {
            LLVMBuilderRef mover = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(at)));
            LLVMInstructionRemoveFromParent(at);
            LLVMPositionBuilderBefore(mover, first);
            LLVMInsertIntoBuilder(mover, at);
            LLVMDisposeBuilder(mover);
        }
    }
    return first;
}

/* What the caller gave as the last argument. `nest` wants a pointer. */
static LLVMValueRef passed_word(struct hcct_unit *unit, struct hcct_target *target)
{
    return LLVMBuildPtrToInt(unit->builder, LLVMGetLastParam(target->function), unit->i64, "hcct.word");
}

static LLVMValueRef is_fresh(struct hcct_unit *unit, LLVMValueRef word)
{
    return LLVMBuildICmp(unit->builder, LLVMIntULE, word, hcct_build_constant(unit, HCCT_WORD_TAIL), "");
}

static void call_enter(struct hcct_unit *unit, struct hcct_target *target, LLVMValueRef sp, LLVMValueRef word)
{
    LLVMValueRef arguments[] = { sp, target->state, word };
    hcct_build_call_entered(unit, "__hcct_enter", arguments, 3, true);
}

static bool is_often_fresh(const struct hcct_target *target)
{
    return target->address_taken && !target->small;
}

/* By the runtime: only where other modules take a function's address is it called so. */
static LLVMValueRef emit_rare_fresh_word(struct hcct_unit *unit, struct hcct_target *target, LLVMValueRef word)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b);
    LLVMBasicBlockRef slow = hcct_build_new_block(unit, target, "hcct.enter");
    LLVMBasicBlockRef done = hcct_build_new_block(unit, target, "hcct.entered");
    hcct_build_branch_rarely(unit, is_fresh(unit, word), slow, done);

    LLVMPositionBuilderAtEnd(b, slow);
    call_enter(unit, target, hcct_build_entry_sp(unit), word);
    LLVMValueRef slow_word = hcct_build_take_word(unit);
    LLVMBuildBr(b, done);

    LLVMPositionBuilderAtEnd(b, done);
    LLVMValueRef phi = LLVMBuildPhi(b, unit->i64, "hcct.word");
    LLVMAddIncoming(phi, (LLVMValueRef[]){ word, slow_word }, (LLVMBasicBlockRef[]){ from, slow }, 2);
    return phi;
}

/* The word of a call that nobody numbered, from the live top of the context stack. */
static LLVMValueRef emit_fresh_word(struct hcct_unit *unit, struct hcct_target *target, LLVMValueRef word)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b);
    LLVMBasicBlockRef fresh = hcct_build_new_block(unit, target, "hcct.fresh");
    LLVMBasicBlockRef live = hcct_build_new_block(unit, target, "hcct.live");
    LLVMBasicBlockRef quick = hcct_build_new_block(unit, target, "hcct.quick");
    LLVMBasicBlockRef slow = hcct_build_new_block(unit, target, "hcct.enter");
    LLVMBasicBlockRef done = hcct_build_new_block(unit, target, "hcct.entered");
    LLVMBuildCondBr(b, is_fresh(unit, word), fresh, done);

    LLVMPositionBuilderAtEnd(b, fresh);
    LLVMValueRef top =
        hcct_build_load(unit, unit->ptr, hcct_build_thread_field(unit, offsetof(struct hcct_thread, top)), "hcct.top");
    LLVMValueRef top_sp = hcct_build_load(unit, unit->i64, hcct_build_at_offset(unit, top, offsetof(struct hcct_frame, sp)), "");
    LLVMValueRef sp = hcct_build_entry_sp(unit);
    hcct_build_branch_rarely(unit, LLVMBuildICmp(b, LLVMIntULE, top_sp, sp, ""), slow, live);

    LLVMPositionBuilderAtEnd(b, live);
    LLVMValueRef base = hcct_build_base(unit, target), unready = NULL;
    if (!unit->fixed) {
        LLVMSetOrdering(base, LLVMAtomicOrderingAcquire); /* with publish() of numbering.c: then all deltas are known */
        unready = LLVMBuildICmp(b, LLVMIntEQ, base, hcct_build_constant(unit, 0), "");
    }
    if (target->restores) { /* nothing instrumented runs in the thread: it may be new to the profiler */
        LLVMValueRef idle = LLVMBuildICmp(b, LLVMIntEQ, hcct_current_load(unit), hcct_build_constant(unit, 0), "");
        unready = unready ? LLVMBuildOr(b, unready, idle, "") : idle;
    }
    if (unready)
        hcct_build_branch_rarely(unit, unready, slow, quick);
    else
        LLVMBuildBr(b, quick);

    LLVMPositionBuilderAtEnd(b, quick);
    LLVMValueRef prefix =
        hcct_build_load(unit, unit->i64, hcct_build_at_offset(unit, top, offsetof(struct hcct_frame, prefix)), "");
    LLVMValueRef quick_word = LLVMBuildAdd(b, prefix, base, "");
    LLVMBuildBr(b, done);

    LLVMPositionBuilderAtEnd(b, slow);
    call_enter(unit, target, sp, word);
    LLVMValueRef slow_word = hcct_build_take_left_word(unit);
    LLVMBuildBr(b, done);

    LLVMPositionBuilderAtEnd(b, done);
    LLVMValueRef phi = LLVMBuildPhi(b, unit->i64, "hcct.word");
    LLVMValueRef values[] = { word, quick_word, slow_word };
    LLVMBasicBlockRef blocks[] = { from, quick, slow };
    LLVMAddIncoming(phi, values, blocks, 3);
    return phi;
}

static void emit_count(struct hcct_unit *unit, struct hcct_target *target, LLVMBasicBlockRef rest)
{
    LLVMBuilderRef b = unit->builder;
    LLVMValueRef arguments[] = { target->state, target->word };
    if (target->small) {
        hcct_build_call_entered(unit, "__hcct_count", arguments, 2, false);
        LLVMBuildBr(b, rest);
        return;
    }
    LLVMBasicBlockRef counting = hcct_build_new_block(unit, target, "hcct.counting");
    LLVMBasicBlockRef hit = hcct_build_new_block(unit, target, "hcct.hit");
    LLVMBasicBlockRef miss = hcct_build_new_block(unit, target, "hcct.miss");
    LLVMValueRef slots =
        hcct_build_load(unit, unit->ptr, hcct_build_thread_field(unit, offsetof(struct hcct_thread, slots)), "hcct.slots");
    hcct_build_branch_rarely(unit, LLVMBuildIsNull(b, slots, ""), rest, counting);

    LLVMPositionBuilderAtEnd(b, counting);
    /* The index times the slot size in one shift and mask. */
    LLVMValueRef product = LLVMBuildMul(b, target->word, hcct_build_constant(unit, HCCT_SLOT_MULTIPLIER), "");
    LLVMValueRef shifted = LLVMBuildLShr(b, product, hcct_build_constant(unit, HCCT_SLOT_SHIFT - 4), "");
    LLVMValueRef mask = hcct_build_load_folded(unit, hcct_build_thread_field(unit, offsetof(struct hcct_thread, slot_mask)));
    LLVMValueRef masked = LLVMBuildAnd(b, LLVMBuildTrunc(b, shifted, unit->i32, ""), LLVMBuildTrunc(b, mask, unit->i32, ""), "");
    LLVMValueRef offset = LLVMBuildZExt(b, masked, unit->i64, "");
    LLVMValueRef slot = LLVMBuildInBoundsGEP2(b, unit->i8, slots, &offset, 1, "hcct.slot");
    LLVMValueRef key = hcct_build_load_folded(unit, slot); /* only this thread changes it, and outside handlers */
    hcct_build_branch_rarely(unit, LLVMBuildICmp(b, LLVMIntNE, key, target->word, ""), miss, hit);

    LLVMPositionBuilderAtEnd(b, hit);
    LLVMValueRef count_at = hcct_build_at_offset(unit, slot, offsetof(struct hcct_slot, count));
    LLVMValueRef count = hcct_build_load(unit, unit->i64, count_at, "");
    hcct_build_store(unit, LLVMBuildAdd(b, count, hcct_build_constant(unit, 1), ""), count_at);
    LLVMBuildBr(b, rest);

    LLVMPositionBuilderAtEnd(b, miss);
    hcct_build_call_entered(unit, "__hcct_miss", arguments, 2, true);
    LLVMBuildBr(b, rest);
}

void hcct_emit_entry(struct hcct_unit *unit, struct hcct_target *target)
{
    LLVMBuilderRef b = unit->builder;
    LLVMValueRef first = gather_allocas(target);
    LLVMBasicBlockRef entry = LLVMGetInstructionParent(first);
    LLVMBasicBlockRef rest = hcct_bridge_split_before(first);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(entry));

    LLVMPositionBuilderAtEnd(b, entry);
    LLVMSetCurrentDebugLocation2(b, hcct_build_artificial_location(unit, target));
    target->word = target->passed ? passed_word(unit, target) : hcct_build_take_word(unit);
    if (target->enterable)
        target->word = (is_often_fresh(target) ? emit_fresh_word : emit_rare_fresh_word)(unit, target, target->word);
    if (target->restores)
        hcct_current_enter(unit, target);
    if (target->uncounted)
        LLVMBuildBr(b, rest);
    else
        emit_count(unit, target, rest);
    if (target->measured || target->holds_clock)
        hcct_clock_enter(unit, target, first);
}
