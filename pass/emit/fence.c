/* Fences around assembly that calls. An `asm` with a call may not say which registers its callee changes, and
 * work without us all the same, if the compiler happens to keep nothing in them. With our code the compiler
 * keeps more values there. So an empty `asm` in front of each such `asm`, and another one behind it, say that
 * all registers change that a call may change. */
#include "pass/emit/fence.h"

#include <stdio.h>
#include <string.h>

#include "pass/select/assembly.h"
#include "pass/unit/bridge.h"

/* Whether the user keeps the register from the compiler (-ffixed-NAME): such a one may not be named. */
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

/* The registers that a call may change, each with a comma behind it. Flags and x87 are left out: the compiler
 * keeps nothing there across an `asm`. */
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

void hcct_fence_assembly(struct hcct_unit *unit, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef at = LLVMGetFirstInstruction(b), next; at; at = next) {
            next = LLVMGetNextInstruction(at);
            LLVMValueRef assembly = hcct_assembly_of(at);
            if (!assembly || !hcct_assembly_calls(unit->module, assembly))
                continue;
            put_fence(unit, at, at);
            if (next)
                put_fence(unit, at, next);
            for (unsigned i = 0; !next && i < LLVMGetNumSuccessors(at); i++)
                put_fence(unit, at, hcct_bridge_first_insertion(LLVMGetSuccessor(at, i)));
        }
}
