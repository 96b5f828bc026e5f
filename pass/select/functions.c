/* Chooses the functions that are instrumented: all that the module defines, but for those that
 *   - the user excludes (HCCT_FILTER, `noprofile`), or that are hooks of other instrumentation (hook.h);
 *   - belong to this profiler or to a sanitizer;
 *   - run before thread-local data exists: ifunc resolvers, and the functions that they call by name;
 *   - have no usual frame: `naked`, -fsplit-stack;
 *   - have the name of a library function that calls nothing back (harmless.h).
 * In a link only marked functions are chosen; the rest of the list was applied when they were marked
 * (mark.h). */
#include "pass/select/functions.h"

#include <stdlib.h>
#include <string.h>

#include "pass/select/filter.h"
#include "pass/select/harmless.h"
#include "pass/select/hook.h"
#include "pass/select/mark.h"
#include "pass/unit/bridge.h"
#include "pass/unit/ir.h"

struct selection {
    struct hcct_unit *unit;
    LLVMValueRef *skipped; /* what runs before thread-local data exists */
    size_t skipped_count;
};

static bool is_skipped(const struct selection *selection, LLVMValueRef function)
{
    for (size_t i = 0; i < selection->skipped_count; i++)
        if (selection->skipped[i] == function)
            return true;
    return false;
}

static void skip(struct selection *selection, LLVMValueRef function)
{
    if (!function || !LLVMIsAFunction(function) || LLVMIsDeclaration(function) ||
        is_skipped(selection, function))
        return;
    LLVMValueRef *grown = realloc(selection->skipped, (selection->skipped_count + 1) * sizeof *grown);
    if (!grown)
        return;
    selection->skipped = grown;
    grown[selection->skipped_count++] = function;
}

/* The ifunc resolvers, and what they call by name, at any depth. */
static void skip_resolvers(struct selection *selection)
{
    LLVMModuleRef module = selection->unit->module;
    for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(module); i; i = LLVMGetNextGlobalIFunc(i))
        skip(selection, LLVMGetGlobalIFuncResolver(i));
    for (size_t i = 0; i < selection->skipped_count; i++) /* grows while it runs */
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(selection->skipped[i]); b;
             b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef at = LLVMGetFirstInstruction(b); at; at = LLVMGetNextInstruction(at))
                if (LLVMIsACallInst(at) || LLVMIsAInvokeInst(at))
                    skip(selection, LLVMGetCalledValue(at));
}

bool hcct_functions_is_compilers_own(const char *name)
{
    static const char *const prefixes[] = { "__hcct_", "hcct_shadow_", "asan.",  "tsan.",
                                            "msan.",   "sancov.",      "__llvm_" };
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

/* -fsplit-stack: a callee's frame may lie above its caller's. A comparison of stack pointers would then not
 * tell live frames from dead ones. */
static bool is_split(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         "split-stack", 11) != NULL;
}

static bool is_instrumented(const struct selection *selection, LLVMValueRef function)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    return !LLVMIsDeclaration(function) && LLVMGetLinkage(function) != LLVMAvailableExternallyLinkage &&
           !is_split(function) && !hcct_ir_has_attribute(function, "naked") &&
           !hcct_ir_has_attribute(function, "noprofile") && !hcct_functions_is_compilers_own(name) &&
           !is_skipped(selection, function) && !hcct_hook_is(function) &&
           hcct_mark_is_on(function) >= selection->unit->linking &&
           (selection->unit->linking ||
            !(LLVMGetLinkage(function) == LLVMExternalLinkage && hcct_harmless_is(name, length))) &&
           (selection->unit->linking ||
            !hcct_filter_excludes(name, hcct_unit_source(selection->unit, function)));
}

static void warn_of_split_stacks(LLVMModuleRef module)
{
    LLVMValueRef f = LLVMGetFirstFunction(module);
    while (f && (LLVMIsDeclaration(f) || !is_split(f)))
        f = LLVMGetNextFunction(f);
    if (f)
        hcct_bridge_warn(module,
                         "hcct: -fsplit-stack is not supported: functions that have it are left alone");
}

bool hcct_functions_select(struct hcct_unit *unit)
{
    struct selection selection = { unit, NULL, 0 };
    size_t function_count = 0;
    skip_resolvers(&selection);
    if (!unit->linking)
        warn_of_split_stacks(unit->module);
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        function_count++;
    unit->targets = calloc(function_count + 1, sizeof *unit->targets);
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f && unit->targets; f = LLVMGetNextFunction(f))
        if (is_instrumented(&selection, f))
            unit->targets[unit->target_count++].function = f;
    free(selection.skipped);
    return unit->targets && unit->target_count;
}

bool hcct_functions_is_called_only(struct hcct_unit *unit, LLVMValueRef function)
{
    if (hcct_unit_target(unit, function)->in_assembly)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user) || !hcct_ir_is_call(user) || LLVMGetCalledValue(user) != function)
            return false;
        for (unsigned i = 0; i < (unsigned)LLVMGetNumArgOperands(user); i++)
            if (LLVMGetOperand(user, i) == function)
                return false;
        LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
        if (!hcct_unit_target(unit, caller))
            return false;
    }
    return true;
}

bool hcct_functions_is_small(LLVMValueRef function)
{
    return hcct_ir_has_attribute(function, "cold") || hcct_ir_has_attribute(function, "optsize") ||
           hcct_ir_has_attribute(function, "minsize");
}

bool hcct_functions_runs_once(LLVMValueRef function)
{
    const char *section = LLVMGetSection(function);
    return section && strcmp(section, ".text.startup") == 0 && hcct_ir_is_local(function);
}
