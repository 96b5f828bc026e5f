/* Functions that other instrumentation calls, at a function's entry in front of ours: there the thread's word
 * may be one that the caller left for the function itself. So what such a hook calls may not take it.
 *
 * Invariants
 *   1. a hook is not instrumented; while it runs the thread's word is none, and at its end it is again what
 *      it was at its start;
 *   2. it is told by its name, which the compiler gives, or by a call of the module that hands it to XRay.
 * A musttail call of a hook is not looked after. */
#include <string.h>

#include "pass/emit/build.h"

static bool has_hook_name(const char *name)
{
    static const char *const names[] = { "mcount", "_mcount", "\1mcount", "\1_mcount", "__fentry__" };
    static const char *const prefixes[] = { "__cyg_profile_func_", "__sanitizer_cov_" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static bool takes_hook(LLVMValueRef callee)
{
    static const char *const names[] = { "__xray_set_handler", "__xray_set_handler_arg1",
                                         "__xray_set_customevent_handler", "__xray_set_typedevent_handler" };
    size_t length;
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

bool hcct_hook_is(LLVMValueRef function)
{
    size_t length;
    if (has_hook_name(LLVMGetValueName2(function, &length)))
        return true;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if ((LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) && LLVMGetNumArgOperands(user) &&
            LLVMGetOperand(user, 0) == function && takes_hook(LLVMGetCalledValue(user)))
            return true;
    }
    return false;
}

static bool is_naked(LLVMValueRef function)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("naked", 5);
    return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind) !=
           NULL;
}

static void keep_word(struct hcct_unit *unit, LLVMValueRef function)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    LLVMPositionBuilderBefore(unit->builder, hcct_bridge_first_insertion(entry));
    struct hcct_target target = { .function = function };
    hcct_unit_declare_thread(unit);
    LLVMSetCurrentDebugLocation2(unit->builder, hcct_build_artificial_location(unit, &target));
    LLVMValueRef word = hcct_build_take_word(unit);
    for (LLVMBasicBlockRef block = entry; block; block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        LLVMValueRef before = LLVMIsAReturnInst(end) ? LLVMGetPreviousInstruction(end) : NULL;
        if (!LLVMIsAReturnInst(end) ||
            (before && LLVMIsACallInst(before) && hcct_bridge_tail_mark(before) == HCCT_TAIL_MARK_MUST))
            continue;
        LLVMPositionBuilderBefore(unit->builder, end);
        hcct_build_store(unit, word, unit->thread);
    }
}

void hcct_hooks_keep_words(struct hcct_unit *unit)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) != LLVMAvailableExternallyLinkage && !is_naked(f) &&
            hcct_hook_is(f))
            keep_word(unit, f);
}
