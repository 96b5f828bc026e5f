/* Functions of the program that give out memory, and those that take it back: HCCT_ALLOCATOR and
 * HCCT_DEALLOCATOR (hcct-cc --hcct-allocator, --hcct-deallocator). */
#ifndef HCCT_PASS_PREPARE_ALLOCATORS_H
#define HCCT_PASS_PREPARE_ALLOCATORS_H

#include <stdbool.h>

#include <llvm-c/Core.h>

/* Whether the user chooses such functions in this compile step. */
bool hcct_allocators_asked(void);
/* False, and one message in *error, if the user's choice cannot be read. */
bool hcct_allocators_check(const char **error);
/* Marks them in a module that no optimizer has changed yet. Returns whether there are any. */
bool hcct_allocators_mark(LLVMModuleRef module);
/* Whether the function was marked as one that gives out memory. */
bool hcct_allocators_is(LLVMValueRef function);

#endif
