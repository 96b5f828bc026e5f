/* Functions that assembly names: whoever runs there may call them, though no use in the IR says so. A local function
 * that is referred to by no more than that is kept by luck or by `used`; in a link every function may be local.
 * And assembly in a function that calls, by what its instructions are named: a call like one through a pointer. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pass/unit.h"

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

static void find_word(struct hcct_unit *unit, const char *word, size_t length)
{
    char name[512];
    if (length >= sizeof name || isdigit((unsigned char)*word))
        return;
    memcpy(name, word, length);
    name[length] = 0;
    LLVMValueRef function = LLVMGetNamedFunction(unit->module, name);
    struct hcct_target *target = function ? hcct_unit_target(unit, function) : NULL;
    if (target)
        target->in_assembly = true;
}

static void find_words(struct hcct_unit *unit, const char *text, size_t length)
{
    for (size_t at = 0, end; at < length; at = end + 1) {
        for (end = at; end < length && is_word(text[end]); end++)
            ;
        if (end > at)
            find_word(unit, text + at, end - at);
    }
}

/* Of the machine that it is for: bl is a register of x86-64. */
static bool is_call(const char *word, size_t length, bool x86)
{
    static const char *const names[][7] = {
        { "bl", "blr", "blraa", "blrab", "blraaz", "blrabz", NULL },
        { "call", "callq", "lcall", NULL },
    };
    for (const char *const *name = names[x86]; *name; name++)
        if (strlen(*name) == length && strncasecmp(*name, word, length) == 0)
            return true;
    return false;
}

bool hcct_assembly_calls(LLVMModuleRef module, LLVMValueRef assembly)
{
    size_t length;
    bool x86 = strncmp(LLVMGetTarget(module), "x86_64", 6) == 0;
    const char *text = hcct_bridge_assembly(assembly, &length);
    for (size_t at = 0, end; at < length; at = end + 1) {
        for (end = at; end < length && is_word(text[end]); end++)
            ;
        if (is_call(text + at, end - at, x86))
            return true;
    }
    return false;
}

void hcct_assembly_find(struct hcct_unit *unit)
{
    size_t length;
    const char *text = LLVMGetModuleInlineAsm(unit->module, &length);
    find_words(unit, text, length);
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef at = LLVMGetFirstInstruction(b); at; at = LLVMGetNextInstruction(at)) {
                LLVMValueRef callee = LLVMIsACallInst(at) ? LLVMGetCalledValue(at) : NULL;
                if (!callee || !LLVMIsAInlineAsm(callee))
                    continue;
                text = hcct_bridge_assembly(callee, &length);
                find_words(unit, text, length);
            }
}
