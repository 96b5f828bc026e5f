/* See build.h. */
#include "pass/emit/build.h"

#include <stdio.h>
#include <string.h>

#include "pass/emit/label.h"
#include "pass/unit/ir.h"

static bool is_x86(struct hcct_unit *unit)
{
    return strncmp(LLVMGetTarget(unit->module), "x86_64", 6) == 0;
}

LLVMValueRef hcct_build_constant(struct hcct_unit *unit, uint64_t value)
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

LLVMValueRef hcct_build_address(struct hcct_unit *unit, LLVMValueRef address)
{
    static const char text[] = "leaq ${1:c}(%rip), $0", constraints[] = "=r,i";
    bool global = LLVMIsAGlobalValue(address) != NULL; /* else it is a place in data of ours */
    if (!unit->absolute || (global && !hcct_bridge_is_dso_local(address)))
        return address;
    LLVMTypeRef type = LLVMFunctionType(unit->ptr, &unit->ptr, 1, false);
    LLVMValueRef lea = LLVMGetInlineAsm(type, (char *)text, sizeof text - 1, (char *)constraints,
                                        sizeof constraints - 1, false, false, LLVMInlineAsmDialectATT, false);
    return LLVMBuildCall2(unit->builder, type, lea, &address, 1, "");
}

bool hcct_build_is_unoptimized(LLVMValueRef function)
{
    return hcct_ir_has_attribute(function, "optnone");
}

LLVMValueRef hcct_build_place(struct hcct_unit *unit, LLVMValueRef address)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInsertBlock(unit->builder));
    return hcct_build_is_unoptimized(function) ? hcct_build_address(unit, address) : address;
}

LLVMValueRef hcct_build_load(struct hcct_unit *unit, LLVMTypeRef type, LLVMValueRef from, const char *name)
{
    return mark(unit, LLVMBuildLoad2(unit->builder, type, from, name));
}

LLVMValueRef hcct_build_load_folded(struct hcct_unit *unit, LLVMValueRef from)
{
    LLVMValueRef value = LLVMBuildLoad2(unit->builder, unit->i64, from, "");
    LLVMSetAlignment(value, 8);
    LLVMSetMetadata(value, unit->nosanitize_kind,
                    LLVMMetadataAsValue(unit->context, LLVMMDNodeInContext2(unit->context, NULL, 0)));
    return value;
}

/* Whether an instruction has room for it: others take 10 bytes for it alone, a load takes 7. */
static bool is_near(uint64_t value)
{
    return value <= INT32_MAX;
}

LLVMValueRef hcct_build_base(struct hcct_unit *unit, const struct hcct_target *target)
{
    if (unit->fixed && is_near(target->base))
        return hcct_build_constant(unit, target->base);
    LLVMValueRef place =
        hcct_build_place(unit, hcct_build_at_offset(unit, target->state, offsetof(struct hcct_state, base)));
    return hcct_build_load(unit, unit->i64, place, "hcct.base");
}

LLVMValueRef hcct_build_delta_address(struct hcct_unit *unit, struct hcct_target *target, uint32_t index)
{
    LLVMValueRef offset =
        LLVMConstInt(unit->i64, offsetof(struct hcct_state, delta) + 8 * (uint64_t)index, false);
    return LLVMConstInBoundsGEP2(unit->i8, target->state, &offset, 1);
}

LLVMValueRef hcct_build_delta(struct hcct_unit *unit, struct hcct_target *target, uint32_t index)
{
    if (target->calls[index].delta && is_near((uint64_t)target->calls[index].delta))
        return hcct_build_constant(unit, (uint64_t)target->calls[index].delta);
    return hcct_build_load_folded(unit,
                                  hcct_build_place(unit, hcct_build_delta_address(unit, target, index)));
}

void hcct_build_store(struct hcct_unit *unit, LLVMValueRef value, LLVMValueRef to)
{
    mark(unit, LLVMBuildStore(unit->builder, value, to));
}

LLVMValueRef hcct_build_at_offset(struct hcct_unit *unit, LLVMValueRef base, uint64_t offset)
{
    LLVMValueRef index = hcct_build_constant(unit, offset);
    if (!offset)
        return base;
    if (LLVMIsConstant(base))
        return LLVMConstInBoundsGEP2(unit->i8, base, &index, 1);
    return LLVMBuildInBoundsGEP2(unit->builder, unit->i8, base, &index, 1, "");
}

LLVMValueRef hcct_build_thread_field(struct hcct_unit *unit, size_t offset)
{
    return hcct_build_at_offset(unit, unit->thread, offset);
}

void hcct_build_branch_rarely(struct hcct_unit *unit, LLVMValueRef condition, LLVMBasicBlockRef then,
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

LLVMBasicBlockRef hcct_build_new_block(struct hcct_unit *unit, struct hcct_target *target, const char *name)
{
    return LLVMAppendBasicBlockInContext(unit->context, target->function, name);
}

static void set_enum_attribute(struct hcct_unit *unit, LLVMValueRef function, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(unit->context, kind, 0));
}

/* Of a shared object, whose runtime may be in another one: not by a lazy binding stub, which would not keep
 * the registers that preserve_most promises. x86-64 has an attribute for that; elsewhere a pointer is loaded,
 * which no pass can fold. What goes to an executable has the runtime beside it (its thread-local data, too):
 * a call by name is the shortest. */
static LLVMValueRef bound_at_start(struct hcct_unit *unit, LLVMValueRef callee, const char *name)
{
    char text[64];
    if (!hcct_bridge_is_position_independent_library(unit->module))
        return callee;
    if (is_x86(unit)) {
        set_enum_attribute(unit, callee, "nonlazybind");
        return callee;
    }
    snprintf(text, sizeof text, "hcct.to.%s", name);
    LLVMValueRef pointer = LLVMGetNamedGlobal(unit->module, text);
    if (!pointer) {
        pointer = LLVMAddGlobal(unit->module, unit->ptr, text);
        LLVMSetInitializer(pointer, callee);
        LLVMSetGlobalConstant(pointer, true);
        LLVMSetLinkage(pointer, LLVMPrivateLinkage);
    }
    LLVMValueRef load = hcct_build_load(unit, unit->ptr, pointer, "");
    LLVMSetVolatile(load, true);
    return load;
}

static void call_runtime(struct hcct_unit *unit, const char *name, LLVMValueRef *arguments, unsigned count,
                         bool cold)
{
    LLVMTypeRef types[6];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef type = LLVMFunctionType(unit->none, types, count, false);
    LLVMValueRef callee = LLVMGetNamedFunction(unit->module, name);
    if (!callee) {
        callee = LLVMAddFunction(unit->module, name, type);
        LLVMSetFunctionCallConv(callee, LLVMPreserveMostCallConv);
        set_enum_attribute(unit, callee, "nounwind");
        if (cold)
            set_enum_attribute(unit, callee, "cold");
    }
    callee = bound_at_start(unit, callee, name);
    LLVMValueRef call = LLVMBuildCall2(unit->builder, type, callee, arguments, count, "");
    LLVMSetInstructionCallConv(call, LLVMPreserveMostCallConv);
}

void hcct_build_call_runtime(struct hcct_unit *unit, const char *name, LLVMValueRef *arguments,
                             unsigned count)
{
    call_runtime(unit, name, arguments, count, true);
}

void hcct_build_call_usual(struct hcct_unit *unit, const char *name, LLVMValueRef *arguments, unsigned count)
{
    call_runtime(unit, name, arguments, count, false);
}

void hcct_build_call_last(struct hcct_unit *unit, const char *name, const LLVMValueRef *last, unsigned count,
                          bool cold)
{
    LLVMValueRef arguments[6];
    for (unsigned i = 0; i < 6; i++)
        arguments[i] = i < 6 - count ? LLVMGetPoison(unit->i64) : last[i - (6 - count)];
    call_runtime(unit, name, arguments, 6, cold);
}

LLVMValueRef hcct_build_call_intrinsic(struct hcct_unit *unit, const char *name, LLVMTypeRef overload,
                                       LLVMValueRef *arguments, unsigned count)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef callee = LLVMGetIntrinsicDeclaration(unit->module, id, &overload, 1);
    LLVMTypeRef type = LLVMIntrinsicGetType(unit->context, id, &overload, 1);
    return LLVMBuildCall2(unit->builder, type, callee, arguments, count, "");
}

LLVMValueRef hcct_build_entry_sp(struct hcct_unit *unit)
{
    const char *name = is_x86(unit) ? "llvm.addressofreturnaddress" : "llvm.sponentry";
    LLVMValueRef at = hcct_build_call_intrinsic(unit, name, unit->ptr, NULL, 0);
    LLVMValueRef sp = LLVMBuildPtrToInt(unit->builder, at, unit->i64, "hcct.sp");
    return is_x86(unit) ? sp : LLVMBuildSub(unit->builder, sp, hcct_build_constant(unit, 8), "hcct.sp");
}

LLVMValueRef hcct_build_current_sp(struct hcct_unit *unit)
{
    const char *name = is_x86(unit) ? "rsp" : "sp";
    LLVMMetadataRef text = LLVMMDStringInContext2(unit->context, name, strlen(name));
    LLVMValueRef reg = LLVMMetadataAsValue(unit->context, LLVMMDNodeInContext2(unit->context, &text, 1));
    return hcct_build_call_intrinsic(unit, "llvm.read_register", unit->i64, &reg, 1);
}

LLVMValueRef hcct_build_take_word(struct hcct_unit *unit)
{
    LLVMValueRef word = hcct_build_load(unit, unit->i64, unit->thread, "hcct.given");
    hcct_build_store(unit, hcct_build_constant(unit, HCCT_WORD_NONE), unit->thread);
    return word;
}

LLVMMetadataRef hcct_build_artificial_location(struct hcct_unit *unit, struct hcct_target *target)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(target->function);
    return subprogram ? LLVMDIBuilderCreateDebugLocation(unit->context, 0, 0, subprogram, NULL) : NULL;
}

/* --- what stands around calls ----------------------------------------------------------------------- */

LLVMValueRef hcct_build_site(struct hcct_unit *unit, struct hcct_target *target, uint32_t index)
{
    return hcct_build_address(unit,
                              hcct_build_at_offset(unit, target->sites, index * sizeof(struct hcct_site)));
}

LLVMValueRef hcct_build_return_point(const struct hcct_call *call)
{
    if (LLVMIsAInvokeInst(call->instruction))
        return hcct_bridge_first_insertion(hcct_bridge_split_normal_edge(call->instruction));
    LLVMValueRef next = LLVMGetNextInstruction(call->instruction);
    return LLVMIsAUnreachableInst(next) ? NULL : next;
}

LLVMBasicBlockRef hcct_build_open(struct hcct_unit *unit, LLVMValueRef instruction)
{
    LLVMBasicBlockRef before = LLVMGetInstructionParent(instruction);
    LLVMBasicBlockRef at = hcct_bridge_split_before(instruction);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(before));
    LLVMPositionBuilderAtEnd(unit->builder, before);
    return at;
}

bool hcct_build_passes_word(struct hcct_unit *unit, const struct hcct_call *call)
{
    return call->kind == HCCT_SITE_LOCAL && hcct_unit_target(unit, call->callee)->passed;
}

void hcct_build_give_word(struct hcct_unit *unit, const struct hcct_call *call, LLVMValueRef instruction,
                          LLVMValueRef word)
{
    if (!hcct_build_passes_word(unit, call)) {
        hcct_build_store(unit, word, unit->thread);
        return;
    }
    LLVMValueRef argument = LLVMBuildIntToPtr(unit->builder, word, unit->ptr, "");
    LLVMSetOperand(instruction, LLVMGetNumArgOperands(instruction) - 1, argument);
}

void hcct_build_give_left_word(struct hcct_unit *unit, const struct hcct_call *call, LLVMValueRef instruction)
{
    if (hcct_build_passes_word(unit, call))
        hcct_build_give_word(unit, call, instruction, hcct_build_take_word(unit));
}

bool hcct_build_lends(const struct hcct_target *target, const struct hcct_call *call)
{
    return target->has_room && call->kind != HCCT_SITE_LOCAL && !call->library && !call->tail &&
           hcct_ir_can_be_repeated(call->instruction);
}

/* Two words below the stack pointer of whoever called the target: nothing in its frame is above. */
LLVMValueRef hcct_build_lent_sp(struct hcct_unit *unit)
{
    return LLVMBuildSub(unit->builder, hcct_build_entry_sp(unit), hcct_build_constant(unit, 8), "");
}

static void push_by_runtime(struct hcct_unit *unit, struct hcct_target *target, uint32_t index,
                            const char *name)
{
    LLVMValueRef arguments[] = { hcct_build_site(unit, target, index), target->word };
    hcct_build_call_last(unit, name, arguments, 2, true);
    if (!hcct_build_lends(target, &target->calls[index]))
        return;
    LLVMValueRef top = hcct_build_thread_field(unit, offsetof(struct hcct_thread, top));
    LLVMValueRef frame = hcct_build_load(unit, unit->ptr, top, "");
    hcct_build_store(unit, hcct_build_lent_sp(unit),
                     hcct_build_at_offset(unit, frame, offsetof(struct hcct_frame, sp)));
}

void hcct_build_push(struct hcct_unit *unit, struct hcct_target *target, uint32_t index)
{
    push_by_runtime(unit, target, index, "__hcct_push");
}

void hcct_build_push_outline(struct hcct_unit *unit, struct hcct_target *target, uint32_t index)
{
    push_by_runtime(unit, target, index, "__hcct_push_outline");
}

void hcct_build_pop(struct hcct_unit *unit, const struct hcct_target *target, const struct hcct_call *call)
{
    if (hcct_build_lends(target, call)) {
        LLVMValueRef sp = hcct_build_lent_sp(unit);
        hcct_build_call_runtime(unit, "__hcct_pop_lent", &sp, 1);
    } else {
        hcct_build_call_runtime(unit, "__hcct_pop", NULL, 0);
    }
}

LLVMBasicBlockRef hcct_build_split_behind(const struct hcct_call *call)
{
    return LLVMIsAInvokeInst(call->instruction)
               ? hcct_bridge_split_normal_edge(call->instruction)
               : hcct_bridge_split_before(LLVMGetNextInstruction(call->instruction));
}

/* The landing pad of `again` gets from it what it gets from `invoke`. */
static void join_at_pad(LLVMValueRef again, LLVMValueRef invoke)
{
    LLVMBasicBlockRef at = LLVMGetInstructionParent(invoke), copied = LLVMGetInstructionParent(again);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(LLVMGetUnwindDest(again)); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        unsigned i = 0;
        while (LLVMGetIncomingBlock(phi, i) != at)
            i++;
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        LLVMAddIncoming(phi, &value, &copied, 1);
    }
}

/* Where the builder is. An invoke ends that block, and the builder is left in the one where it returns to. */
static void insert_again(struct hcct_unit *unit, struct hcct_target *target, const struct hcct_call *call,
                         LLVMValueRef again)
{
    LLVMInsertIntoBuilder(unit->builder, again);
    if (!LLVMIsAInvokeInst(again))
        return;
    join_at_pad(again, call->instruction);
    LLVMBasicBlockRef back = hcct_build_new_block(unit, target, "hcct.back");
    LLVMSetNormalDest(again, back);
    LLVMPositionBuilderAtEnd(unit->builder, back);
}

LLVMValueRef hcct_build_copy(struct hcct_unit *unit, struct hcct_target *target, const struct hcct_call *call)
{
    LLVMValueRef again = LLVMInstructionClone(call->instruction);
    insert_again(unit, target, call, again);
    return again;
}

LLVMValueRef hcct_build_repeat(struct hcct_unit *unit, struct hcct_target *target,
                               const struct hcct_call *call, uint32_t index)
{
    LLVMValueRef again = LLVMInstructionClone(call->instruction);
    if (call->pushes)
        hcct_build_push_outline(unit, target, index);
    else
        hcct_build_push(unit, target, index);
    hcct_build_give_left_word(unit, call, again);
    hcct_label_call(unit, target, index);
    insert_again(unit, target, call, again);
    hcct_build_pop(unit, target, call);
    return again;
}

static bool has_result(LLVMValueRef call)
{
    return LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
}

/* The phis at the start of the block `behind`, which had one value each, get that of `repeated`, too.
 * `result` is the first of them, or NULL. */
static void join_behind(LLVMBasicBlockRef behind, LLVMBasicBlockRef repeated, const struct hcct_call *call,
                        LLVMValueRef result, LLVMValueRef again)
{
    LLVMValueRef phi = result ? LLVMGetNextInstruction(result) : LLVMGetFirstInstruction(behind);
    for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, 0);
        if (value == result) {
            LLVMSetOperand(phi, 0, call->instruction);
            value = again;
        }
        LLVMAddIncoming(phi, &value, &repeated, 1);
    }
}

void hcct_build_join(struct hcct_unit *unit, const struct hcct_call *call, LLVMValueRef again,
                     LLVMBasicBlockRef at, LLVMBasicBlockRef behind)
{
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef repeated = LLVMGetInsertBlock(b);
    LLVMValueRef result = NULL;
    LLVMBuildBr(b, behind);
    if (has_result(call->instruction)) {
        hcct_bridge_position_at_start(b, behind);
        result = LLVMBuildPhi(b, LLVMTypeOf(again), "");
        LLVMReplaceAllUsesWith(call->instruction, result);
        LLVMAddIncoming(result, (LLVMValueRef[]){ call->instruction, again },
                        (LLVMBasicBlockRef[]){ at, repeated }, 2);
    }
    join_behind(behind, repeated, call, result, again);
}

bool hcct_build_is_must_tail(const struct hcct_call *call)
{
    return hcct_bridge_tail_mark(call->instruction) == HCCT_TAIL_MARK_MUST;
}

void hcct_build_end_function(struct hcct_unit *unit, const struct hcct_call *call, LLVMValueRef again)
{
    if (LLVMGetNumOperands(hcct_bridge_next_real(call->instruction)))
        LLVMBuildRet(unit->builder, again);
    else
        LLVMBuildRetVoid(unit->builder);
}

void hcct_build_pop_behind(struct hcct_unit *unit, const struct hcct_target *target,
                           const struct hcct_call *call)
{
    if (call->leaves)
        return;
    LLVMValueRef back = hcct_build_return_point(call);
    if (!back || (LLVMIsACallInst(call->instruction) && hcct_bridge_returns_twice(call->instruction)))
        return;
    LLVMPositionBuilderBefore(unit->builder, back);
    hcct_build_pop(unit, target, call);
}
