/* Fibers: stacks that a program makes itself and switches to by swapcontext and setcontext, which are
 * interposed. Each has a context stack of its own, found by the bounds that makecontext was told.
 *
 * Invariants
 *   1. while a thread runs on a fiber's stack, hcct_fiber_self is that fiber and the thread's `top` is in its
 *      context stack; NULL on the thread's own stack;
 *   2. a fiber that is not running has its top in `top`; so has the thread's own stack, in home_top;
 *   3. no two fibers' stacks overlap: memory that is used for another stack ends the fiber that was there.
 * A fiber that ended or was abandoned is kept until its memory is a stack again or is unmapped. Fibers may go
 * on in another thread. Not seen: stacks that are switched by code of the program's own. */
#ifndef HCCT_RUNTIME_STACK_FIBER_H
#define HCCT_RUNTIME_STACK_FIBER_H

#include <stddef.h>
#include <stdint.h>

#include "hcct/abi.h"

struct hcct_fiber {
    uintptr_t start, end;      /* its stack */
    struct hcct_frame *frames; /* its context stack; NULL until the first push */
    size_t frame_count;
    struct hcct_frame *top; /* while it is not running */
    struct hcct_fiber *next_free;
};

/* That the calling thread runs in, or NULL. */
extern _Thread_local struct hcct_fiber *hcct_fiber_self;

/* Makes the context stack of the calling thread's fiber; false if memory is short. */
int hcct_fiber_make_frames(struct hcct_fiber *fiber);
/* Code runs on at `sp`, not in the fiber that was last switched to: that one ended, and its link was
 * followed. */
void hcct_fiber_ended(uintptr_t sp);
/* Looks up what stands behind the interposed functions. */
void hcct_fiber_start(void);

#endif
