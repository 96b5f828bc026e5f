/* Reads the text of inline assembly, for two questions. Which functions does it name? Code there may call
 * them though no use in the IR says so: such a function is taken to be called from outside. Does an `asm`
 * call something? If one of its words is an instruction that calls a function, or the system, where the
 * thread may wait, it is a call site like a call through a pointer (see also emit/fence.h). */
#include "pass/select/assembly.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "pass/unit/bridge.h"

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* A name that the source gives by `asm` begins with a byte of 1 in the IR. */
static void find_word(struct hcct_unit *unit, const char *word, size_t length)
{
    char name[512] = "\1";
    if (length + 1 >= sizeof name || isdigit((unsigned char)*word))
        return;
    memcpy(name + 1, word, length);
    for (size_t first = 0; first < 2; first++) {
        LLVMValueRef function = LLVMGetNamedFunction(unit->module, name + first);
        struct hcct_target *target = function ? hcct_unit_target(unit, function) : NULL;
        if (target)
            target->in_assembly = true;
    }
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

/* Only the instructions of the target count: bl, a call on AArch64, is a register of x86-64. */
static bool is_call(const char *word, size_t length, bool x86)
{
    static const char *const names[][8] = {
        { "bl", "blr", "blraa", "blrab", "blraaz", "blrabz", "svc", NULL },
        { "call", "callq", "lcall", "syscall", NULL },
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

LLVMValueRef hcct_assembly_of(LLVMValueRef at)
{
    bool calls = LLVMIsACallInst(at) || LLVMIsAInvokeInst(at) || LLVMIsACallBrInst(at);
    LLVMValueRef callee = calls ? LLVMGetCalledValue(at) : NULL;
    return callee && LLVMIsAInlineAsm(callee) ? callee : NULL;
}

void hcct_assembly_find(struct hcct_unit *unit)
{
    size_t length;
    const char *text = LLVMGetModuleInlineAsm(unit->module, &length);
    find_words(unit, text, length);
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef at = LLVMGetFirstInstruction(b); at; at = LLVMGetNextInstruction(at)) {
                LLVMValueRef assembly = hcct_assembly_of(at);
                if (!assembly)
                    continue;
                text = hcct_bridge_assembly(assembly, &length);
                find_words(unit, text, length);
            }
}
