/* Brings calls into tail position. Behind a `tail call`, a branch to a block that only returns what was
 * called is replaced by a copy of that return:
 *
 *     r = tail call f(); br R     R: x = phi [r], ...; ret x      becomes     r = tail call f(); ret r
 *
 * The code generator would do the same and make a sibling call of it. Code that the pass puts behind the call
 * would keep it from that: so the pass does it first, and then sees a tail call (emit/calls.c). */
#include "pass/prepare/returns.h"

#include "pass/unit/bridge.h"

static void copy_return(struct hcct_unit *unit, LLVMValueRef call)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
    LLVMValueRef branch = hcct_bridge_next_real(call);
    if (hcct_bridge_tail_mark(call) != HCCT_TAIL_MARK_TAIL || !LLVMIsABranchInst(branch) ||
        LLVMIsConditional(branch))
        return;
    LLVMBasicBlockRef target = LLVMGetSuccessor(branch, 0);
    LLVMValueRef first = LLVMGetFirstInstruction(target), leave = first;
    while (LLVMIsAPHINode(leave))
        leave = hcct_bridge_next_real(leave);
    if (!LLVMIsAReturnInst(leave))
        return;
    if (LLVMGetNumOperands(leave)) {
        LLVMValueRef phi = LLVMGetOperand(leave, 0);
        if (!LLVMIsAPHINode(phi) || LLVMGetInstructionParent(phi) != target)
            return;
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
            if (LLVMGetIncomingBlock(phi, i) == block && LLVMGetIncomingValue(phi, i) != call)
                return;
    }
    bool returns_value = LLVMGetNumOperands(leave) != 0;
    LLVMPositionBuilderBefore(unit->builder, branch);
    LLVMSetCurrentDebugLocation2(unit->builder, LLVMInstructionGetDebugLoc(leave));
    hcct_bridge_remove_predecessor(target, block);
    LLVMInstructionEraseFromParent(branch);
    LLVMPositionBuilderAtEnd(unit->builder, block);
    if (returns_value)
        LLVMBuildRet(unit->builder, call);
    else
        LLVMBuildRetVoid(unit->builder);
}

void hcct_returns_copy(struct hcct_unit *unit, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
            next = LLVMGetNextInstruction(at);
            if (LLVMIsACallInst(at))
                copy_return(unit, at);
            if (next && LLVMGetInstructionParent(next) != block)
                break;
        }
}
