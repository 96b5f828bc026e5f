/* Lets a program have functions and variables of its own by names that the runtime interposes, as `signal` or
 * `swapcontext`.
 *
 * The runtime's definitions of these names are strong, because sanitizers bring weak ones. Without this, a
 * program that defines one, too, would not link. Each of the runtime's definitions is in a section group with
 * the signature __hcct_own_NAME (runtime/base/interpose.h). A module that defines NAME gets a group of this
 * signature, with a byte that nobody reads. Linkers keep the first group of a signature, and drop the others
 * with all that they define. The runtime comes last in a link, so the program's definition is used.
 *
 * The program's definition itself is not in the group: two of one name are still an error. */
#include "pass/prepare/own_names.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Comdat.h>

#include "pass/unit/bridge.h"
#include "pass/unit/ir.h"

enum { SIGNATURE_BYTES = 64 };

/* Those with HCCT_INTERPOSE_UNLESS_OWN in the runtime. */
static const char *const names[] = { "_exit",     "_longjmp",   "longjmp", "pthread_exit",
                                     "sigaction", "siglongjmp", "signal",  "swapcontext" };

static bool is_defined(LLVMValueRef global)
{
    return global && !LLVMIsDeclaration(global) && !hcct_ir_is_local(global) &&
           LLVMGetLinkage(global) != LLVMAvailableExternallyLinkage;
}

static bool defines(LLVMModuleRef module, const char *name)
{
    return is_defined(LLVMGetNamedFunction(module, name)) || is_defined(LLVMGetNamedGlobal(module, name)) ||
           is_defined(LLVMGetNamedGlobalAlias(module, name, strlen(name)));
}

static void add_group(LLVMModuleRef module, const char *signature)
{
    LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetModuleContext(module));
    LLVMValueRef global = LLVMAddGlobal(module, byte, signature);
    LLVMSetInitializer(global, LLVMConstNull(byte));
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetComdat(global, LLVMGetOrInsertComdat(module, signature));
    hcct_bridge_append_used(module, &global, 1, false);
}

bool hcct_own_names_add(LLVMModuleRef module)
{
    bool any = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char signature[SIGNATURE_BYTES];
        snprintf(signature, sizeof signature, "__hcct_own_%s", names[i]);
        if (!defines(module, names[i]) || LLVMGetNamedGlobal(module, signature))
            continue;
        add_group(module, signature);
        any = true;
    }
    return any;
}
