/* Chooses the functions that are instrumented: all that the module defines, but for those that
 *   - the user excludes (HCCT_FILTER, `noprofile`), or that are hooks of other instrumentation (hook.h);
 *   - belong to this profiler or to a sanitizer;
 *   - run before thread-local data exists: ifunc resolvers, and the functions that they call by name. Other
 *     modules may instrument those of theirs: there is a warning;
 *   - have no usual frame: `naked`, -fsplit-stack;
 *   - have the name of a library function that calls nothing back (harmless.h).
 * In a link only marked functions are chosen; the rest of the list was applied when they were marked
 * (mark.h). */
#include "pass/select/functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pass/select/filter.h"
#include "pass/select/harmless.h"
#include "pass/select/hook.h"
#include "pass/select/mark.h"
#include "pass/unit/bridge.h"
#include "pass/unit/ir.h"

/* --- what runs before thread-local data exists ---------------------------------------------------- */

struct list {
    LLVMValueRef *functions;
    size_t count;
};

static bool has(const struct list *list, LLVMValueRef function)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->functions[i] == function)
            return true;
    return false;
}

static void add(struct list *list, LLVMValueRef function)
{
    if (!function || !LLVMIsAFunction(function) || has(list, function))
        return;
    LLVMValueRef *grown = realloc(list->functions, (list->count + 1) * sizeof *grown);
    if (!grown)
        return;
    list->functions = grown;
    grown[list->count++] = function;
}

/* A function, a pointer or an `asm`; NULL if `instruction` calls nothing. */
static LLVMValueRef callee_of(LLVMValueRef instruction)
{
    LLVMValueRef callee = hcct_ir_is_call(instruction) ? LLVMGetCalledValue(instruction) : NULL;
    while (callee && LLVMIsAGlobalAlias(callee))
        callee = LLVMAliasGetAliasee(callee);
    return callee;
}

static void add_callees(struct list *list, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef at = LLVMGetFirstInstruction(b); at; at = LLVMGetNextInstruction(at))
            add(list, callee_of(at));
}

/* The ifunc resolvers, and what they call by name, at any depth; also functions of other modules, which have
 * no instructions here. */
static struct list find_resolvers(LLVMModuleRef module)
{
    struct list found = { NULL, 0 };
    for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(module); i; i = LLVMGetNextGlobalIFunc(i))
        add(&found, LLVMGetGlobalIFuncResolver(i));
    for (size_t i = 0; i < found.count; i++) /* grows while it runs */
        add_callees(&found, found.functions[i]);
    return found;
}

/* Whether its code is of another module, and may be instrumented there. Names that begin with "__" are of the
 * compiler and the C library, as those that __builtin_cpu_supports needs. */
static bool is_outside(LLVMValueRef callee)
{
    size_t length;
    const char *name = LLVMGetValueName2(callee, &length);
    if (!LLVMIsAFunction(callee))
        return !LLVMIsAInlineAsm(callee);
    return (LLVMIsDeclaration(callee) || LLVMGetLinkage(callee) == LLVMAvailableExternallyLinkage) &&
           !LLVMGetIntrinsicID(callee) && strncmp(name, "__", 2) != 0 && !hcct_harmless_is(name, length) &&
           !hcct_filter_excludes(name, "");
}

static void warn_of_resolver(LLVMModuleRef module, LLVMValueRef callee)
{
    enum { LONGEST = 1024 };
    char text[LONGEST];
    size_t length;
    bool has_name = LLVMIsAFunction(callee) || LLVMIsAGlobalIFunc(callee);
    snprintf(text, sizeof text,
             "hcct: an ifunc resolver calls %s, and there is no thread-local data yet: if that function, or "
             "one that it calls, is instrumented, the program crashes at its start; name these functions in "
             "--hcct-filter, or give them and the resolver no_profile_instrument_function",
             has_name ? LLVMGetValueName2(callee, &length) : "a function through a pointer");
    hcct_bridge_warn(module, text);
}

static void warn_of_callees(LLVMModuleRef module, LLVMValueRef function, struct list *warned)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef at = LLVMGetFirstInstruction(b); at; at = LLVMGetNextInstruction(at)) {
            LLVMValueRef callee = callee_of(at);
            if (!callee || !is_outside(callee) || has(warned, callee))
                continue;
            warn_of_resolver(module, callee);
            add(warned, callee);
        }
}

void hcct_functions_warn_of_resolvers(LLVMModuleRef module)
{
    struct list resolvers = find_resolvers(module), warned = { NULL, 0 };
    for (size_t i = 0; i < resolvers.count; i++)
        if (!hcct_ir_has_attribute(resolvers.functions[i], "noprofile"))
            warn_of_callees(module, resolvers.functions[i], &warned);
    free(resolvers.functions);
    free(warned.functions);
}

/* --- the choice ---------------------------------------------------------------------------------- */

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

static bool is_instrumented(struct hcct_unit *unit, const struct list *resolvers, LLVMValueRef function)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    return !LLVMIsDeclaration(function) && LLVMGetLinkage(function) != LLVMAvailableExternallyLinkage &&
           !is_split(function) && !hcct_ir_has_attribute(function, "naked") &&
           !hcct_ir_has_attribute(function, "noprofile") && !hcct_functions_is_compilers_own(name) &&
           !has(resolvers, function) && !hcct_hook_is(function) &&
           hcct_mark_is_on(function) >= unit->linking &&
           (unit->linking ||
            !(LLVMGetLinkage(function) == LLVMExternalLinkage && hcct_harmless_is(name, length))) &&
           (unit->linking || !hcct_filter_excludes(name, hcct_unit_source(unit, function)));
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
    struct list resolvers = find_resolvers(unit->module);
    size_t function_count = 0;
    if (!unit->linking)
        warn_of_split_stacks(unit->module);
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        function_count++;
    unit->targets = calloc(function_count + 1, sizeof *unit->targets);
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f && unit->targets; f = LLVMGetNextFunction(f))
        if (is_instrumented(unit, &resolvers, f))
            unit->targets[unit->target_count++].function = f;
    free(resolvers.functions);
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
