/* The context stack, for all that do not push: who asks what was pushed, and what lies under it. push.c
 * pushes; frame.h has the layout.
 * Threads: each has its own. Async-signal-safe; keeps errno. */
#ifndef HCCT_RUNTIME_STACK_STACK_H
#define HCCT_RUNTIME_STACK_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hcct/abi.h"
#include "runtime/core/block.h"

/* The most that a context stack has; fewer where address space is limited. */
#define HCCT_STACK_FRAMES (1u << 21)
/* Of each in a context stack and the scratch beside it. */
#define HCCT_STACK_FRAME_BYTES (sizeof(struct hcct_frame) + sizeof(const struct hcct_frame *))

#define HCCT_BARRIER UINT64_MAX /* `tail` of a root that is a cover */

static inline bool hcct_stack_is_root(const struct hcct_frame *frame)
{
    return frame->sp == UINTPTR_MAX;
}

/* Of a root that stands over frames that are another stack's: a walk passes it. */
static inline bool hcct_stack_is_barrier(const struct hcct_frame *frame)
{
    return hcct_stack_is_root(frame) && frame->tail == HCCT_BARRIER;
}

/* The signal whose handler's root the frame is, or 0. */
static inline int hcct_stack_signal(const struct hcct_frame *frame)
{
    return hcct_stack_is_root(frame) ? (int)frame->tail : 0;
}

/* Where chains end: it stands over frames that are lost, as the stack was full, in the place of the newest of
 * them. */
static inline bool hcct_stack_is_cut(const struct hcct_frame *frame)
{
    return !frame->site && !hcct_stack_is_root(frame);
}

/* The frame whose prefix `word` (of the function that `state` is, entered at `sp`) was made from; NULL if
 * none fits. */
struct hcct_frame *hcct_stack_find(const struct hcct_frame *top, uint64_t word,
                                   const struct hcct_state *state, uintptr_t sp);
/* The frame under `frame` that its pusher's own word was made from; NULL if none fits. */
struct hcct_frame *hcct_stack_parent(const struct hcct_frame *frame);
/* The newest frame below `top` that is live for code at `sp` that is not instrumented, a root at the least;
 * NULL where that is not known. */
const struct hcct_frame *hcct_stack_newest(struct hcct_frame *top, uintptr_t sp);
/* What a signal interrupted. */
struct hcct_interrupted {
    struct hcct_frame *top;
    uintptr_t sp;
    uint64_t current; /* __hcct_thread.current */
};
/* Puts a handler's root on the context stack, above a frame that the interrupted code may be writing.
 * `current` and `sp` are of what was interrupted. */
void hcct_stack_enter_signal(int signal, uint64_t current, uintptr_t sp);
/* What the handler interrupted that the thread is in; `top` NULL: it is in none, or that is not known. */
struct hcct_interrupted hcct_stack_interrupted(void);
/* Drops the frames that are dead for code that goes on at `sp`. */
void hcct_stack_leave(uintptr_t sp);
/* Address space is about to be short: gives back what the calling thread's context stack need not have. */
void hcct_stack_shrink(void);
/* Bytes of the calling thread's context stack, about. */
size_t hcct_stack_bytes(void);
/* Pushes past the limit of the context stack, so far, or a few more. */
uint64_t hcct_stack_overflow_count(void);

#endif
