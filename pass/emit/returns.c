/* Makes calls in tail position be seen as such (calls.c): each gets the return behind it that it leads to. */
#include "pass/unit.h"

/* `tail call; br R` with R: `ret` of what the call returned. The code generator would copy R to make it a
 * sibling call; code behind the call would keep it from that, so the copy is made here. */
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

void hcct_copy_returns(struct hcct_unit *unit, LLVMValueRef function)
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
