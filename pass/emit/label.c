/* Labels at calls (struct hcct_call_label). A sampler that unwinds the program's stack finds return
 * addresses. It needs the site of each to know what the call added to the word.
 *
 * A label is an `asm` without an instruction in front of the call. Both have effects that the compiler does
 * not know, so it keeps their order and puts nothing between them that calls. Two calls do not become one
 * (nomerge). So a return address belongs to the nearest label before it.
 *
 * Sections: the linker keeps or drops a label with its function (SHF_LINK_ORDER). For that the label's
 * section has to name a symbol of the function. The first label of a function defines one, called after the
 * function's state. A function without such calls has one label, in front of all its calls, with its record
 * in place of a site. So every linked object has labels, and the symbols of their bounds exist. */
#include "pass/emit/label.h"

#include "pass/emit/build.h"
#include "pass/unit/ir.h"

static void put_label(struct hcct_unit *unit, struct hcct_target *target, LLVMValueRef site)
{
    static char text[] = ".ifndef .Lhcct_calls${0:c}\n"
                         ".Lhcct_calls${0:c}:\n"
                         ".endif\n"
                         ".Lhcct_call${:uid}:\n"
                         ".pushsection " HCCT_CALL_SECTION ",\"ao\",@progbits,.Lhcct_calls${0:c}\n"
                         ".long .Lhcct_call${:uid}-.\n"
                         ".long ${1:c}-.\n"
                         ".popsection";
    enum { INACCESSIBLE_MEMORY = 12, OPERANDS = 2 };
    LLVMTypeRef types[] = { unit->ptr, unit->ptr };
    LLVMTypeRef type = LLVMFunctionType(unit->none, types, OPERANDS, false);
    LLVMValueRef label = LLVMGetInlineAsm(type, text, sizeof text - 1, (char *)"i,i", 3, true, false,
                                          LLVMInlineAsmDialectATT, false);
    LLVMValueRef operands[] = { target->state, site };
    LLVMValueRef put = LLVMBuildCall2(unit->builder, type, label, operands, OPERANDS, "");
    LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned nounwind = hcct_ir_attribute_kind("nounwind"), memory = hcct_ir_attribute_kind("memory");
    LLVMAddCallSiteAttribute(put, index, LLVMCreateEnumAttribute(unit->context, nounwind, 0));
    LLVMAddCallSiteAttribute(put, index, LLVMCreateEnumAttribute(unit->context, memory, INACCESSIBLE_MEMORY));
}

/* Calls of libraries and of other code that is not instrumented lead to nothing that needs their site. */
static bool is_labelled(const struct hcct_call *call)
{
    return !call->guess && !call->external && !call->library && call->kind != HCCT_SITE_EXTERNAL;
}

void hcct_label_call(struct hcct_unit *unit, struct hcct_target *target, uint32_t index)
{
    if (is_labelled(&target->calls[index]))
        put_label(unit, target, hcct_build_at_offset(unit, target->sites, index * sizeof(struct hcct_site)));
}

static void go_before(struct hcct_unit *unit, LLVMValueRef at)
{
    LLVMPositionBuilderBefore(unit->builder, at);
    LLVMSetCurrentDebugLocation2(unit->builder, LLVMInstructionGetDebugLoc(at));
}

void hcct_label_calls(struct hcct_unit *unit, struct hcct_target *target)
{
    LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned nomerge = hcct_ir_attribute_kind("nomerge");
    bool any = false;
    for (uint32_t i = 0; i < target->call_count; i++) {
        const struct hcct_call *call = &target->calls[i];
        if (call->tail || !is_labelled(call))
            continue;
        any = true;
        go_before(unit, call->instruction);
        hcct_label_call(unit, target, i);
        LLVMAddCallSiteAttribute(call->instruction, index,
                                 LLVMCreateEnumAttribute(unit->context, nomerge, 0));
    }
    if (any)
        return;
    go_before(unit, hcct_bridge_first_insertion(LLVMGetEntryBasicBlock(target->function)));
    put_label(unit, target, target->record);
}
