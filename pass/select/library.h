/* The library functions that call back only what a program may put in the library's place, or hand to the
 * library. */
#ifndef HCCT_PASS_SELECT_LIBRARY_H
#define HCCT_PASS_SELECT_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Core.h>

/* What the function may call back (bits of enum hcct_library); 0 if it is not listed. */
uint32_t hcct_library_leads_to(const char *name, size_t length);
/* Whether it only gives memory back. */
bool hcct_library_only_releases(LLVMValueRef function);
/* The bits (enum hcct_library) of what the module has of its own: definitions that replace the library's, or
 * uses of functions that set handlers or make streams. */
uint32_t hcct_library_own(LLVMModuleRef module);

#endif
