/* The context in which the program is now. */
#ifndef HCCT_RUNTIME_STACK_HERE_H
#define HCCT_RUNTIME_STACK_HERE_H

#include <stdbool.h>
#include <stdint.h>

#include "hcct/abi.h"

/* `word` is made from the prefix of `frame`. If uninstrumented code runs, its id is 0, and `frame` is the
 * push that called it, or a root. `frame` is NULL if no live frame explains the word. */
struct hcct_here {
    uint64_t word;
    const struct hcct_frame *frame;
};

/* The context of the caller of an API function whose frame is at `sp`. Consumes the word in `ctx`.
 * Async-signal-safe. */
struct hcct_here hcct_here_of_caller(uintptr_t sp);

/* While the program is told of a context (known/known.h), that one; else {0}. It is what the API calls the
 * current context then, but not in signal handlers. */
extern _Thread_local struct hcct_here hcct_here_told;

#endif
