/* The program's own functions and variables by names that the runtime interposes: see own_names.c. */
#ifndef HCCT_PASS_PREPARE_OWN_NAMES_H
#define HCCT_PASS_PREPARE_OWN_NAMES_H

#include <stdbool.h>

#include <llvm-c/Core.h>

/* Makes the runtime's definitions give way to those of `module`. Whether there are any. */
bool hcct_own_names_add(LLVMModuleRef module);

#endif
