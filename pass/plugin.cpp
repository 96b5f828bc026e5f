// LLVM's entry point for plugins: at which points of a pipeline the pass runs. No logic of ours.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#if LLVM_VERSION_MAJOR >= 22
#include <llvm/Plugins/PassPlugin.h>
#else
#include <llvm/Passes/PassPlugin.h>
#endif

#include "pass/unit/analyses.h"
extern "C" {
#include "pass/instrument.h"
#include "pass/number/types.h"
#include "pass/prepare/allocators.h"
#include "pass/select/settings.h"
}

using namespace llvm;

namespace
{

struct InstrumentPass : PassInfoMixin<InstrumentPass> {
    bool linking = false;
    explicit InstrumentPass(bool in_link = false) : linking(in_link) {}
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &manager)
    {
        hcct_analyses analyses{ manager.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager() };
        return hcct_instrument_module(wrap(&module), &analyses, linking) ? PreservedAnalyses::none()
                                                                         : PreservedAnalyses::all();
    }
    static bool isRequired()
    {
        return true;
    }
};

struct LeaveToLinkPass : PassInfoMixin<LeaveToLinkPass> {
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &manager)
    {
        hcct_analyses analyses{ manager.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager() };
        return hcct_instrument_leave_to_link(wrap(&module), &analyses) ? PreservedAnalyses::none()
                                                                       : PreservedAnalyses::all();
    }
    static bool isRequired()
    {
        return true;
    }
};

struct ResolveTypesPass : PassInfoMixin<ResolveTypesPass> {
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &)
    {
        return hcct_types_resolve(wrap(&module)) ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }
    static bool isRequired()
    {
        return true;
    }
};

struct KeepOutOfLinePass : PassInfoMixin<KeepOutOfLinePass> {
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &)
    {
        hcct_instrument_keep_out_of_line(wrap(&module));
        return PreservedAnalyses::all();
    }
    static bool isRequired()
    {
        return true;
    }
};

struct MarkAllocatorsPass : PassInfoMixin<MarkAllocatorsPass> {
    bool linking = false;
    explicit MarkAllocatorsPass(bool in_link = false) : linking(in_link) {}
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &)
    {
        auto mark = linking ? hcct_allocators_mark_in_link : hcct_allocators_mark;
        return mark(wrap(&module)) ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }
    static bool isRequired()
    {
        return true;
    }
};

// A pipeline that never starts is that of a ThinLTO backend. (LLVM 20 is the first that tells the phase.)
void register_callbacks(PassBuilder &builder)
{
    auto compiling = std::make_shared<bool>(false);
    builder.registerPipelineStartEPCallback([compiling](ModulePassManager &passes, auto &&...) {
        *compiling = true;
        if (hcct_settings_before_inlining())
            passes.addPass(KeepOutOfLinePass());
        passes.addPass(MarkAllocatorsPass());
    });
    builder.registerOptimizerLastEPCallback([compiling](ModulePassManager &passes, auto &&...) {
        if (*compiling && hcct_settings_leave_to_link())
            passes.addPass(LeaveToLinkPass());
        else {
            if (!*compiling)
                passes.addPass(MarkAllocatorsPass(true));
            passes.addPass(InstrumentPass(!*compiling));
        }
    });
    builder.registerFullLinkTimeOptimizationEarlyEPCallback([](ModulePassManager &passes, auto &&...) {
        passes.addPass(MarkAllocatorsPass(true));
        passes.addPass(ResolveTypesPass());
    });
    builder.registerFullLinkTimeOptimizationLastEPCallback(
        [](ModulePassManager &passes, auto &&...) { passes.addPass(InstrumentPass(true)); });
    builder.registerPipelineParsingCallback(
        [](StringRef name, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
            if (name == "hcct")
                passes.addPass(InstrumentPass());
            else if (name == "hcct-link")
                passes.addPass(InstrumentPass(true));
            else if (name == "hcct-allocators")
                passes.addPass(MarkAllocatorsPass());
            else if (name == "hcct-allocators-link")
                passes.addPass(MarkAllocatorsPass(true));
            else
                return false;
            return true;
        });
}

} // namespace

extern "C" void __attribute__((weak)) LLVMGetVersion(unsigned *, unsigned *, unsigned *);

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo()
{
    unsigned major = 0, minor, patch;
    if (LLVMGetVersion)
        LLVMGetVersion(&major, &minor, &patch);
    if (LLVMGetVersion && major != LLVM_VERSION_MAJOR) {
        std::fprintf(
            stderr,
            "hcct: this plugin is for clang %d, but clang %u loaded it; use lib/hcct/llvm-%u/hcct.so\n",
            LLVM_VERSION_MAJOR, major, major);
        std::exit(1);
    }
    PassPluginLibraryInfo info = {};
    info.APIVersion = LLVM_PLUGIN_API_VERSION;
    info.PluginName = "hcct";
    info.PluginVersion = HCCT_VERSION;
    info.RegisterPassBuilderCallbacks = register_callbacks;
    return info;
}
