/* Pushes, and pushes in front of tail calls. */
#ifndef HCCT_RUNTIME_STACK_PUSH_H
#define HCCT_RUNTIME_STACK_PUSH_H

#include <stdint.h>

/* Pushes a frame, whatever is on top of the stack. */
__attribute__((preserve_most, noinline)) void hcct_push_anyhow(uint64_t word, uint64_t site, uintptr_t sp);

/* A reference to this links push_tail.c in: code that is loaded later may have tail calls. */
extern const char hcct_push_tail_present;

#endif
