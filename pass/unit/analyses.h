// What bridge.h declares without its contents, for the two files in C++.
#ifndef HCCT_PASS_UNIT_ANALYSES_H
#define HCCT_PASS_UNIT_ANALYSES_H

#include <llvm/IR/PassManager.h>

struct hcct_analyses {
    llvm::FunctionAnalysisManager &functions;
};

#endif
