/* Functions of the program that give out memory, and those that take it back: what HCCT_ALLOCATOR and
 * HCCT_DEALLOCATOR choose (hcct-cc --hcct-allocator, --hcct-deallocator), and a Rust program's
 * #[global_allocator]. */
#ifndef HCCT_PASS_PREPARE_ALLOCATORS_H
#define HCCT_PASS_PREPARE_ALLOCATORS_H

#include <stdbool.h>

#include <llvm-c/Core.h>

/* False, and one message in *error, if the user's choice cannot be read. */
bool hcct_allocators_check(const char **error);
/* Marks those that the user chooses, and Rust's, in a module that no optimizer has changed yet. Returns
 * whether there are any. */
bool hcct_allocators_mark(LLVMModuleRef module);
/* The same in a link, for the modules of rustc: Rust's only, as what the user chooses is marked. */
bool hcct_allocators_mark_in_link(LLVMModuleRef module);
/* Whether the function was marked as one that gives out memory. */
bool hcct_allocators_is(LLVMValueRef function);

#endif
