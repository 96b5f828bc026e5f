/* The context that a thread is in, found by unwinding its stack.
 *
 * Invariant: a context that is found is the right one, but callers may be missing from it. Where they may be,
 * it has a frame [unknown] in their place. */
#ifndef HCCT_RUNTIME_UNWIND_INTERRUPTED_H
#define HCCT_RUNTIME_UNWIND_INTERRUPTED_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/node.h"
#include "runtime/core/block.h"
#include "runtime/stack/here.h"
#include "runtime/stack/walk.h"

/* The word of the newest instrumented function, and the node of its chain, with a reference for the caller.
 * *at is where in that function the thread is: its instruction, or the last byte of the call that it made.
 * If no instrumented code runs, the word is the prefix of the thread's root, and *at 0. False if it is not
 * known. `context`: a signal handler's third argument; NULL: of the caller itself. Under the table lock.
 * Async-signal-safe. */
bool hcct_interrupted_find(const void *context, struct hcct_block *block, uint64_t *word, hcct_node *node,
                           uintptr_t *at);

/* The context that a signal handler of the calling thread interrupted, if no caller is missing from it; else
 * {0}, as where the signal struck inside the profiler. Takes the table lock. Async-signal-safe. */
struct hcct_here hcct_interrupted_here(const struct hcct_interrupted *interrupted);

#endif
