/* The frames of a context stack: the live pushes of a thread (Sumner et al., ICSE 2010, section 3.3).
 * push.c and push_tail.c make them, pop.c drops them, walk.c searches them, stack.c has their memory. The
 * frames of a stack are an array, the newest last.
 *
 *    frame            site      sp                   tail
 *    push             its site  the pusher's         with recursion=fold: a link to the parent
 *    tail push        its site  a hash of the callee the stack pointer at the pusher's entry, with
 *                               (with fold: how far  HCCT_TAIL_OPEN and hcct_frame_return_hash
 *                               down the parent is)
 *    thread's root    0         UINTPTR_MAX          0; with threads=split its number in bits 32..63
 *    handler's root   0         UINTPTR_MAX          the signal
 *    barrier          0         UINTPTR_MAX          HCCT_FRAME_BARRIER
 *    overflow frame   0         a lost frame's       HCCT_FRAME_BARRIER
 *    callback         0         where it is called   HCCT_FRAME_BARRIER
 *
 * The chain of a context begins with the frame that its word was made from, goes on with that frame's parent,
 * and ends at a root. The parent of a frame is the one that the pusher's own word was made from.
 * Invariants
 *   1. the first frame of a stack is a root, with prefix 0, or hcct_context_thread. A handler's root stands
 *      in the middle of the stack that the signal interrupted; the frame below it has the interrupted state
 *      (hcct_stack_enter_signal), and no walk reaches it. Roots are always live;
 *   2. a dead frame may stay between live ones. It is dropped when it is on top;
 *   3. in a run of tail frames with one entry stack pointer each site occurs once: a loop of tail calls is
 *      folded. With recursion=fold each site occurs once in a chain.
 * Async-signal-safe; keeps errno. */
#ifndef HCCT_RUNTIME_STACK_FRAME_H
#define HCCT_RUNTIME_STACK_FRAME_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "encoding/context.h"
#include "format/layout.h"
#include "hcct/abi.h"
#include "runtime/base/machine.h"
#include "runtime/objects/numbering.h"
#include "runtime/stack/settings.h"

/* The most frames that a context stack has. It has fewer if address space is limited. */
#define HCCT_STACK_FRAMES_LOG2 21
#define HCCT_STACK_FRAMES (1u << HCCT_STACK_FRAMES_LOG2)

/* --- roots ------------------------------------------------------------------------------------- */

#define HCCT_FRAME_BARRIER UINT64_MAX

static inline bool hcct_frame_is_root(const struct hcct_frame *frame)
{
    return frame->sp == UINTPTR_MAX;
}

/* Whether the frames below belong to another stack of the program. */
static inline bool hcct_frame_is_barrier(const struct hcct_frame *frame)
{
    return hcct_frame_is_root(frame) && frame->tail == HCCT_FRAME_BARRIER;
}

/* The signal, if the frame is the root of its handler; otherwise 0. */
static inline int hcct_frame_signal(const struct hcct_frame *frame)
{
    return hcct_frame_is_root(frame) ? (int)frame->tail : 0;
}

/* The number of the thread, if the frame is its root and threads are split; otherwise 0. */
static inline uint32_t hcct_frame_thread(const struct hcct_frame *frame)
{
    return hcct_frame_is_root(frame) && frame->tail != HCCT_FRAME_BARRIER ? (uint32_t)(frame->tail >> 32) : 0;
}

/* An overflow frame has the place of the frames that were lost when the stack was full, or stands in front
 * of a callback (hcct_stack_enter_callback). It ends every chain. */
static inline bool hcct_frame_is_overflow(const struct hcct_frame *frame)
{
    return !frame->site && !hcct_frame_is_root(frame);
}

/* The stack pointer of a plain push's call, which is even. */
static inline uintptr_t hcct_frame_sp(const struct hcct_frame *frame)
{
    return hcct_frame_is_root(frame) ? frame->sp : (frame->sp + 1) & ~(uintptr_t)1;
}

/* --- tail pushes --------------------------------------------------------------------------------- */

/* `tail` of a tail push has in bits 0..47 the stack pointer at the pusher's entry. The callee is entered with
 * the same one. Bit 0 is set if the callee may have no instrumentation: then a fresh entry may belong to this
 * frame. Bits 48..63 are hcct_frame_return_hash. */
#define HCCT_TAIL_OPEN UINT64_C(1)
#define HCCT_RETURN_HASH_FACTOR UINT64_C(0x9e3779b97f4a7c15)
#define HCCT_TAIL_SP(tail) ((uintptr_t)((tail) & UINT64_C(0xfffffffffff8)))

/* No stack pointer is so low. */
static inline bool hcct_frame_is_tail(const struct hcct_frame *frame)
{
    return frame->sp < HCCT_STACK_FRAMES;
}

/* A hash of the return address at `sp`, in the high 16 bits. When the pusher has returned, a later call
 * overwrites the address, and the hash differs. 0 if the address is in a register.
 * Another address has the same hash with a probability of 2^-16. Then a dead frame seems to be intact. A walk
 * for a word still needs a frame that explains the word (walk.h). A fresh entry is shown below the tail call
 * that has ended, and nothing tells. */
static inline uint64_t hcct_frame_hash_of_return(uintptr_t address)
{
    return (address * HCCT_RETURN_HASH_FACTOR) >> 48 << 48;
}

static inline uint64_t hcct_frame_return_hash(uintptr_t sp)
{
    return hcct_frame_hash_of_return(hcct_machine_return_address(sp));
}

static inline bool hcct_frame_tail_is_intact(const struct hcct_frame *frame)
{
    return hcct_frame_return_hash(HCCT_TAIL_SP(frame->tail)) == frame->tail >> 48 << 48;
}

/* `sp` of a tail push, but with recursion=fold: a hash of the callee's base. 0: the callee is not known. It
 * is less than HCCT_STACK_FRAMES. Two functions have the same hash with a probability of 2^-20. */
static inline __attribute__((always_inline)) uintptr_t hcct_frame_callee_hash(uint64_t base)
{
    return base ? (base * HCCT_RETURN_HASH_FACTOR) >> (64 - HCCT_STACK_FRAMES_LOG2) | 1 : 0;
}

/* --- live frames --------------------------------------------------------------------------------- */

/* Whether the frame's call is under way while code with the stack pointer `sp` runs. */
static inline __attribute__((always_inline)) bool hcct_frame_is_live(const struct hcct_frame *frame,
                                                                     uintptr_t sp)
{
    return frame->sp > sp || (hcct_frame_is_tail(frame) && HCCT_TAIL_SP(frame->tail) >= sp);
}

/* The newest live frame. */
static inline __attribute__((always_inline)) struct hcct_frame *hcct_frame_drop_dead(struct hcct_frame *top,
                                                                                     uintptr_t sp)
{
    while (!hcct_frame_is_live(top, sp))
        top--;
    return top;
}

/* Whether `word` can be made from the frame: their difference is an id of the function of `state`, or of any
 * function if that is NULL. */
static inline bool hcct_frame_explains(const struct hcct_frame *frame, uint64_t word,
                                       const struct hcct_state *state)
{
    uint64_t id = hcct_context_id(word, frame->prefix);
    return state ? hcct_context_is_id(id, state->base, state->contexts) : hcct_numbering_is_id(id);
}

/* --- recursion=fold (Ammons, Ball and Larus, PLDI 1997, on call sites) --------------------------------- */

/* A push whose site occurs in the chain of the pusher already, in a frame F, gets the prefix and the parent
 * of F. So the chain loses all that was pushed since F. No push is in line (hcct_thread.push_mask). */
static inline bool hcct_frame_folds(void)
{
    return hcct_stack_settings.recursion == HCCT_RECURSION_FOLDED;
}

/* The link to a parent, for `tail` of a plain push: its address in bits 0..47, and bits 48..63 of its prefix.
 * 0: the parent is not known. */
static inline __attribute__((always_inline)) uint64_t hcct_frame_link(const struct hcct_frame *parent)
{
    return parent ? (uint64_t)(uintptr_t)parent | parent->prefix >> 48 << 48 : 0;
}

/* The parent that a link leads to. NULL if it is not known, or another frame has taken its place
 * (hcct_stack_resync), so that its prefix differs. The two bytes are compared in place, which takes fewer
 * registers. Another frame has the same two bytes with a probability of 2^-16. Then it is taken for the
 * parent, unless the caller finds that it does not explain the word (walk.h). */
static inline __attribute__((always_inline)) struct hcct_frame *hcct_frame_linked(uint64_t link)
{
    struct hcct_frame *parent = (struct hcct_frame *)(uintptr_t)(link << 16 >> 16);
    uint16_t check;
    if (!parent)
        return NULL;
    memcpy(&check, (const char *)&parent->prefix + 6, sizeof check);
    return check == (uint16_t)(link >> 48) ? parent : NULL;
}

#endif
