/* The context in the program's own hands: hcct_context() and what belongs to it (hcct/hcct.h). */
#ifndef HCCT_RUNTIME_STACK_CONTEXT_H
#define HCCT_RUNTIME_STACK_CONTEXT_H

#include <stdint.h>

#include "hcct/abi.h"
#include "runtime/stack/prefix.h"
#include "runtime/stack/stack.h"

/* Where the program is: `word` was made from the prefix of `frame`, with id 0 where code that is not
 * instrumented runs, called by the push that `frame` is (or at a root). `frame` is NULL if no live frame
 * explains the word. */
struct hcct_here {
    uint64_t word;
    const struct hcct_frame *frame;
};

/* Of the caller of a function of the API whose frame is at `sp`. Consumes the word that instrumented code
 * told. Async-signal-safe. */
struct hcct_here hcct_context_here(uintptr_t sp);

/* A context that the profile keeps, whether it is monitored or not. */
struct hcct_pin {
    uint64_t word;
    hcct_node node;
};

/* All pins, in no order: the one behind `last`, NULL to begin and at the end. Under the table lock. */
const struct hcct_pin *hcct_context_next_pin(const struct hcct_pin *last);
/* In a child whose nodes are not its own. */
void hcct_context_forget_pins(void);

#endif
