/* Calls that leave instrumented code are counted by a stand-in: an empty function of this module, one for
 * each function that is called, which is called in front of it.
 *
 *     malloc(n)      becomes      hcct.external.malloc(); malloc(n)
 *
 * The stand-in is instrumented like any function, and its record says what it stands for. So a call that
 * leaves is a context like any other: numbering, counting and the decoder know nothing of it. If the function
 * turns out to be instrumented, by another module of the program, the runtime says so in the delta of the
 * stand-in's call, and that call is skipped (emit/calls.c).
 *
 * Invariants
 *   1. what the program does is left as it is: the call that leaves, and what stands behind it, do not
 *      change;
 *   2. ids of other call sites are those of a build without stand-ins (select/sites.c);
 *   3. no time is measured in a stand-in: time stays with the caller. */
#include "pass/prepare/externals.h"

#include <stdlib.h>
#include <string.h>

#include "pass/select/externals.h"
#include "pass/select/mark.h"
#include "pass/unit/bridge.h"
#include "pass/unit/ir.h"

#define STAND_IN "hcct.external."

struct stand_ins {
    struct hcct_unit *unit;
    struct hcct_pattern pattern;
    struct hcct_target *added;
    size_t count;
    bool failed;
};

/* What code generation has to know of any function: the processor, frame pointers, unwind tables. */
static void copy_attributes(LLVMValueRef to, LLVMValueRef from)
{
    static const char *const texts[] = { "frame-pointer", "target-cpu", "target-features", "tune-cpu" };
    LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        LLVMAttributeRef attribute =
            LLVMGetStringAttributeAtIndex(from, at, texts[i], (unsigned)strlen(texts[i]));
        if (attribute)
            LLVMAddAttributeAtIndex(to, at, attribute);
    }
    LLVMAttributeRef tables = LLVMGetEnumAttributeAtIndex(from, at, hcct_ir_attribute_kind("uwtable"));
    if (tables)
        LLVMAddAttributeAtIndex(to, at, tables);
}

static LLVMValueRef add_function(struct hcct_unit *unit, const char *name, LLVMValueRef caller)
{
    char *text = malloc(strlen(name) + sizeof STAND_IN);
    if (!text)
        return NULL;
    strcpy(text, STAND_IN);
    strcat(text, name);
    LLVMValueRef function = LLVMAddFunction(unit->module, text, LLVMFunctionType(unit->none, NULL, 0, false));
    free(text);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(unit->context, hcct_ir_attribute_kind("nounwind"), 0));
    copy_attributes(function, caller);
    LLVMPositionBuilderAtEnd(unit->builder, LLVMAppendBasicBlockInContext(unit->context, function, ""));
    LLVMSetCurrentDebugLocation2(unit->builder, NULL);
    LLVMBuildRetVoid(unit->builder);
    return function;
}

/* The stand-in of `callee`, made if it is new; NULL if memory is short. An intrinsic's callee may not be
 * declared yet. */
static LLVMValueRef stand_in(struct stand_ins *all, LLVMValueRef callee, const char *name,
                             LLVMValueRef caller)
{
    struct hcct_unit *unit = all->unit;
    if (!callee)
        callee = LLVMAddFunction(unit->module, name, LLVMFunctionType(unit->none, NULL, 0, false));
    for (size_t i = 0; i < all->count; i++)
        if (all->added[i].external == callee)
            return all->added[i].function;
    if (!(all->count & (all->count + 1))) {
        struct hcct_target *grown = realloc(all->added, (2 * all->count + 2) * sizeof *grown);
        if (!grown)
            return NULL;
        all->added = grown;
    }
    LLVMValueRef function = add_function(unit, name, caller);
    if (function)
        all->added[all->count++] = (struct hcct_target){ .function = function, .external = callee };
    return function;
}

static void count_call(struct stand_ins *all, const char *text, LLVMValueRef caller, LLVMValueRef call)
{
    struct hcct_unit *unit = all->unit;
    LLVMValueRef callee;
    const char *name = hcct_externals_callee(unit, &all->pattern, text, call, &callee);
    LLVMValueRef function = name ? stand_in(all, callee, name, caller) : NULL;
    all->failed |= name && !function;
    if (!function)
        return;
    LLVMPositionBuilderBefore(unit->builder, call);
    LLVMSetCurrentDebugLocation2(unit->builder, LLVMInstructionGetDebugLoc(call));
    LLVMBuildCall2(unit->builder, LLVMGlobalGetValueType(function), function, NULL, 0, "");
}

static void count_calls_of(struct stand_ins *all, const struct hcct_target *target)
{
    struct hcct_unit *unit = all->unit;
    char *text = hcct_mark_externals(unit, target->function);
    if (!text)
        return;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(target->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
            if (hcct_ir_is_call(at))
                count_call(all, text, target->function, at);
    free(text);
}

/* Takes over what was added. */
static bool add_targets(struct stand_ins *all)
{
    struct hcct_unit *unit = all->unit;
    struct hcct_target *grown =
        realloc(unit->targets, (unit->target_count + all->count) * sizeof *unit->targets);
    if (!grown)
        return false;
    memcpy(grown + unit->target_count, all->added, all->count * sizeof *grown);
    unit->targets = grown;
    unit->target_count += all->count;
    free(unit->by_function);
    unit->by_function = NULL;
    return hcct_unit_index_targets(unit);
}

bool hcct_externals_add(struct hcct_unit *unit)
{
    struct stand_ins all = { .unit = unit };
    for (size_t i = 0; i < unit->target_count; i++)
        count_calls_of(&all, &unit->targets[i]);
    bool done = !all.failed && (!all.count || add_targets(&all));
    hcct_pattern_free(&all.pattern);
    free(all.added);
    return done;
}
