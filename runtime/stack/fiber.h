/* Fibers: stacks that a program makes, and switches to by swapcontext or setcontext, which are interposed, or
 * by Boost.Context (boundary/fcontext.c). Each fiber has a context stack of its own. A fiber is found by its
 * stack's bounds, which the program gave to makecontext or make_fcontext. Fibers may continue in another
 * thread.
 *
 * Invariants
 *   1. while a thread runs on a fiber's stack, its hcct_fiber_place.self is that fiber, and its `top` is in
 *      the fiber's context stack. On the thread's own stack hcct_fiber_place.self is NULL;
 *   2. a fiber that does not run has its top in `top`. For the thread's own stack this is home_top;
 *   3. no two stacks of fibers overlap: a new stack in the memory of an older fiber ends that fiber. But a
 *      stack may lie within that of a fiber that has not ended, as an array in one of its frames.
 * A fiber that has ended or was abandoned is kept until its memory is unmapped or used for another stack.
 * Stacks that the program switches by its own code are not seen. */
#ifndef HCCT_RUNTIME_STACK_FIBER_H
#define HCCT_RUNTIME_STACK_FIBER_H

#include <stddef.h>
#include <stdint.h>

#include "hcct/abi.h"
#include "runtime/core/block.h"

struct hcct_fiber {
    uintptr_t start, end;      /* its stack */
    struct hcct_frame *frames; /* its context stack; NULL until the first push */
    size_t frame_count;
    struct hcct_fiber_region *region; /* where `frames` are */
    struct hcct_frame *top;           /* while it does not run */
    int has_ended;                    /* control left it by its uc_link */
    struct hcct_fiber *next_free;
};

/* Where the calling thread runs. */
struct hcct_fiber_place {
    struct hcct_fiber *self;     /* NULL: on its own stack */
    struct hcct_frame *home_top; /* of its own stack, while it runs elsewhere; NULL: the root's frame */
    uintptr_t home_sp;           /* where it left its own stack; 0: it did not */
};
extern _Thread_local struct hcct_fiber_place hcct_fiber_place;

/* Makes the context stack of the fiber, if it has none. False if memory is short. */
int hcct_fiber_make_frames(struct hcct_fiber *fiber);
/* Code continues at `sp`, outside the fiber that was last switched to: that one has ended, and the C library
 * continued in its uc_link. */
void hcct_fiber_ended(uintptr_t sp);
/* The state of the stack that a switch leaves. It is saved on that stack. */
struct hcct_fiber_left {
    struct hcct_fiber *fiber;
    struct hcct_frame *top;
    struct hcct_clock clock;
    struct hcct_parked parked;
};
/* Before and after a switch to code that goes on at `sp`. */
void hcct_fiber_leave(struct hcct_fiber_left *left, uintptr_t sp);
void hcct_fiber_come_back(const struct hcct_fiber_left *left);
/* There is a new stack, on which nothing has run. */
void hcct_fiber_made(uintptr_t start, size_t bytes);
/* Looks up the functions that the interposed ones replace. */
void hcct_fiber_start(void);

#endif
