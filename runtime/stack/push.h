/* Pushes, for push_tail.c. */
#ifndef HCCT_RUNTIME_STACK_PUSH_H
#define HCCT_RUNTIME_STACK_PUSH_H

#include <stdint.h>

/* Pushes a frame, whatever is on top of the stack. */
__attribute__((preserve_most, noinline)) void hcct_push_anyhow(uint64_t word, uint64_t site, uintptr_t sp);

#endif
