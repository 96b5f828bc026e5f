/* What the frames of a context stack are (Sumner et al., ICSE 2010, section 3.3): the pushes that are live in
 * a thread. For the files that push (push.c), walk (walk.c) and keep the memory (stack.c); stack.h is for all
 * others.
 *
 * A frame of a plain push is live while its stack pointer lies above the one that is asked for. A tail
 * push's frame has sp = 0 and in `tail`:
 *
 *     bits 0..47   the pusher's entry stack pointer, which is its tail callee's too
 *     bit 0        HCCT_TAIL_OPEN: its callee may not be instrumented: a fresh entry may lie under it
 *     bits 48..63  a hash of the return address that stood there: what a later call overwrites
 *
 * recursion=fold (Ammons, Ball and Larus, PLDI 1997, on call sites): the chain of a context is the frame that
 * its word was made from, its parent, and so on to a root. A push at a site that stands in the chain of its
 * pusher already, in a frame F, has F's prefix and F's parent: what was pushed since is cut off. No push is
 * in line then (hcct_thread.push_mask), and a frame tells its parent, 0: not known. A tail push has in `sp`
 * how many frames below it is, the others have in `tail`
 *
 *     bits 0..47   its address
 *     bits 48..63  those of its prefix: they tell when another frame took its place (hcct_stack_resync)
 *
 * Invariants
 *   1. frames[0] of a stack is the root, h = 0, always live; so is the root that a signal handler starts at,
 *      in the middle of the stack that it interrupted, `tail` its signal, and a cover, whose `tail` is
 *      HCCT_BARRIER. Under a handler's stands what it interrupted (struct hcct_interrupted: `current`, 0,
 *      `sp`, `top`), which no walk comes to;
 *   2. dead frames are dropped by whoever finds them on top; a walk passes over those in between, which it
 *      knows by their word: word - prefix is not an id of the function that the word is of; A live frame is
 *      never passed over, since what is called below a frame has a word that is made from it (given_word in
 *      push.c). A dead one passes for the right one by chance: with probability contexts / 2^64 of the
 *      function where that is known, else with ids / 2^64 of the program, at most 1 in 16. It has to be a
 *      tail frame whose stack pointer is the entry's and whose return address is not overwritten, or one that
 *      a jump left which nobody saw. The decoder tells what became of it where the path is none
 *      (dropped_chain);
 *   3. a run of tail frames with the same stack pointer holds each site once (a loop of tail calls is
 *      folded);
 *   4. with recursion=fold a chain holds each site once, so that it has no more frames than the program has
 *      sites.
 * Async-signal-safe; keeps errno. */
#ifndef HCCT_RUNTIME_STACK_FRAME_H
#define HCCT_RUNTIME_STACK_FRAME_H

#include <string.h>

#include "encoding/context.h"
#include "hcct/abi.h"
#include "hcct/format.h"
#include "runtime/base/machine.h"
#include "runtime/core/options.h"
#include "runtime/objects/registry.h"
#include "runtime/stack/stack.h"

#define HCCT_TAIL_OPEN UINT64_C(1)
#define HCCT_TAIL_SP(tail) ((uintptr_t)((tail) & UINT64_C(0xfffffffffff8)))

/* No stack pointer is so low. */
static inline bool hcct_frame_is_tail(const struct hcct_frame *frame)
{
    return frame->sp < HCCT_STACK_FRAMES;
}

/* The high 16 bits of a product of the return address that stands at `sp`; 0 where it is in a register.
 * Another address that was written there has the same bits with a probability of 2^-16. Then a dead frame
 * seems to be intact. A walk for a word still has to find that the frame explains it (invariant 2). A fresh
 * entry below is shown under the tail call that has ended, and nothing tells. */
static inline uint64_t hcct_frame_return_hash(uintptr_t sp)
{
    return (hcct_machine_return_address(sp) * UINT64_C(0x9e3779b97f4a7c15)) >> 48 << 48;
}

static inline bool hcct_frame_tail_is_intact(const struct hcct_frame *frame)
{
    return hcct_frame_return_hash(HCCT_TAIL_SP(frame->tail)) == frame->tail >> 48 << 48;
}

/* For code that goes on at `sp`, whatever called it. */
static inline __attribute__((always_inline)) bool hcct_frame_is_live(const struct hcct_frame *frame,
                                                                     uintptr_t sp)
{
    return frame->sp > sp || (hcct_frame_is_tail(frame) && HCCT_TAIL_SP(frame->tail) >= sp);
}

/* Without the dead frames on top. */
static inline __attribute__((always_inline)) struct hcct_frame *hcct_frame_drop_dead(struct hcct_frame *top,
                                                                                     uintptr_t sp)
{
    while (!hcct_frame_is_live(top, sp))
        top--;
    return top;
}

/* Whether `word`, of the function that `state` is (NULL: of any), can be made from the frame. */
static inline bool hcct_frame_explains(const struct hcct_frame *frame, uint64_t word,
                                       const struct hcct_state *state)
{
    uint64_t id = hcct_context_id(word, frame->prefix);
    return state ? id - state->base < state->contexts : hcct_registry_is_id(id);
}

static inline bool hcct_recursion_folds(void)
{
    return hcct_options.recursion == HCCT_RECURSION_FOLDED;
}

/* How a plain push's frame tells its parent with recursion=fold. */
static inline __attribute__((always_inline)) uint64_t hcct_frame_link(const struct hcct_frame *parent)
{
    return parent ? (uint64_t)(uintptr_t)parent | parent->prefix >> 48 << 48 : 0;
}

/* What links to it is no tail push's. NULL: not known. Another frame in the same place has the same two bytes
 * of its prefix with a probability of 2^-16: then it is taken for the parent, unless the caller finds that it
 * does not explain the word (invariant 2). The two bytes are compared in place: fewer registers where it is
 * quick. */
static inline __attribute__((always_inline)) struct hcct_frame *hcct_frame_linked(uint64_t link)
{
    struct hcct_frame *parent = (struct hcct_frame *)(uintptr_t)(link << 16 >> 16);
    uint16_t check;
    if (!parent)
        return NULL;
    memcpy(&check, (const char *)&parent->prefix + 6, sizeof check);
    return check == (uint16_t)(link >> 48) ? parent : NULL;
}

/* walk.c: what a frame that was made with recursion=fold, no root, tells of its parent; NULL: not known. */
struct hcct_frame *hcct_frame_folded_parent(const struct hcct_frame *frame);
/* The frame of that site in the chain that begins with `frame`, or NULL. */
const struct hcct_frame *hcct_frame_same_site(const struct hcct_frame *frame, uint64_t site);

/* walk.c: the callee of the thread's newest indirect tail push. */
extern _Thread_local const void *hcct_tail_callee;
/* The newest frame that a fresh entry (`word`: what it found) at `sp` lies under. */
struct hcct_frame *hcct_stack_live_top(struct hcct_frame *top, uint64_t word, const struct hcct_state *state,
                                       uintptr_t sp);

/* stack.c: makes room for one frame above the thread's top, which it may move to another chunk. */
__attribute__((preserve_most, noinline, cold)) void hcct_stack_grow(void);
/* A call returned at `sp`, and the frame that it pushed is not where it was. */
__attribute__((preserve_most, noinline, cold)) void hcct_stack_resync(uintptr_t sp);

/* The place above `top` for a frame, which begins a page only if that is there. */
static inline __attribute__((always_inline)) struct hcct_frame *hcct_stack_next_frame(struct hcct_frame *top)
{
    __hcct_thread.top = top;
    if (((uintptr_t)(top + 1) & (HCCT_STACK_PAGE_BYTES - 1)) == 0)
        hcct_stack_grow();
    return __hcct_thread.top + 1;
}

/* Two stack pointers of one activation, if one of them was taken in code that was outlined. */
static inline bool hcct_stack_is_near(uintptr_t a, uintptr_t b)
{
    return a - b + 64 <= 128;
}

#endif
