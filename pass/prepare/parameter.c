/* Gives functions that only numbered calls enter a hidden last parameter for their word. It is marked `nest`,
 * so that it comes in the register of a static chain (r10 on x86-64), which C and C++ do not use otherwise.
 * Such a function neither loads the thread's word nor clears it.
 *
 * A function gets the parameter if
 *   - it is local, and its address is not taken;
 *   - all calls use the type of its definition, and none is musttail;
 *   - the register is free;
 *   - it has neither variable arguments nor a musttail call. */
#include "pass/prepare/parameter.h"

#include <string.h>

#include "pass/select/functions.h"
#include "pass/unit/bridge.h"
#include "pass/unit/ir.h"

/* A musttail call needs the same parameters in caller and callee. So a function that makes one gets no other
 * parameter. */
static bool holds_must_tail(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
            if (hcct_ir_is_must_tail(at))
                return true;
    return false;
}

static bool is_called_as_defined(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (hcct_ir_is_must_tail(LLVMGetUser(use)) ||
            !hcct_bridge_calls_as_defined(LLVMGetUser(use), function))
            return false;
    return true;
}

/* Whether the register of a `nest` parameter is free. It is not if the language uses it (a `nest` parameter
 * in the source), or if code that runs in front of the function's first instruction does (-mfentry, patchable
 * entries, XRay). */
static bool has_nest_register(LLVMValueRef function)
{
    static const char *const taken[] = { "fentry-call", "patchable-function-entry", "function-instrument",
                                         "xray-instruction-threshold" };
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, taken[i],
                                          (unsigned)strlen(taken[i])))
            return false;
    for (unsigned i = 1; i <= LLVMCountParams(function); i++)
        if (LLVMGetEnumAttributeAtIndex(function, i, hcct_ir_attribute_kind("nest")))
            return false;
    unsigned convention = LLVMGetFunctionCallConv(function), length = 0;
    LLVMAttributeRef features = LLVMGetStringAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "target-features", 15);
    const char *list = features ? LLVMGetStringAttributeValue(features, &length) : "";
    return (convention == LLVMCCallConv || convention == LLVMFastCallConv) &&
           !hcct_ir_has_attribute(function, "shadowcallstack") &&
           !memmem(list, length, "+reserve-x18", 12) && /* what AArch64 has for it up to LLVM 19 */
           !strstr(LLVMGetTarget(LLVMGetGlobalParent(function)), "android");
}

static bool can_pass_word(struct hcct_unit *unit, LLVMValueRef function)
{
    return hcct_ir_is_local(function) && !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)) &&
           hcct_functions_is_called_only(unit, function) && is_called_as_defined(function) &&
           has_nest_register(function) && !holds_must_tail(function);
}

void hcct_parameter_add_all(struct hcct_unit *unit)
{
    for (size_t i = 0; i < unit->target_count; i++)
        unit->targets[i].passed = can_pass_word(unit, unit->targets[i].function);
    for (size_t i = 0; i < unit->target_count; i++) {
        struct hcct_target *target = &unit->targets[i];
        if (target->passed)
            target->function = hcct_bridge_add_nest_parameter(unit->analyses, target->function);
    }
    hcct_unit_sort_targets(unit);
}
