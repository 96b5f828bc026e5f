/* Chooses the calls that are counted where they leave: direct calls of a function that the module does not
 * instrument. Another module may: then the runtime finds that out, and nothing is counted at the call
 * (runtime/objects/numbering.c).
 *
 * Left out are functions that only the compiler or other instrumentation calls: they are no part of what the
 * program does. */
#include "pass/select/externals.h"

#include <stdlib.h>
#include <string.h>

#include "pass/select/functions.h"
#include "pass/select/hook.h"
#include "pass/unit/bridge.h"
#include "pass/unit/ir.h"

const char *hcct_externals_asked(void)
{
    const char *value = getenv("HCCT_EXTERNALS");
    if (!value || !*value || strcmp(value, "0") == 0)
        return NULL;
    return strcmp(value, "1") == 0 ? "" : value;
}

bool hcct_externals_check(const char **error)
{
    const char *text = hcct_externals_asked();
    return !text || hcct_pattern_check(text, "--hcct-externals, HCCT_EXTERNALS", error);
}

/* What an intrinsic becomes; NULL: not known, or no call. */
static const char *becomes(LLVMValueRef call, const char *intrinsic)
{
    static const char *const names[] = { "memcpy", "memmove", "memset" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(intrinsic + strlen("llvm."), names[i], length) == 0 &&
            strncmp(intrinsic + strlen("llvm.") + length, ".p", 2) == 0)
            return LLVMIsAConstant(LLVMGetOperand(call, 2)) ? NULL : names[i];
    }
    return NULL;
}

static bool is_of_other_instrumentation(const char *name)
{
    static const char *const prefixes[] = { "__asan_",      "__tsan_",  "__msan_",         "__ubsan_",
                                            "__hwasan_",    "__dfsan_", "__sanitizer_",    "__memprof_",
                                            "__sancov_",    "__gcov_",  "__llvm_profile_", "llvm_gcov_",
                                            "llvm_gcda_",   "__xray_",  "__cyg_profile_",  "__safestack_",
                                            "__stack_chk_", "hcct_" };
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

const char *hcct_externals_callee(struct hcct_unit *unit, struct hcct_pattern *pattern, const char *text,
                                  LLVMValueRef call, LLVMValueRef *callee)
{
    size_t length;
    LLVMValueRef called = LLVMGetCalledValue(call);
    while (LLVMIsAGlobalAlias(called) && hcct_ir_is_local(called))
        called = LLVMAliasGetAliasee(called);
    if (!LLVMIsAFunction(called) || hcct_unit_target(unit, called))
        return NULL;
    const char *name = LLVMGetValueName2(called, &length);
    if (LLVMGetIntrinsicID(called)) {
        name = becomes(call, name);
        called = name ? LLVMGetNamedFunction(unit->module, name) : NULL;
        if (!name || (called && hcct_unit_target(unit, called)))
            return NULL;
    }
    name += name[0] == 1; /* the mark that keeps LLVM from decorating it */
    if (hcct_functions_is_compilers_own(name) || is_of_other_instrumentation(name) ||
        (called && hcct_hook_is(called)) || !hcct_pattern_matches(pattern, text, name))
        return NULL;
    *callee = called;
    return name;
}
