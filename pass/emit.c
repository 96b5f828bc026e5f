/* Emits the code of an instrumented function: the word at entry, the count, and what stands around its calls.
 *
 *     entry:        w = ctx; ctx = 0                       or the last parameter, where only calls of the module lead here
 *     (enterable)   if (w <= HCCT_WORD_TAIL) w = top->prefix + base      when top is live and base is known,
 *                                            else __hcct_enter
 *     count:        slot = slots[hash(w)]; if (slot.key == w) slot.count++ else __hcct_miss
 *     numbered call:  d = delta; if (d > 0) ctx = w + d else __hcct_push;  call;  if (delta <= 0) __hcct_pop
 *     settled call:   ctx = w + delta                       (in both, an argument if the callee takes the word as one)
 *     pushing call:   ++top = {mix(w, site), site, sp};  call;  top = what it was
 *
 * Invariants
 *   1. every access of the thread's words and of slots is !nosanitize, and atomic monotonic where it matters that a
 *      signal handler may come between any two of them;
 *   2. nothing follows a call in tail position;
 *   3. blocks that the runtime enters are marked cold, so that no register is saved for them on the fast path. */
#include <string.h>

#include "hcct/allocation.h"
#include "pass/unit.h"

static LLVMValueRef constant(struct hcct_unit *unit, uint64_t value)
{
    return LLVMConstInt(unit->i64, value, false);
}

static LLVMValueRef mark(struct hcct_unit *unit, LLVMValueRef access)
{
    LLVMSetOrdering(access, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(access, 8);
    LLVMSetMetadata(access, unit->nosanitize_kind,
                    LLVMMetadataAsValue(unit->context, LLVMMDNodeInContext2(unit->context, NULL, 0)));
    return access;
}

static LLVMValueRef load(struct hcct_unit *unit, LLVMTypeRef type, LLVMValueRef from, const char *name)
{
    return mark(unit, LLVMBuildLoad2(unit->builder, type, from, name));
}

/* Not atomic, so that it folds into what uses it. */
static LLVMValueRef load_folded(struct hcct_unit *unit, LLVMValueRef from)
{
    LLVMValueRef value = LLVMBuildLoad2(unit->builder, unit->i64, from, "");
    LLVMSetAlignment(value, 8);
    LLVMSetMetadata(value, unit->nosanitize_kind,
                    LLVMMetadataAsValue(unit->context, LLVMMDNodeInContext2(unit->context, NULL, 0)));
    return value;
}

static void store(struct hcct_unit *unit, LLVMValueRef value, LLVMValueRef to)
{
    mark(unit, LLVMBuildStore(unit->builder, value, to));
}

static LLVMValueRef at_offset(struct hcct_unit *unit, LLVMValueRef base, uint64_t offset)
{
    LLVMValueRef index = constant(unit, offset);
    if (!offset)
        return base;
    if (LLVMIsConstant(base))
        return LLVMConstInBoundsGEP2(unit->i8, base, &index, 1);
    return LLVMBuildInBoundsGEP2(unit->builder, unit->i8, base, &index, 1, "");
}

static LLVMValueRef thread_field(struct hcct_unit *unit, size_t offset)
{
    return at_offset(unit, unit->thread, offset);
}

/* A conditional branch of which `then` is the rare side. */
static void branch_rarely(struct hcct_unit *unit, LLVMValueRef condition, LLVMBasicBlockRef then,
                          LLVMBasicBlockRef other)
{
    LLVMMetadataRef weights[] = {
        LLVMMDStringInContext2(unit->context, "branch_weights", 14),
        LLVMValueAsMetadata(LLVMConstInt(unit->i32, 1, false)),
        LLVMValueAsMetadata(LLVMConstInt(unit->i32, 1u << 20, false)),
    };
    LLVMValueRef branch = LLVMBuildCondBr(unit->builder, condition, then, other);
    LLVMSetMetadata(branch, unit->prof_kind,
                    LLVMMetadataAsValue(unit->context, LLVMMDNodeInContext2(unit->context, weights, 3)));
}

static LLVMBasicBlockRef new_block(struct hcct_unit *unit, struct hcct_target *target, const char *name)
{
    return LLVMAppendBasicBlockInContext(unit->context, target->function, name);
}

static void set_enum_attribute(struct hcct_unit *unit, LLVMValueRef function, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(unit->context, kind, 0));
}

/* Calls a cold entry point of the runtime (hcct/abi.h). Through the GOT: a lazy binding stub would not keep the registers. */
static void call_runtime(struct hcct_unit *unit, const char *name, LLVMValueRef *arguments, unsigned count)
{
    LLVMTypeRef types[5];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef type = LLVMFunctionType(unit->none, types, count, false);
    LLVMValueRef callee = LLVMGetNamedFunction(unit->module, name);
    if (!callee) {
        callee = LLVMAddFunction(unit->module, name, type);
        LLVMSetFunctionCallConv(callee, LLVMPreserveMostCallConv);
        set_enum_attribute(unit, callee, "nounwind");
        set_enum_attribute(unit, callee, "cold");
        set_enum_attribute(unit, callee, "nonlazybind");
    }
    LLVMValueRef call = LLVMBuildCall2(unit->builder, type, callee, arguments, count, "");
    LLVMSetInstructionCallConv(call, LLVMPreserveMostCallConv);
}

static LLVMValueRef call_intrinsic(struct hcct_unit *unit, const char *name, LLVMTypeRef overload,
                                   LLVMValueRef *arguments, unsigned count)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef callee = LLVMGetIntrinsicDeclaration(unit->module, id, &overload, 1);
    LLVMTypeRef type = LLVMIntrinsicGetType(unit->context, id, &overload, 1);
    return LLVMBuildCall2(unit->builder, type, callee, arguments, count, "");
}

/* The address of the return address: the same throughout an activation, and no reason for a frame pointer. */
static LLVMValueRef entry_sp(struct hcct_unit *unit)
{
    LLVMValueRef at = call_intrinsic(unit, "llvm.addressofreturnaddress", unit->ptr, NULL, 0);
    return LLVMBuildPtrToInt(unit->builder, at, unit->i64, "hcct.sp");
}

/* The stack pointer itself: no register is kept for it. */
static LLVMValueRef current_sp(struct hcct_unit *unit)
{
    bool x86 = strncmp(LLVMGetTarget(unit->module), "x86_64", 6) == 0;
    const char *name = x86 ? "rsp" : "sp";
    LLVMMetadataRef text = LLVMMDStringInContext2(unit->context, name, strlen(name));
    LLVMValueRef reg = LLVMMetadataAsValue(unit->context, LLVMMDNodeInContext2(unit->context, &text, 1));
    return call_intrinsic(unit, "llvm.read_register", unit->i64, &reg, 1);
}

/* --- entry ------------------------------------------------------------------------------------- */

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

/* What the caller left in the thread's word. */
static LLVMValueRef take_word(struct hcct_unit *unit)
{
    LLVMValueRef word = load(unit, unit->i64, unit->thread, "hcct.given");
    store(unit, constant(unit, 0), unit->thread);
    return word;
}

/* What the caller gave as the last argument. `nest` wants a pointer. */
static LLVMValueRef passed_word(struct hcct_unit *unit, struct hcct_target *target)
{
    return LLVMBuildPtrToInt(unit->builder, LLVMGetLastParam(target->function), unit->i64, "hcct.word");
}

/* The word of a call that nobody numbered, from the live top of the context stack. */
static LLVMValueRef emit_fresh_word(struct hcct_unit *unit, struct hcct_target *target, LLVMValueRef word)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b);
    LLVMBasicBlockRef fresh = new_block(unit, target, "hcct.fresh");
    LLVMBasicBlockRef live = new_block(unit, target, "hcct.live");
    LLVMBasicBlockRef quick = new_block(unit, target, "hcct.quick");
    LLVMBasicBlockRef slow = new_block(unit, target, "hcct.enter");
    LLVMBasicBlockRef done = new_block(unit, target, "hcct.entered");
    LLVMValueRef is_fresh = LLVMBuildICmp(b, LLVMIntULE, word, constant(unit, HCCT_WORD_TAIL), "");
    if (target->address_taken)
        LLVMBuildCondBr(b, is_fresh, fresh, done);
    else
        branch_rarely(unit, is_fresh, fresh, done);

    LLVMPositionBuilderAtEnd(b, fresh);
    LLVMValueRef top =
        load(unit, unit->ptr, thread_field(unit, offsetof(struct hcct_thread, top)), "hcct.top");
    LLVMValueRef top_sp = load(unit, unit->i64, at_offset(unit, top, offsetof(struct hcct_frame, sp)), "");
    LLVMValueRef sp = entry_sp(unit);
    branch_rarely(unit, LLVMBuildICmp(b, LLVMIntULE, top_sp, sp, ""), slow, live);

    LLVMPositionBuilderAtEnd(b, live);
    LLVMValueRef base =
        load(unit, unit->i64, at_offset(unit, target->state, offsetof(struct hcct_state, base)), "hcct.base");
    LLVMSetOrdering(base, LLVMAtomicOrderingAcquire); /* with publish() of registry.c: then all deltas are known */
    branch_rarely(unit, LLVMBuildICmp(b, LLVMIntEQ, base, constant(unit, 0), ""), slow, quick);

    LLVMPositionBuilderAtEnd(b, quick);
    LLVMValueRef prefix =
        load(unit, unit->i64, at_offset(unit, top, offsetof(struct hcct_frame, prefix)), "");
    LLVMValueRef quick_word = LLVMBuildAdd(b, prefix, base, "");
    LLVMBuildBr(b, done);

    LLVMPositionBuilderAtEnd(b, slow);
    LLVMValueRef arguments[] = { word, target->state, sp };
    call_runtime(unit, "__hcct_enter", arguments, 3);
    LLVMValueRef slow_word = take_word(unit);
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
    LLVMBasicBlockRef hit = new_block(unit, target, "hcct.hit");
    LLVMBasicBlockRef miss = new_block(unit, target, "hcct.miss");
    /* The index times the slot size in one shift and mask. */
    LLVMValueRef product = LLVMBuildMul(b, target->word, constant(unit, HCCT_SLOT_MULTIPLIER), "");
    LLVMValueRef shifted = LLVMBuildLShr(b, product, constant(unit, HCCT_SLOT_SHIFT - 4), "");
    LLVMValueRef offset = LLVMBuildAnd(b, shifted, constant(unit, (uint64_t)(HCCT_SLOTS - 1) << 4), "");
    LLVMValueRef slots =
        load(unit, unit->ptr, thread_field(unit, offsetof(struct hcct_thread, slots)), "hcct.slots");
    LLVMValueRef slot = LLVMBuildInBoundsGEP2(b, unit->i8, slots, &offset, 1, "hcct.slot");
    LLVMValueRef key = load_folded(unit, slot); /* only this thread changes it, and outside handlers */
    branch_rarely(unit, LLVMBuildICmp(b, LLVMIntNE, key, target->word, ""), miss, hit);

    LLVMPositionBuilderAtEnd(b, hit);
    LLVMValueRef count_at = at_offset(unit, slot, offsetof(struct hcct_slot, count));
    LLVMValueRef count = load(unit, unit->i64, count_at, "");
    store(unit, LLVMBuildAdd(b, count, constant(unit, 1), ""), count_at);
    LLVMBuildBr(b, rest);

    LLVMPositionBuilderAtEnd(b, miss);
    LLVMValueRef arguments[] = { target->word, target->state };
    call_runtime(unit, "__hcct_miss", arguments, 2);
    LLVMBuildBr(b, rest);
}

static LLVMMetadataRef artificial_location(struct hcct_unit *unit, struct hcct_target *target)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(target->function);
    return subprogram ? LLVMDIBuilderCreateDebugLocation(unit->context, 0, 0, subprogram, NULL) : NULL;
}

static void emit_entry(struct hcct_unit *unit, struct hcct_target *target)
{
    LLVMBuilderRef b = unit->builder;
    LLVMValueRef first = gather_allocas(target);
    LLVMBasicBlockRef entry = LLVMGetInstructionParent(first);
    LLVMBasicBlockRef rest = hcct_bridge_split_before(first);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(entry));

    LLVMPositionBuilderAtEnd(b, entry);
    LLVMSetCurrentDebugLocation2(b, artificial_location(unit, target));
    target->word = target->passed ? passed_word(unit, target) : take_word(unit);
    if (target->enterable)
        target->word = emit_fresh_word(unit, target, target->word);
    emit_count(unit, target, rest);
}

/* --- calls ------------------------------------------------------------------------------------- */

static LLVMValueRef site_address(struct hcct_unit *unit, struct hcct_target *target, uint32_t index)
{
    return at_offset(unit, target->sites, index * sizeof(struct hcct_site));
}

/* The instruction at which control comes back from the call; NULL if it never does. */
static LLVMValueRef return_point(const struct hcct_call *call)
{
    if (LLVMIsAInvokeInst(call->instruction))
        return hcct_bridge_first_insertion(hcct_bridge_split_normal_edge(call->instruction));
    LLVMValueRef next = LLVMGetNextInstruction(call->instruction);
    return LLVMIsAUnreachableInst(next) ? NULL : next;
}

/* Splits so that the call begins a block of its own, and takes the branch in front of it away. */
static LLVMBasicBlockRef open_before(struct hcct_unit *unit, const struct hcct_call *call)
{
    LLVMBasicBlockRef before = LLVMGetInstructionParent(call->instruction);
    LLVMBasicBlockRef at = hcct_bridge_split_before(call->instruction);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(before));
    LLVMPositionBuilderAtEnd(unit->builder, before);
    return at;
}

/* Of a delta, which is the value before it is final or after, and both lead to the runtime. */
static LLVMValueRef load_settled_delta(struct hcct_unit *unit, struct hcct_target *target, uint32_t index)
{
    return load_folded(unit, hcct_record_delta(unit, target, index));
}

static bool is_allocation(const struct hcct_call *call)
{
    size_t length;
    const char *name = LLVMGetValueName2(call->callee, &length);
    return call->kind == HCCT_SITE_SYMBOL && hcct_is_allocation(name, length);
}

/* Goes on to `skipped` where the callee is the C library's allocation, which needs nothing; else to a new block, where
 * the builder is left. */
static void skip_allocation(struct hcct_unit *unit, struct hcct_target *target, uint32_t index,
                            LLVMBasicBlockRef skipped)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef replaced = new_block(unit, target, "hcct.replaced");
    LLVMValueRef delta = load_settled_delta(unit, target, index);
    branch_rarely(unit, LLVMBuildICmp(b, LLVMIntNE, delta, constant(unit, (uint64_t)HCCT_DELTA_NONE), ""),
                  replaced, skipped);
    LLVMPositionBuilderAtEnd(b, replaced);
}

/* The delta is read again, not kept: a register that lives across the call would cost more. */
static void emit_pop_if_pushed(struct hcct_unit *unit, struct hcct_target *target, uint32_t index,
                               LLVMValueRef back)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef before = LLVMGetInstructionParent(back);
    LLVMBasicBlockRef done = hcct_bridge_split_before(back);
    LLVMBasicBlockRef pop = new_block(unit, target, "hcct.pop");
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(before));
    LLVMPositionBuilderAtEnd(b, before);
    if (is_allocation(&target->calls[index]))
        skip_allocation(unit, target, index, done);
    LLVMValueRef delta = load_settled_delta(unit, target, index);
    branch_rarely(unit, LLVMBuildICmp(b, LLVMIntSLE, delta, constant(unit, 0), ""), pop, done);
    LLVMPositionBuilderAtEnd(b, pop);
    call_runtime(unit, "__hcct_pop", NULL, 0);
    LLVMBuildBr(b, done);
}

/* Whether the callee has a parameter for its word: the last. */
static bool passes_word(struct hcct_unit *unit, const struct hcct_call *call)
{
    return call->kind == HCCT_SITE_LOCAL && hcct_unit_target(unit, call->callee)->passed;
}

static void pass_word(struct hcct_unit *unit, const struct hcct_call *call, LLVMValueRef word)
{
    LLVMValueRef argument = LLVMBuildIntToPtr(unit->builder, word, unit->ptr, "");
    LLVMSetOperand(call->instruction, LLVMGetNumArgOperands(call->instruction) - 1, argument);
}

/* No test: what the delta is before the program is numbered, nobody sees (registry.h). */
static void emit_settled_call(struct hcct_unit *unit, struct hcct_target *target,
                              const struct hcct_call *call, uint32_t index)
{
    LLVMPositionBuilderBefore(unit->builder, call->instruction);
    LLVMValueRef delta = load_settled_delta(unit, target, index);
    LLVMValueRef word = LLVMBuildAdd(unit->builder, target->word, delta, "");
    if (passes_word(unit, call))
        pass_word(unit, call, word);
    else
        store(unit, word, unit->thread);
}

static void emit_numbered_call(struct hcct_unit *unit, struct hcct_target *target,
                               const struct hcct_call *call, uint32_t index)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef at = open_before(unit, call);
    LLVMBasicBlockRef fast = new_block(unit, target, "hcct.numbered");
    LLVMBasicBlockRef push = new_block(unit, target, "hcct.push");
    bool passed = passes_word(unit, call);
    if (is_allocation(call))
        skip_allocation(unit, target, index, at);
    LLVMValueRef delta = load(unit, unit->i64, hcct_record_delta(unit, target, index), "hcct.delta");
    branch_rarely(unit, LLVMBuildICmp(b, LLVMIntSLE, delta, constant(unit, 0), ""), push, fast);

    LLVMPositionBuilderAtEnd(b, fast);
    LLVMValueRef words[2] = { LLVMBuildAdd(b, target->word, delta, ""), NULL };
    if (!passed)
        store(unit, words[0], unit->thread);
    LLVMBuildBr(b, at);

    LLVMPositionBuilderAtEnd(b, push);
    LLVMValueRef arguments[4] = { target->word, site_address(unit, target, index), target->state };
    if (call->tail)
        arguments[3] = entry_sp(unit);
    call_runtime(unit, call->tail ? "__hcct_push_tail" : "__hcct_push", arguments, call->tail ? 4 : 2);
    if (passed)
        words[1] = take_word(unit);
    LLVMBuildBr(b, at);

    if (passed) {
        LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(at));
        LLVMValueRef word = LLVMBuildPhi(b, unit->i64, "hcct.passed");
        LLVMAddIncoming(word, words, (LLVMBasicBlockRef[]){ fast, push }, 2);
        pass_word(unit, call, word);
    }
    LLVMValueRef back = call->tail ? NULL : return_point(call);
    if (back)
        emit_pop_if_pushed(unit, target, index, back);
}

/* A push in line. Returns the top of the context stack from before it. */
static LLVMValueRef emit_push(struct hcct_unit *unit, struct hcct_target *target,
                              const struct hcct_call *call, LLVMBasicBlockRef at)
{
    LLVMBuilderRef b = unit->builder;
    LLVMValueRef top_field = thread_field(unit, offsetof(struct hcct_thread, top));
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b);
    LLVMBasicBlockRef grow = new_block(unit, target, "hcct.grow");
    LLVMBasicBlockRef push = new_block(unit, target, "hcct.push");
    LLVMValueRef seen = load(unit, unit->ptr, top_field, "hcct.top");
    LLVMValueRef next = at_offset(unit, seen, sizeof(struct hcct_frame));
    LLVMValueRef low = LLVMBuildAnd(b, LLVMBuildPtrToInt(b, next, unit->i64, ""),
                                    constant(unit, HCCT_STACK_PAGE_BYTES - 1), "");
    branch_rarely(unit, LLVMBuildICmp(b, LLVMIntEQ, low, constant(unit, 0), ""), grow, push);

    LLVMPositionBuilderAtEnd(b, grow);
    call_runtime(unit, "__hcct_grow", NULL, 0);
    LLVMValueRef grown = load(unit, unit->ptr, top_field, "");
    LLVMBuildBr(b, push);

    LLVMPositionBuilderAtEnd(b, push);
    LLVMValueRef top = LLVMBuildPhi(b, unit->ptr, "hcct.top");
    LLVMAddIncoming(top, (LLVMValueRef[]){ seen, grown }, (LLVMBasicBlockRef[]){ before, grow }, 2);
    LLVMValueRef site = constant(unit, call->id);
    LLVMValueRef product = LLVMBuildMul(b, target->word, site, "");
    LLVMValueRef prefix = call_intrinsic(unit, "llvm.bswap", unit->i64, &product, 1);
    LLVMValueRef frame = at_offset(unit, top, sizeof(struct hcct_frame));
    store(unit, prefix, at_offset(unit, frame, offsetof(struct hcct_frame, prefix)));
    store(unit, site, at_offset(unit, frame, offsetof(struct hcct_frame, site)));
    store(unit, current_sp(unit), at_offset(unit, frame, offsetof(struct hcct_frame, sp)));
    store(unit, frame, top_field);
    if (call->recursive) {
        LLVMValueRef base =
            load(unit, unit->i64, at_offset(unit, target->state, offsetof(struct hcct_state, base)), "");
        LLVMValueRef word = LLVMBuildAdd(b, prefix, base, "");
        if (target->passed)
            pass_word(unit, call, word);
        else
            store(unit, word, unit->thread);
    }
    LLVMBuildBr(b, at);
    return top;
}

static void emit_pushing_call(struct hcct_unit *unit, struct hcct_target *target,
                              const struct hcct_call *call, uint32_t index)
{
    LLVMBuilderRef b = unit->builder;
    if (call->tail) {
        LLVMPositionBuilderBefore(b, call->instruction);
        LLVMValueRef callee =
            call->callee ? LLVMConstPointerNull(unit->ptr) : LLVMGetCalledValue(call->instruction);
        LLVMValueRef arguments[] = { target->word, site_address(unit, target, index), target->state,
                                     entry_sp(unit), callee };
        call_runtime(unit, "__hcct_push_tail_open", arguments, 5);
        return;
    }
    LLVMBasicBlockRef at = open_before(unit, call);
    LLVMValueRef top = emit_push(unit, target, call, at);
    LLVMValueRef back = return_point(call);
    if (!back)
        return;
    LLVMPositionBuilderBefore(b, back);
    store(unit, top, thread_field(unit, offsetof(struct hcct_thread, top)));
}

static void emit_arrival(struct hcct_unit *unit, struct hcct_target *target, LLVMValueRef at)
{
    LLVMPositionBuilderBefore(unit->builder, at);
    LLVMSetCurrentDebugLocation2(unit->builder, artificial_location(unit, target));
    LLVMValueRef sp = entry_sp(unit);
    call_runtime(unit, "__hcct_arrive", &sp, 1);
}

static bool is_jump(LLVMValueRef call)
{
    static const char *const names[] = { "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk" };
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return LLVMIsDeclaration(callee) && LLVMGetNumArgOperands(call) == 2;
    return false;
}

/* Code that is not instrumented may catch the jump, and would not take off the frames of what it leaves. */
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
            call_runtime(unit, "__hcct_jump", &environment, 1);
        }
}

/* Where control arrives without a return, frames of what was left are taken off. */
static void emit_arrivals(struct hcct_unit *unit, struct hcct_target *target)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(target->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
            next = LLVMGetNextInstruction(at);
            if (LLVMIsALandingPadInst(at))
                emit_arrival(unit, target, hcct_bridge_first_insertion(block));
            else if (LLVMIsACallInst(at) && hcct_bridge_returns_twice(at))
                emit_arrival(unit, target, next);
        }
}

void hcct_emit_function(struct hcct_unit *unit, struct hcct_target *target)
{
    emit_entry(unit, target);
    emit_jumps(unit, target);
    if (target->call_count)
        emit_arrivals(unit, target);
    for (uint32_t i = 0; i < target->call_count; i++) {
        const struct hcct_call *call = &target->calls[i];
        LLVMSetCurrentDebugLocation2(unit->builder, LLVMInstructionGetDebugLoc(call->instruction));
        hcct_bridge_drop_memory_attributes(call->instruction);
        if (call->callee && LLVMIsAFunction(call->callee))
            hcct_bridge_drop_memory_attributes(call->callee);
        if (call->pushes)
            emit_pushing_call(unit, target, call, i);
        else if (call->settled)
            emit_settled_call(unit, target, call, i);
        else
            emit_numbered_call(unit, target, call, i);
    }
}
