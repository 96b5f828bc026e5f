/* The pass over one module: what the pipeline's callbacks (plugin.cpp) call. */
#ifndef HCCT_PASS_INSTRUMENT_H
#define HCCT_PASS_INSTRUMENT_H

#include <stdbool.h>

#include <llvm-c/Core.h>

struct hcct_analyses;

/* Instruments every function of `module` that is to be, once: a second call finds it done. If `linking`,
 * these are the functions that hcct_instrument_leave_to_link marked. Whether it changed anything. */
bool hcct_instrument_module(LLVMModuleRef module, struct hcct_analyses *analyses, bool linking);
/* Marks the functions that are to be instrumented in the link. Whether it changed anything. */
bool hcct_instrument_leave_to_link(LLVMModuleRef module, struct hcct_analyses *analyses);
/* Keeps every function out of line, always_inline ones excepted. */
void hcct_instrument_keep_out_of_line(LLVMModuleRef module);

#endif
