// See bridge.h. No logic of ours.
#include "pass/unit/bridge.h"

#include <cmath>
#include <cstring>
#include <string>

#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/TypeMetadataUtils.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "pass/unit/analyses.h"

using namespace llvm;

namespace
{

struct Message : DiagnosticInfo {
    const char *text;
    Message(const char *message, DiagnosticSeverity severity)
        : DiagnosticInfo(getNextAvailablePluginDiagnosticKind(), severity), text(message)
    {
    }
    void print(DiagnosticPrinter &printer) const override
    {
        printer << text;
    }
};

} // namespace

LLVMBasicBlockRef hcct_bridge_split_before(LLVMValueRef instruction)
{
    Instruction *at = unwrap<Instruction>(instruction);
    return wrap(at->getParent()->splitBasicBlock(at));
}

LLVMBasicBlockRef hcct_bridge_split_normal_edge(LLVMValueRef invoke)
{
    InvokeInst *from = unwrap<InvokeInst>(invoke);
    return wrap(SplitEdge(from->getParent(), from->getNormalDest()));
}

LLVMValueRef hcct_bridge_first_insertion(LLVMBasicBlockRef block)
{
    BasicBlock *in = unwrap(block);
    auto at = in->getFirstInsertionPt();
    return at == in->end() ? nullptr : wrap(&*at);
}

void hcct_bridge_position_at_start(LLVMBuilderRef builder, LLVMBasicBlockRef block)
{
    unwrap(builder)->SetInsertPoint(unwrap(block), unwrap(block)->begin());
}

void hcct_bridge_remove_predecessor(LLVMBasicBlockRef block, LLVMBasicBlockRef predecessor)
{
    unwrap(block)->removePredecessor(unwrap(predecessor), true);
}

LLVMValueRef hcct_bridge_next_real(LLVMValueRef instruction)
{
#if LLVM_VERSION_MAJOR >= 20 // debug records have replaced the intrinsics
    return wrap(unwrap<Instruction>(instruction)->getNextNode());
#else
    return wrap(unwrap<Instruction>(instruction)->getNextNonDebugInstruction());
#endif
}

LLVMMetadataRef hcct_bridge_scope_subprogram(LLVMMetadataRef scope)
{
    return wrap(unwrap<DILocalScope>(scope)->getSubprogram());
}

bool hcct_bridge_offset(LLVMModuleRef module, LLVMValueRef pointer, uint64_t *offset)
{
    const DataLayout &layout = unwrap(module)->getDataLayout();
    const GEPOperator *address = dyn_cast<GEPOperator>(unwrap(pointer));
    APInt sum(layout.getIndexTypeSizeInBits(unwrap(pointer)->getType()), 0);
    bool constant = !address || address->accumulateConstantOffset(layout, sum);
    *offset = sum.getZExtValue();
    return constant;
}

LLVMValueRef hcct_bridge_in_table(LLVMModuleRef module, LLVMValueRef table, uint64_t offset)
{
    GlobalVariable *in = unwrap<GlobalVariable>(table);
    Constant *found = in->hasInitializer()
                          ? getPointerAtOffset(in->getInitializer(), offset, *unwrap(module), in)
                          : nullptr;
    return wrap(found ? dyn_cast<Function>(found->stripPointerCastsAndAliases()) : nullptr);
}

static const char *text_of(StringRef text, size_t *length)
{
    *length = text.size();
    return text.empty() ? "" : text.data();
}

const char *hcct_bridge_subprogram_name(LLVMMetadataRef subprogram, size_t *length)
{
    return text_of(unwrap<DISubprogram>(subprogram)->getName(), length);
}

const char *hcct_bridge_subprogram_linkage_name(LLVMMetadataRef subprogram, size_t *length)
{
    return text_of(unwrap<DISubprogram>(subprogram)->getLinkageName(), length);
}

uint16_t hcct_bridge_discriminator(LLVMMetadataRef location)
{
    return static_cast<uint16_t>(unwrap<DILocation>(location)->getBaseDiscriminator());
}

const char *hcct_bridge_assembly(LLVMValueRef assembly, size_t *length)
{
    return text_of(unwrap<InlineAsm>(assembly)->getAsmString(), length);
}

void hcct_bridge_append_used(LLVMModuleRef module, LLVMValueRef *globals, size_t count, bool linker_too)
{
    SmallVector<GlobalValue *, 8> kept;
    for (size_t i = 0; i < count; i++)
        kept.push_back(unwrap<GlobalValue>(globals[i]));
    linker_too ? appendToUsed(*unwrap(module), kept) : appendToCompilerUsed(*unwrap(module), kept);
}

void hcct_bridge_append_last_destructor(LLVMModuleRef module, LLVMValueRef function)
{
    appendToGlobalDtors(*unwrap(module), unwrap<Function>(function), 0, unwrap<Function>(function));
}

void hcct_bridge_associate(LLVMValueRef global, LLVMValueRef function)
{
    GlobalVariable *variable = unwrap<GlobalVariable>(global);
    variable->setMetadata(LLVMContext::MD_associated,
                          MDNode::get(variable->getContext(), ValueAsMetadata::get(unwrap(function))));
}

void hcct_bridge_set_dso_local(LLVMValueRef global)
{
    unwrap<GlobalValue>(global)->setDSOLocal(true);
}

bool hcct_bridge_is_dso_local(LLVMValueRef global)
{
    return unwrap<GlobalValue>(global)->isDSOLocal();
}

bool hcct_bridge_is_position_independent_library(LLVMModuleRef module)
{
    Module *in = unwrap(module);
    return in->getPICLevel() != PICLevel::NotPIC && in->getPIELevel() == PIELevel::Default;
}

bool hcct_bridge_has_fixed_place(LLVMModuleRef module)
{
    Module *in = unwrap(module);
    return in->getPICLevel() == PICLevel::NotPIC &&
           in->getCodeModel().value_or(CodeModel::Small) == CodeModel::Small;
}

enum hcct_tail_mark hcct_bridge_tail_mark(LLVMValueRef call)
{
    const CallInst *marked = unwrap<CallInst>(call);
    return marked->isMustTailCall() ? HCCT_TAIL_MARK_MUST
           : marked->isTailCall()   ? HCCT_TAIL_MARK_TAIL
                                    : HCCT_TAIL_MARK_NONE;
}

bool hcct_bridge_returns_twice(LLVMValueRef call)
{
    return unwrap<CallBase>(call)->hasFnAttr(Attribute::ReturnsTwice);
}

bool hcct_bridge_stands_once(LLVMValueRef call)
{
    const CallBase *at = unwrap<CallBase>(call);
    return at->hasFnAttr(Attribute::ReturnsTwice) || at->cannotDuplicate() || at->isConvergent();
}

bool hcct_bridge_calls_as_defined(LLVMValueRef call, LLVMValueRef function)
{
    return unwrap<CallBase>(call)->getFunctionType() == unwrap<Function>(function)->getFunctionType();
}

/* Makes it a call of `callee`, with `nested` as a last argument in the register of `nest`, unless null. */
static void move_call(CallBase &call, Function &callee, Value *nested)
{
    IRBuilder<> builder(&call);
    SmallVector<Value *, 8> arguments(call.args());
    SmallVector<OperandBundleDef, 1> bundles;
    AttributeList attributes = call.getAttributes();
    if (nested) {
        attributes = attributes.addParamAttribute(call.getContext(), call.arg_size(), Attribute::Nest);
        arguments.push_back(nested);
    }
    call.getOperandBundlesAsDefs(bundles);
    CallBase *moved;
    if (auto *invoke = dyn_cast<InvokeInst>(&call)) {
        moved = builder.CreateInvoke(&callee, invoke->getNormalDest(), invoke->getUnwindDest(), arguments,
                                     bundles);
    } else {
        moved = builder.CreateCall(&callee, arguments, bundles);
        cast<CallInst>(moved)->setTailCallKind(cast<CallInst>(call).getTailCallKind());
    }
    moved->setCallingConv(call.getCallingConv());
    moved->setAttributes(attributes);
    moved->copyMetadata(call);
    moved->takeName(&call);
    call.replaceAllUsesWith(moved);
    call.eraseFromParent();
}

LLVMValueRef hcct_bridge_add_nest_parameter(struct hcct_analyses *analyses, LLVMValueRef function)
{
    Function *old = unwrap<Function>(function);
    SmallVector<Type *, 8> parameters(old->getFunctionType()->params());
    parameters.push_back(PointerType::getUnqual(old->getContext()));
    FunctionType *type = FunctionType::get(old->getReturnType(), parameters, false);
    Function *made = Function::Create(type, old->getLinkage(), old->getAddressSpace());
    made->copyAttributesFrom(old);
    made->setComdat(old->getComdat());
#if LLVM_VERSION_MAJOR >= 18 && LLVM_VERSION_MAJOR <= 20 // the time of two formats of debug info
    made->IsNewDbgInfoFormat = old->IsNewDbgInfoFormat;
#endif
    old->getParent()->getFunctionList().insert(old->getIterator(), made);
    made->takeName(old);
    made->addParamAttr(unsigned(parameters.size()) - 1, Attribute::Nest);
    made->splice(made->begin(), old);
    for (Argument &from : old->args()) {
        from.replaceAllUsesWith(made->getArg(from.getArgNo()));
        made->getArg(from.getArgNo())->takeName(&from);
    }
    for (User *user : make_early_inc_range(old->users()))
        if (auto *call = dyn_cast<CallBase>(user))
            move_call(*call, *made, PoisonValue::get(PointerType::getUnqual(old->getContext())));
    made->copyMetadata(old, 0);
    analyses->functions.clear(*old, made->getName());
    old->replaceAllUsesWith(made);
    old->eraseFromParent();
    return wrap(made);
}

bool hcct_bridge_can_wrap(LLVMValueRef value)
{
    const CallBase &call = *unwrap<CallBase>(value);
    bool by_pointer = !isa<GlobalValue>(call.getCalledOperand());
    for (Attribute::AttrKind kind : { Attribute::InAlloca, Attribute::Preallocated, Attribute::SwiftError })
        if (call.getAttributes().hasAttrSomewhere(kind))
            return false;
    return !isa<CallBrInst>(call) && !call.isInlineAsm() && !call.isMustTailCall() &&
           !call.hasOperandBundles() && !call.hasFnAttr(Attribute::ReturnsTwice) &&
           !(by_pointer &&
             (call.getAttributes().hasAttrSomewhere(Attribute::Nest) ||
              (call.getCallingConv() != CallingConv::C && call.getCallingConv() != CallingConv::Fast)));
}

/* What the call and its callee say of parameters and of the result: it is part of how they are passed. */
static AttributeList passing(const CallBase &call, const Function *callee)
{
    LLVMContext &context = call.getContext();
    AttributeList one = call.getAttributes(), two = callee ? callee->getAttributes() : AttributeList(), both;
    AttrBuilder result(context, one.getRetAttrs());
    both = both.addRetAttributes(context, result.merge(AttrBuilder(context, two.getRetAttrs())));
    for (unsigned i = 0; i < call.arg_size(); i++) {
        AttrBuilder parameter(context, one.getParamAttrs(i));
        both =
            both.addParamAttributes(context, i, parameter.merge(AttrBuilder(context, two.getParamAttrs(i))));
    }
    return both;
}

LLVMValueRef hcct_bridge_wrap(LLVMValueRef value, const char *prefix)
{
    CallBase &call = *unwrap<CallBase>(value);
    Function &caller = *call.getFunction();
    Value *callee = call.getCalledOperand();
    bool by_pointer = !isa<GlobalValue>(callee);
    SmallVector<Type *, 8> types;
    for (Value *argument : call.args())
        types.push_back(argument->getType());
    if (by_pointer)
        types.push_back(callee->getType());
    auto *wrapper =
        Function::Create(FunctionType::get(call.getType(), types, false), GlobalValue::InternalLinkage,
                         prefix + (by_pointer ? "pointer" : callee->getName()), caller.getParent());
    wrapper->setCallingConv(call.getCallingConv());
    wrapper->setAttributes(passing(call, dyn_cast<Function>(callee)));
    for (const char *kind : { "target-cpu", "target-features", "tune-cpu", "frame-pointer" })
        if (caller.hasFnAttribute(kind))
            wrapper->addFnAttr(caller.getFnAttribute(kind));
    wrapper->setUWTableKind(caller.getUWTableKind());
    wrapper->addFnAttr(Attribute::NoInline);
    wrapper->addFnAttr("disable-tail-calls", "true");
    IRBuilder<> builder(BasicBlock::Create(call.getContext(), "", wrapper));
    SmallVector<Value *, 8> arguments;
    for (unsigned i = 0; i < call.arg_size(); i++)
        arguments.push_back(wrapper->getArg(i));
    if (by_pointer)
        wrapper->addParamAttr(call.arg_size(), Attribute::Nest);
    CallInst *inner = builder.CreateCall(call.getFunctionType(),
                                         by_pointer ? wrapper->getArg(call.arg_size()) : callee, arguments);
    inner->setCallingConv(call.getCallingConv());
    inner->setAttributes(call.getAttributes());
    call.getType()->isVoidTy() ? builder.CreateRetVoid() : builder.CreateRet(inner);
    move_call(call, *wrapper, by_pointer ? callee : nullptr);
    return wrap(wrapper);
}

void hcct_bridge_drop_memory_attributes(LLVMValueRef function_or_call)
{
    static const Attribute::AttrKind kinds[] = { Attribute::Memory, Attribute::Speculatable };
    Value *value = unwrap(function_or_call);
    for (Attribute::AttrKind kind : kinds) {
        if (Function *function = dyn_cast<Function>(value))
            function->removeFnAttr(kind);
        else
            cast<CallBase>(value)->removeFnAttr(kind);
    }
}

bool hcct_bridge_dominates(struct hcct_analyses *analyses, LLVMValueRef definition, LLVMValueRef use)
{
    Instruction *from = unwrap<Instruction>(definition);
    return analyses->functions.getResult<DominatorTreeAnalysis>(*from->getFunction())
        .dominates(from, unwrap<Instruction>(use));
}

uint8_t hcct_bridge_block_weight(struct hcct_analyses *analyses, LLVMBasicBlockRef block)
{
    BasicBlock *in = unwrap(block);
    BlockFrequencyInfo &frequencies = analyses->functions.getResult<BlockFrequencyAnalysis>(*in->getParent());
    double entry = double(frequencies.getBlockFreq(&in->getParent()->getEntryBlock()).getFrequency());
    double here = double(frequencies.getBlockFreq(in).getFrequency());
    double weight = here <= 0 || entry <= 0 ? 0 : 128 + std::floor(std::log2(here / entry) + 0.5);
    return uint8_t(weight < 0 ? 0 : weight > 254 ? 254 : weight);
}

char *hcct_bridge_demangle(const char *name)
{
    return strdup(demangle(std::string(name)).c_str());
}

void hcct_bridge_warn(LLVMModuleRef module, const char *message)
{
    unwrap(module)->getContext().diagnose(Message(message, DS_Warning));
}

void hcct_bridge_fail(LLVMModuleRef module, const char *message)
{
    unwrap(module)->getContext().diagnose(Message(message, DS_Error));
}
