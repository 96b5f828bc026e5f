/* Where the program is, as a context. */
#ifndef HCCT_RUNTIME_STACK_HERE_H
#define HCCT_RUNTIME_STACK_HERE_H

#include <stdbool.h>
#include <stdint.h>

#include "hcct/abi.h"

/* Where the program is: `word` was made from the prefix of `frame`, with id 0 where code that is not
 * instrumented runs, called by the push that `frame` is (or at a root). `frame` is NULL if no live frame
 * explains the word. */
struct hcct_here {
    uint64_t word;
    const struct hcct_frame *frame;
};

/* Of the caller of a function of the API whose frame is at `sp`. Consumes the word that instrumented code
 * told. Async-signal-safe. */
struct hcct_here hcct_here_of_caller(uintptr_t sp);
/* Of what the signal interrupted whose handler the calling thread is in; {0} if it is in none. *whole: that
 * very context, else one that it is below. Async-signal-safe. */
struct hcct_here hcct_here_of_interrupted(bool *whole);

#endif
