/* Functions that assembly names: whoever runs there may call them, though no use in the IR says so. A local
 * function that is referred to by no more than that is kept by luck or by `used`; in a link every function
 * may be local. And assembly in a function that calls, by what its instructions are named: a call like one
 * through a pointer. It may not say what its callee changes, and work without us all the same, where the
 * compiler happens to keep nothing there. With our code more is kept: so fences around it tell the compiler
 * that all registers change that a call may change. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pass/unit.h"

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

/* The `asm` that the instruction is, `asm goto` included; else NULL. */
static LLVMValueRef assembly_of(LLVMValueRef at)
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
                LLVMValueRef assembly = assembly_of(at);
                if (!assembly)
                    continue;
                text = hcct_bridge_assembly(assembly, &length);
                find_words(unit, text, length);
            }
}

/* --- fences --------------------------------------------------------------------------------------- */

/* A register that the user keeps from the compiler may not be named. */
static bool is_reserved(LLVMValueRef function, const char *name)
{
    char feature[32];
    unsigned length = 0;
    LLVMAttributeRef features = LLVMGetStringAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "target-features", 15);
    const char *list = features ? LLVMGetStringAttributeValue(features, &length) : "";
    int feature_length = snprintf(feature, sizeof feature, "+reserve-%s,", name);
    const char *found = memmem(list, length, feature, (size_t)feature_length - 1);
    return found && (found + feature_length - 1 == list + length || found[feature_length - 1] == ',');
}

/* What a call may change, but for what is empty or not kept at any call: flags, x87. Ends in a comma. */
static size_t put_clobbers(struct hcct_unit *unit, LLVMValueRef function, char *text, size_t size)
{
    static const char *const x86_names[] = {
        "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", NULL
    };
    static const char *const arm_names[] = { "x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",
                                             "x7",  "x8",  "x9",  "x10", "x11", "x12", "x13",
                                             "x14", "x15", "x16", "x17", "x18", "x30", NULL };
    bool x86 = strncmp(LLVMGetTarget(unit->module), "x86_64", 6) == 0;
    size_t length = 0;
    for (const char *const *name = x86 ? x86_names : arm_names; *name; name++)
        if (!is_reserved(function, *name))
            length += (size_t)snprintf(text + length, size - length, "~{%s},", *name);
    for (unsigned i = 0; i < 32; i++)
        if (x86 || i < 8 || i > 15)
            length += (size_t)snprintf(text + length, size - length, "~{%s%u},", x86 ? "xmm" : "v", i);
    return length;
}

static void put_fence(struct hcct_unit *unit, LLVMValueRef assembly, LLVMValueRef before)
{
    char clobbers[640];
    size_t length = put_clobbers(unit, LLVMGetBasicBlockParent(LLVMGetInstructionParent(before)), clobbers,
                                 sizeof clobbers);
    LLVMTypeRef type = LLVMFunctionType(unit->none, NULL, 0, false);
    LLVMValueRef fence = LLVMGetInlineAsm(type, (char *)"", 0, clobbers, length - 1, true, false,
                                          LLVMInlineAsmDialectATT, false);
    LLVMPositionBuilderBefore(unit->builder, before);
    LLVMSetCurrentDebugLocation2(unit->builder, LLVMInstructionGetDebugLoc(assembly));
    LLVMBuildCall2(unit->builder, type, fence, NULL, 0, "");
}

void hcct_assembly_fence(struct hcct_unit *unit, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef at = LLVMGetFirstInstruction(b), next; at; at = next) {
            next = LLVMGetNextInstruction(at);
            LLVMValueRef assembly = assembly_of(at);
            if (!assembly || !hcct_assembly_calls(unit->module, assembly))
                continue;
            put_fence(unit, at, at);
            if (next)
                put_fence(unit, at, next);
            for (unsigned i = 0; !next && i < LLVMGetNumSuccessors(at); i++)
                put_fence(unit, at, hcct_bridge_first_insertion(LLVMGetSuccessor(at, i)));
        }
}
