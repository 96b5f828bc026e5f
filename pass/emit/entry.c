/* Emits the entry of a function: its word, and the count.
 *
 *     w = ctx; ctx = HCCT_WORD_NONE               or the last parameter, if only the module calls it
 *     (often fresh) if (w <= HCCT_WORD_TAIL) w = top->prefix + base      when top is live and base is known
 *     if (slots)                                  NULL: nothing is counted
 *         slot = slots[low bits of w]; if (slot.key == w) slot.count++ else w = __hcct_enter_or_miss
 *     else if (w <= HCCT_WORD_TAIL) w = __hcct_enter_or_miss
 *     (small)       if (w <= HCCT_WORD_TAIL) w = __hcct_enter_or_miss else __hcct_count
 *
 * A call that nobody numbered leaves a word of at most HCCT_WORD_TAIL. No slot has such a key, so that it
 * misses, and needs no test: one call of the runtime serves it and other misses. A function that only
 * numbered calls enter calls __hcct_miss instead.
 *
 * Cost on the usual path: 8 instructions to count, 3 not to, none or 2 for the word, 2 more if often fresh or
 * not counted, 9 if entered fresh. */
#include "pass/emit/entry.h"

#include "pass/emit/build.h"
#include "pass/emit/clock.h"

/* Allocas must stay in the entry block to be static, and the new code splits it: returns the first
 * instruction behind them. */
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

/* The words that come to a block, from where. */
struct words {
    LLVMValueRef words[4];
    LLVMBasicBlockRef from[4];
    unsigned count;
};

/* How an entry goes on. */
struct entry {
    LLVMBasicBlockRef rest; /* of the function */
    struct words ready;     /* for rest */
    LLVMBasicBlockRef slow; /* by the runtime; NULL: no call that nobody numbered comes here */
    struct words open;      /* for slow */
    LLVMValueRef word;      /* in the block where the builder is */
    bool may_be_fresh;      /* the word */
};

static void add_word(struct hcct_unit *unit, struct words *words, LLVMValueRef word)
{
    words->words[words->count] = word;
    words->from[words->count++] = LLVMGetInsertBlock(unit->builder);
}

static LLVMValueRef merge_words(struct hcct_unit *unit, struct words *words, const char *name)
{
    LLVMValueRef phi = LLVMBuildPhi(unit->builder, unit->i64, name);
    LLVMAddIncoming(phi, words->words, words->from, words->count);
    return phi;
}

static LLVMBasicBlockRef to_rest(struct hcct_unit *unit, struct entry *entry)
{
    add_word(unit, &entry->ready, entry->word);
    return entry->rest;
}

static LLVMBasicBlockRef to_slow(struct hcct_unit *unit, struct entry *entry)
{
    add_word(unit, &entry->open, entry->word);
    return entry->slow;
}

static LLVMValueRef is_fresh(struct hcct_unit *unit, LLVMValueRef word)
{
    return LLVMBuildICmp(unit->builder, LLVMIntULE, word, hcct_build_constant(unit, HCCT_WORD_TAIL), "");
}

/* Goes on to the runtime if the word is fresh. */
static void leave_if_fresh(struct hcct_unit *unit, struct hcct_target *target, struct entry *entry)
{
    if (!entry->may_be_fresh)
        return;
    LLVMBasicBlockRef next = hcct_build_new_block(unit, target, "hcct.known");
    LLVMValueRef fresh = is_fresh(unit, entry->word);
    hcct_build_branch_rarely(unit, fresh, to_slow(unit, entry), next);
    LLVMPositionBuilderAtEnd(unit->builder, next);
}

static bool has_small_entry(const struct hcct_target *target)
{
    return target->small || target->once;
}

/* In line, and not only by the runtime: where the module itself takes a function's address, it is called so
 * often. */
static bool is_often_fresh(const struct hcct_target *target)
{
    return target->address_taken && !has_small_entry(target);
}

/* The word of a call that nobody numbered, from the live top of the context stack. */
static void emit_fresh_word(struct hcct_unit *unit, struct hcct_target *target, struct entry *entry)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef fresh = hcct_build_new_block(unit, target, "hcct.fresh");
    LLVMBasicBlockRef live = hcct_build_new_block(unit, target, "hcct.live");
    LLVMBasicBlockRef quick = hcct_build_new_block(unit, target, "hcct.quick");
    LLVMBasicBlockRef done = hcct_build_new_block(unit, target, "hcct.entered");
    struct words words = { 0 };
    LLVMValueRef is_open = is_fresh(unit, entry->word);
    add_word(unit, &words, entry->word);
    LLVMBuildCondBr(b, is_open, fresh, done);

    LLVMPositionBuilderAtEnd(b, fresh);
    LLVMValueRef top = hcct_build_load(
        unit, unit->ptr, hcct_build_thread_field(unit, offsetof(struct hcct_thread, top)), "hcct.top");
    LLVMValueRef top_sp = hcct_build_load(
        unit, unit->i64, hcct_build_at_offset(unit, top, offsetof(struct hcct_frame, sp)), "");
    LLVMValueRef dead = LLVMBuildICmp(b, LLVMIntULE, top_sp, hcct_build_entry_sp(unit), "");
    hcct_build_branch_rarely(unit, dead, to_slow(unit, entry), live);

    LLVMPositionBuilderAtEnd(b, live);
    LLVMValueRef base = hcct_build_base(unit, target), unready = NULL;
    if (!unit->fixed) {
        /* with publish() of numbering.c: then all deltas are known */
        LLVMSetOrdering(base, LLVMAtomicOrderingAcquire);
        unready = LLVMBuildICmp(b, LLVMIntEQ, base, hcct_build_constant(unit, 0), "");
    }
    if (unready)
        hcct_build_branch_rarely(unit, unready, to_slow(unit, entry), quick);
    else
        LLVMBuildBr(b, quick);

    LLVMPositionBuilderAtEnd(b, quick);
    LLVMValueRef prefix = hcct_build_load(
        unit, unit->i64, hcct_build_at_offset(unit, top, offsetof(struct hcct_frame, prefix)), "");
    add_word(unit, &words, LLVMBuildAdd(b, prefix, base, ""));
    LLVMBuildBr(b, done);

    LLVMPositionBuilderAtEnd(b, done);
    entry->word = merge_words(unit, &words, "hcct.known");
    entry->may_be_fresh = false;
}

/* In a new block, where the word is not counted and nobody entered without one. */
static LLVMBasicBlockRef make_miss(struct hcct_unit *unit, struct hcct_target *target, struct entry *entry)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(unit->builder),
                      miss = hcct_build_new_block(unit, target, "hcct.miss");
    LLVMPositionBuilderAtEnd(unit->builder, miss);
    hcct_build_call_last(unit, "__hcct_miss",
                         (LLVMValueRef[]){ hcct_build_address(unit, target->state), entry->word }, 2, true);
    LLVMBuildBr(unit->builder, to_rest(unit, entry));
    LLVMPositionBuilderAtEnd(unit->builder, from);
    return miss;
}

/* In a new block, where nothing is counted. */
static LLVMBasicBlockRef make_off(struct hcct_unit *unit, struct hcct_target *target, struct entry *entry)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(unit->builder),
                      off = hcct_build_new_block(unit, target, "hcct.off");
    LLVMPositionBuilderAtEnd(unit->builder, off);
    leave_if_fresh(unit, target, entry);
    LLVMBuildBr(unit->builder, to_rest(unit, entry));
    LLVMPositionBuilderAtEnd(unit->builder, from);
    return off;
}

static void emit_count(struct hcct_unit *unit, struct hcct_target *target, struct entry *entry)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef counting = hcct_build_new_block(unit, target, "hcct.counting");
    LLVMBasicBlockRef hit = hcct_build_new_block(unit, target, "hcct.hit");
    LLVMValueRef slots = hcct_build_load(
        unit, unit->ptr, hcct_build_thread_field(unit, offsetof(struct hcct_thread, slots)), "hcct.slots");
    LLVMBasicBlockRef off = entry->may_be_fresh ? make_off(unit, target, entry) : to_rest(unit, entry);
    hcct_build_branch_rarely(unit, LLVMBuildIsNull(b, slots, ""), off, counting);

    LLVMPositionBuilderAtEnd(b, counting);
    LLVMValueRef mask =
        hcct_build_load_folded(unit, hcct_build_thread_field(unit, offsetof(struct hcct_thread, slot_mask)));
    LLVMValueRef masked = LLVMBuildAnd(b, LLVMBuildTrunc(b, entry->word, unit->i32, ""),
                                       LLVMBuildTrunc(b, mask, unit->i32, ""), "");
    LLVMValueRef offset = LLVMBuildZExt(b, masked, unit->i64, "");
    LLVMValueRef slot = LLVMBuildInBoundsGEP2(b, unit->i8, slots, &offset, 1, "hcct.slot");
    /* only this thread changes it, and outside handlers */
    LLVMValueRef key = hcct_build_load_folded(unit, slot);
    LLVMValueRef missed = LLVMBuildICmp(b, LLVMIntNE, key, entry->word, "");
    hcct_build_branch_rarely(unit, missed,
                             entry->slow ? to_slow(unit, entry) : make_miss(unit, target, entry), hit);

    LLVMPositionBuilderAtEnd(b, hit);
    LLVMValueRef count_at = hcct_build_at_offset(unit, slot, offsetof(struct hcct_slot, count));
    LLVMValueRef count = hcct_build_load(unit, unit->i64, count_at, "");
    hcct_build_store(unit, LLVMBuildAdd(b, count, hcct_build_constant(unit, 1), ""), count_at);
    LLVMBuildBr(b, to_rest(unit, entry));
}

static void emit_any_count(struct hcct_unit *unit, struct hcct_target *target, struct entry *entry)
{
    if (!has_small_entry(target)) {
        emit_count(unit, target, entry);
        return;
    }
    leave_if_fresh(unit, target, entry);
    hcct_build_call_last(unit, "__hcct_count",
                         (LLVMValueRef[]){ hcct_build_address(unit, target->state), entry->word }, 2, false);
    LLVMBuildBr(unit->builder, to_rest(unit, entry));
}

static void emit_slow(struct hcct_unit *unit, struct hcct_target *target, struct entry *entry)
{
    LLVMPositionBuilderAtEnd(unit->builder, entry->slow);
    LLVMValueRef word = merge_words(unit, &entry->open, "hcct.open");
    LLVMValueRef arguments[] = { hcct_build_entry_sp(unit), hcct_build_address(unit, target->state), word };
    hcct_build_call_last(unit, "__hcct_enter_or_miss", arguments, 3, true);
    entry->word =
        hcct_build_load(unit, unit->i64, hcct_build_thread_field(unit, offsetof(struct hcct_thread, entered)),
                        "hcct.entered");
    LLVMBuildBr(unit->builder, to_rest(unit, entry));
}

void hcct_entry_emit(struct hcct_unit *unit, struct hcct_target *target)
{
    LLVMBuilderRef b = unit->builder;
    LLVMValueRef first = gather_allocas(target);
    LLVMBasicBlockRef start = LLVMGetInstructionParent(first);
    struct entry entry = { .rest = hcct_bridge_split_before(first), .may_be_fresh = target->enterable };
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(start));

    LLVMPositionBuilderAtEnd(b, start);
    LLVMSetCurrentDebugLocation2(b, hcct_build_artificial_location(unit, target));
    entry.word = target->passed ? passed_word(unit, target) : hcct_build_take_word(unit);
    if (target->enterable)
        entry.slow = hcct_build_new_block(unit, target, "hcct.enter");
    if (target->enterable && is_often_fresh(target))
        emit_fresh_word(unit, target, &entry);
    emit_any_count(unit, target, &entry);
    if (entry.slow)
        emit_slow(unit, target, &entry);

    LLVMPositionBuilderBefore(b, first);
    target->word = entry.slow ? merge_words(unit, &entry.ready, "hcct.word") : entry.word;
    if (target->measured || target->holds_clock)
        hcct_clock_enter(unit, target, first);
}
