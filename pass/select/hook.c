/* Tells hooks by their names, which compilers fix (-finstrument-functions, -pg, -fsanitize-coverage), or by a
 * call of this module that hands them to XRay. */
#include "pass/select/hook.h"

#include <string.h>

#include "pass/unit/ir.h"

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
