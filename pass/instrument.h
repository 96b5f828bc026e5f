/* The pass: what plugin.cpp calls. */
#ifndef HCCT_PASS_INSTRUMENT_H
#define HCCT_PASS_INSTRUMENT_H

#include <stdbool.h>

#include <llvm-c/Core.h>

struct hcct_analyses;

/* Instruments every function of `module` that is to be, once (a second call finds it done); if `linking`,
 * those that hcct_leave_to_link marked. Whether it changed anything. */
bool hcct_instrument_module(LLVMModuleRef module, struct hcct_analyses *analyses, bool linking);

/* HCCT_LTO=link: what is compiled to bitcode is to be instrumented when it is linked. */
bool hcct_setting_link(void);
/* Marks the functions that are to be. Whether it changed anything. */
bool hcct_leave_to_link(LLVMModuleRef module, struct hcct_analyses *analyses);
/* types.c: finds what the virtual calls noted there may lead to, before the link optimizes. Whether there are
 * any. */
bool hcct_types_resolve(LLVMModuleRef module);

/* HCCT_BEFORE_INLINING: the functions are to be counted as the source has them. */
bool hcct_setting_before_inlining(void);
/* Does that: keeps every function out of line, always_inline ones excepted. */
void hcct_keep_out_of_line(LLVMModuleRef module);

#endif
