/* Makes hooks (select/hook.h) leave the thread's word as they found it. A hook runs in front of our code at a
 * function's entry. The thread's word is then what the caller left for that function, and an instrumented
 * function that the hook calls would take it for its own.
 *
 *     entry:   given = word; word = HCCT_WORD_NONE
 *     return:  word = given
 *
 * A hook that ends in a musttail call does not put the word back on that way. */
#include "pass/emit/hook_word.h"

#include "pass/emit/build.h"
#include "pass/select/hook.h"
#include "pass/unit/ir.h"

static void keep_word(struct hcct_unit *unit, LLVMValueRef function)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    LLVMPositionBuilderBefore(unit->builder, hcct_bridge_first_insertion(entry));
    struct hcct_target target = { .function = function };
    hcct_unit_declare_thread(unit);
    LLVMSetCurrentDebugLocation2(unit->builder, hcct_build_artificial_location(unit, &target));
    LLVMValueRef word = hcct_build_take_word(unit);
    for (LLVMBasicBlockRef block = entry; block; block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        LLVMValueRef before = LLVMIsAReturnInst(end) ? LLVMGetPreviousInstruction(end) : NULL;
        if (!LLVMIsAReturnInst(end) ||
            (before && LLVMIsACallInst(before) && hcct_bridge_tail_mark(before) == HCCT_TAIL_MARK_MUST))
            continue;
        LLVMPositionBuilderBefore(unit->builder, end);
        hcct_build_store(unit, word, unit->thread);
    }
}

void hcct_hook_word_keep_all(struct hcct_unit *unit)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) != LLVMAvailableExternallyLinkage &&
            !hcct_ir_has_attribute(f, "naked") && hcct_hook_is(f))
            keep_word(unit, f);
}
