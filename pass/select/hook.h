/* Functions that other instrumentation calls at the entry of a function, in front of our code. */
#ifndef HCCT_PASS_SELECT_HOOK_H
#define HCCT_PASS_SELECT_HOOK_H

#include <stdbool.h>

#include <llvm-c/Core.h>

/* Whether `function` is one. Such are not instrumented (emit/hook_word.c). */
bool hcct_hook_is(LLVMValueRef function);

#endif
