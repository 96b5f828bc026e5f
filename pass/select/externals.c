/* Chooses the calls that are counted where they leave: direct calls of a function that the module does not
 * instrument. Another module may: then the runtime finds that out, and nothing is counted at the call
 * (runtime/objects/numbering.c).
 *
 * Left out are functions that only the compiler or other instrumentation calls: they are no part of what the
 * program does. */
#include "pass/select/externals.h"

#include <stdio.h>
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
    static char problem[512];
    const char *text = hcct_externals_asked();
    regex_t regex;
    int code = text ? regcomp(&regex, text, REG_EXTENDED | REG_NOSUB) : 0;
    if (code) {
        char why[128];
        regerror(code, &regex, why, sizeof why);
        snprintf(problem, sizeof problem,
                 "hcct: '%s' (--hcct-externals, HCCT_EXTERNALS) is no extended regular expression: %s", text,
                 why);
        *error = problem;
    } else if (text) {
        regfree(&regex);
    }
    return !code;
}

/* Makes `pattern` the compiled form of `text`. False if memory is short. */
static bool compile(struct hcct_externals_pattern *pattern, const char *text)
{
    if (pattern->text && strcmp(pattern->text, text) == 0)
        return true;
    hcct_externals_pattern_free(pattern);
    pattern->text = strdup(text);
    if (pattern->text && regcomp(&pattern->regex, text, REG_EXTENDED | REG_NOSUB) != 0) {
        free(pattern->text);
        pattern->text = NULL;
    }
    return pattern->text;
}

void hcct_externals_pattern_free(struct hcct_externals_pattern *pattern)
{
    if (pattern->text)
        regfree(&pattern->regex);
    free(pattern->text);
    pattern->text = NULL;
}

static bool has(const struct hcct_externals_pattern *pattern, const char *name)
{
    char *demangled = NULL;
    bool found = regexec(&pattern->regex, name, 0, NULL, 0) == 0;
    if (!found && strncmp(name, "_Z", 2) == 0) {
        demangled = hcct_bridge_demangle(name);
        found = demangled && regexec(&pattern->regex, demangled, 0, NULL, 0) == 0;
    }
    free(demangled);
    return found;
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

const char *hcct_externals_callee(struct hcct_unit *unit, struct hcct_externals_pattern *pattern,
                                  const char *text, LLVMValueRef call, LLVMValueRef *callee)
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
        (called && hcct_hook_is(called)) || !compile(pattern, text) || !has(pattern, name))
        return NULL;
    *callee = called;
    return name;
}
