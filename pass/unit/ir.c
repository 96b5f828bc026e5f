/* See ir.h. */
#include "pass/unit/ir.h"

#include <string.h>

#include <llvm-c/Target.h>

#include "pass/unit/bridge.h"

unsigned hcct_ir_attribute_kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

bool hcct_ir_has_attribute(LLVMValueRef function, const char *name)
{
    return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       hcct_ir_attribute_kind(name)) != NULL;
}

bool hcct_ir_is_local(LLVMValueRef global)
{
    LLVMLinkage linkage = LLVMGetLinkage(global);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

bool hcct_ir_is_non_interposable(LLVMValueRef callee)
{
    return hcct_ir_is_local(callee) ||
           (LLVMGetLinkage(callee) == LLVMExternalLinkage && hcct_bridge_is_dso_local(callee));
}

bool hcct_ir_is_call(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction);
}

bool hcct_ir_is_must_tail(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) && hcct_bridge_tail_mark(instruction) == HCCT_TAIL_MARK_MUST;
}

bool hcct_ir_can_be_repeated(LLVMValueRef call)
{
    return !hcct_bridge_stands_once(call) &&
           (LLVMIsAInvokeInst(call) || !LLVMIsAUnreachableInst(LLVMGetNextInstruction(call)));
}

bool hcct_ir_is_arrival(LLVMValueRef at)
{
    return LLVMIsALandingPadInst(at) || (LLVMIsACallInst(at) && hcct_bridge_returns_twice(at));
}

bool hcct_ir_has_register_parameters(LLVMValueRef function)
{
    unsigned count = LLVMCountParams(function);
    bool fit = count <= 6 && !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function));
    for (unsigned i = 0; i < count && fit; i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, i));
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        bool is_scalar = (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64) ||
                         kind == LLVMPointerTypeKind || kind == LLVMFloatTypeKind ||
                         kind == LLVMDoubleTypeKind;
        fit = is_scalar && !LLVMGetEnumAttributeAtIndex(function, i + 1, hcct_ir_attribute_kind("byval"));
    }
    return fit;
}

bool hcct_ir_has_arrivals(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
            if (hcct_ir_is_arrival(at))
                return true;
    return false;
}

/* Whether the instruction takes memory in the frame: at least that much, or an amount that is not known. */
static bool takes_room(LLVMTargetDataRef layout, LLVMValueRef at, uint64_t least)
{
    if (!LLVMIsAAllocaInst(at))
        return false;
    LLVMValueRef count = LLVMGetOperand(at, 0);
    LLVMTypeRef type = LLVMGetAllocatedType(at);
    if (!LLVMIsAConstantInt(count) || LLVMGetTypeKind(type) == LLVMScalableVectorTypeKind)
        return true;
    return LLVMConstIntGetZExtValue(count) * LLVMABISizeOfType(layout, type) >= least;
}

bool hcct_ir_has_room(LLVMValueRef function, uint64_t least)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(function));
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
            if (takes_room(layout, at, least))
                return true;
    return false;
}
