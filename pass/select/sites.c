/* Lists the call sites of a function: every call and invoke, but for calls of intrinsics, of functions that
 * call nothing back (harmless.h), and of assembly without a call. For each it asks here, before the code is
 * changed: where the call leads, whether it is a tail call, how often it runs, and whether it pushes. Calls
 * that only count others (prepare/externals.c) have the last ordinals, so that those of the others do not
 * depend on them.
 *
 * A call pushes if its callee cannot be known before the program runs (a pointer), is not instrumented for
 * sure (an ifunc, a local function that was left alone), or is its own caller. Any other call has a delta. */
#include "pass/select/sites.h"

#include <stdlib.h>

#include "pass/select/assembly.h"
#include "pass/select/functions.h"
#include "pass/select/guided.h"
#include "pass/select/harmless.h"
#include "pass/select/library.h"
#include "pass/select/mark.h"
#include "pass/unit/bridge.h"
#include "pass/unit/ir.h"

/* The global that the call names, behind local aliases; NULL if it calls through a pointer. */
static LLVMValueRef named_callee(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    while (LLVMIsAGlobalAlias(callee) && hcct_ir_is_local(callee))
        callee = LLVMAliasGetAliasee(callee);
    return LLVMIsAGlobalValue(callee) ? callee : NULL;
}

/* Whether the callee needs to know its context: it is instrumented, or may call back into the program. */
static bool needs_context(struct hcct_unit *unit, LLVMValueRef call)
{
    size_t length;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee))
        return hcct_assembly_calls(unit->module, callee);
    if (!LLVMIsAFunction(callee))
        return true;
    const char *name = LLVMGetValueName2(callee, &length);
    return !LLVMGetIntrinsicID(callee) && !hcct_functions_is_compilers_own(name) &&
           !(LLVMIsDeclaration(callee) && hcct_harmless_is(name, length));
}

/* Whether the call only counts the one behind it (prepare/externals.c). */
static bool is_stand_in(struct hcct_unit *unit, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    struct hcct_target *target = LLVMIsAFunction(callee) ? hcct_unit_target(unit, callee) : NULL;
    return target && target->external;
}

static enum hcct_site_kind kind_of(struct hcct_unit *unit, LLVMValueRef callee)
{
    if (!callee)
        return HCCT_SITE_INDIRECT;
    if (LLVMIsAGlobalIFunc(callee))
        return HCCT_SITE_EXTERNAL;
    if (LLVMIsAFunction(callee) && hcct_ir_is_non_interposable(callee) && hcct_unit_target(unit, callee))
        return HCCT_SITE_LOCAL;
    return hcct_ir_is_local(callee) && !unit->mixed ? HCCT_SITE_EXTERNAL : HCCT_SITE_SYMBOL;
}

/* Whether the return `leave` returns what the call returned, or nothing. */
static bool is_returned(LLVMValueRef call, LLVMValueRef leave)
{
    return LLVMIsAReturnInst(leave) && (LLVMGetNumOperands(leave) == 0 || LLVMGetOperand(leave, 0) == call);
}

static bool is_tail(const struct hcct_unit *unit, LLVMValueRef function, LLVMValueRef call)
{
    if (!LLVMIsACallInst(call) || LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
        return false;
    enum hcct_tail_mark mark = hcct_bridge_tail_mark(call);
    if (mark == HCCT_TAIL_MARK_MUST)
        return true;
    return mark == HCCT_TAIL_MARK_TAIL && !unit->shadow_alone && !hcct_bridge_stands_once(call) &&
           is_returned(call, hcct_bridge_next_real(call)) &&
           !LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                          "disable-tail-calls", 18);
}

/* Whether the call leads to the function that it stands in. In a shared object another definition may replace
 * a function of default visibility for its callers; elsewhere one that is replaced does not run at all. */
static bool is_recursive(struct hcct_unit *unit, LLVMValueRef function, LLVMValueRef callee)
{
    return callee == function &&
           (hcct_ir_is_local(function) || LLVMGetVisibility(function) != LLVMDefaultVisibility ||
            !hcct_bridge_is_position_independent_library(unit->module));
}

static bool never_returns(LLVMValueRef call)
{
    return LLVMIsAUnreachableInst(hcct_bridge_next_real(call));
}

/* A site of a lower weight is cold: it gets the shortest code, a call of the runtime. 128 is the weight of a
 * site that runs once for each call of its function, and each step halves that. A profile of an earlier run
 * replaces these limits (HCCT_GUIDE).
 * On SQLite a push in line takes 113 bytes and 13 instructions; by the runtime 16 bytes and some 40. A call
 * that tests its delta takes 95 bytes and 5 instructions; by the runtime 23 bytes and 17. With a limit of 128
 * for those, CPython has 8% less code, and takes 2% more instructions (Perl and libsass up to 9%). With 124
 * it has 5% more code, and no fewer instructions: in line a test may make the compiler save more registers.
 * So it is with a limit of 125 for pushes.
 * In a link the limits are one lower, as the calls that still push there run more often. The limit for
 * recursive calls is the lowest: each is an entry of the function, too. */
#define COLD_FREQUENCY_PUSHES 127
#define COLD_FREQUENCY_NUMBERED 126
#define COLD_FREQUENCY_RECURSIVE 125

static bool is_cold(const struct hcct_unit *unit, const struct hcct_call *call, uint8_t frequency)
{
    uint8_t limit = call->recursive ? COLD_FREQUENCY_RECURSIVE
                    : call->pushes  ? COLD_FREQUENCY_PUSHES
                                    : COLD_FREQUENCY_NUMBERED;
    if (unit->linking && !call->recursive)
        limit--;
    return call->weight < 64 || (call->weight < 128 && frequency < limit); /* hcct_guide_weight */
}

/* In unoptimized code a numbered call is tested all the same: frames of all calls would fill the context
 * stack. */
static bool is_to_be_small(const struct hcct_target *target, const struct hcct_call *call)
{
    return target->small && (call->pushes || !target->unoptimized);
}

static bool add_call(struct hcct_unit *unit, struct hcct_target *target, LLVMValueRef instruction)
{
    uint32_t ordinal = target->call_count + 1;
    if (!(target->call_count & target->call_count + 1)) {
        struct hcct_call *grown =
            realloc(target->calls, (2 * (size_t)target->call_count + 2) * sizeof *grown);
        if (!grown)
            return false;
        target->calls = grown;
    }
    struct hcct_call *call = &target->calls[target->call_count++];
    LLVMValueRef callee = named_callee(instruction);
    *call = (struct hcct_call){
        .instruction = instruction,
        .callee = callee,
        .id = hcct_mark_site_id(unit, target->function, ordinal),
        .kind = kind_of(unit, callee),
        .ordinal = ordinal,
        .tail = is_tail(unit, target->function, instruction),
    };
    call->recursive = !call->tail && is_recursive(unit, target->function, callee);
    if (call->recursive)
        call->kind = HCCT_SITE_LOCAL;
    if (call->kind == HCCT_SITE_EXTERNAL && call->tail &&
        hcct_bridge_tail_mark(instruction) == HCCT_TAIL_MARK_TAIL)
        call->tail = false; /* emit/calls.c, invariant 1 */
    if (call->kind == HCCT_SITE_SYMBOL &&
        (LLVMIsDeclaration(callee) || LLVMGetLinkage(callee) == LLVMAvailableExternallyLinkage)) {
        size_t length;
        const char *name = LLVMGetValueName2(callee, &length);
        call->library = hcct_library_leads_to(name, length);
    }
    call->pushes = call->recursive || call->kind == HCCT_SITE_INDIRECT || call->kind == HCCT_SITE_EXTERNAL;
    if (LLVMIsAInvokeInst(instruction) || !never_returns(instruction))
        call->weight = hcct_bridge_block_weight(unit->analyses, LLVMGetInstructionParent(instruction));
    uint8_t frequency = call->weight;
    call->weight = hcct_guided_weight(call->id, frequency);
    call->external = is_stand_in(unit, instruction);
    call->cold = !call->external && (is_to_be_small(target, call) || is_cold(unit, call, frequency) ||
                                     LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)));
    return true;
}

/* Calls with a delta come first. Both parts are in the order of the code. */
static int compare_calls(const void *a, const void *b)
{
    const struct hcct_call *x = a, *y = b;
    if (x->pushes != y->pushes)
        return x->pushes ? 1 : -1;
    return (x->ordinal > y->ordinal) - (x->ordinal < y->ordinal);
}

static bool add_calls(struct hcct_unit *unit, struct hcct_target *target, bool of_stand_ins)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(target->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
            if (hcct_ir_is_call(at) && is_stand_in(unit, at) == of_stand_ins && needs_context(unit, at) &&
                !add_call(unit, target, at))
                return false;
    return true;
}

/* Outside of loops, and in line. */
static bool is_straight_push(const struct hcct_call *call)
{
    enum { ONCE = 128 }; /* the weight of what runs once for each call of the function */
    return call->pushes && !call->cold && !call->external && call->weight <= ONCE;
}

/* Very many pushes, one behind the other, as generated code has them. In line each would be four blocks with
 * constants of its own, and for each constant LLVM looks through all blocks above (ConstantHoisting). */
static void make_many_cold(struct hcct_target *target)
{
    enum { MANY = 500 };
    uint32_t count = 0;
    for (uint32_t i = 0; i < target->call_count; i++)
        count += is_straight_push(&target->calls[i]);
    for (uint32_t i = 0; count > MANY && i < target->call_count; i++)
        target->calls[i].cold |= is_straight_push(&target->calls[i]);
}

bool hcct_sites_collect(struct hcct_unit *unit, struct hcct_target *target)
{
    if (!add_calls(unit, target, false) || !add_calls(unit, target, true))
        return false;
    make_many_cold(target);
    if (target->call_count)
        qsort(target->calls, target->call_count, sizeof *target->calls, compare_calls);
    while (target->delta_count < target->call_count && !target->calls[target->delta_count].pushes)
        target->delta_count++;
    return true;
}
