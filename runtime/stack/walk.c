/* See walk.h. */
#include "runtime/stack/walk.h"

#include "encoding/context.h"
#include "runtime/objects/record.h"
#include "runtime/stack/frame.h"

_Thread_local const void *hcct_walk_tail_callee;

/* --- the frame of a word ------------------------------------------------------------------------- */

/* Whether the newer one is a tail push by the function that was called at the older one, a plain push: it
 * entered where that call was. While the call is under way, nothing is made from the older one any more. */
static bool replaces(const struct hcct_frame *newer, const struct hcct_frame *older)
{
    return !hcct_frame_is_tail(older) && !hcct_frame_is_root(older) &&
           HCCT_TAIL_SP(newer->tail) + HCCT_CALL_BYTES == hcct_frame_sp(older);
}

/* Of two frames that explain the word, the one that it was made from. The newer one is a tail push. NULL if
 * both may be. Frames of one prefix have one chain, so either is right. */
static struct hcct_frame *choose(struct hcct_frame *newer, struct hcct_frame *older)
{
    return newer->prefix == older->prefix || replaces(newer, older) ? newer : NULL;
}

/* A dead tail frame may look live, and explain the word by chance. But the frame that the word was made from
 * explains it in any case, and is one of those down to the newest live plain push. So a tail frame that
 * explains the word is the right one if no other of these does. */
struct hcct_frame *hcct_walk_find(const struct hcct_frame *top, uint64_t word, const struct hcct_state *state,
                                  uintptr_t sp)
{
    struct hcct_frame *found = NULL;
    for (;; top--) {
        if (__builtin_expect(hcct_frame_is_overflow(top), 0))
            return found;
        bool is_tail = hcct_frame_is_tail(top);
        if (hcct_frame_is_live(top, sp) && (!is_tail || hcct_frame_tail_is_intact(top)) &&
            !hcct_frame_is_barrier(top)) {
            struct hcct_frame *frame = (struct hcct_frame *)top;
            bool explains = hcct_frame_explains(frame, word, state);
            if (explains && found && !(frame = choose(found, frame)))
                return NULL;
            found = explains ? frame : found;
            if (found && !is_tail)
                return found;
            /* the callee of a tail push itself; another frame is that with a probability of 2^-64 */
            if (explains && state && hcct_context_id(word, found->prefix) == state->base)
                return found;
        }
        if (hcct_frame_is_root(top) && !hcct_frame_is_barrier(top))
            return found;
    }
}

/* --- recursion=fold ---------------------------------------------------------------------------- */

struct hcct_frame *hcct_walk_folded_parent(const struct hcct_frame *frame)
{
    if (!hcct_frame_is_tail(frame))
        return hcct_frame_linked(frame->tail);
    struct hcct_frame *parent = frame->sp ? (struct hcct_frame *)frame - frame->sp : NULL;
    return parent && hcct_frame_explains(parent, hcct_context_pusher(frame->prefix, frame->site), NULL)
               ? parent
               : NULL;
}

const struct hcct_frame *hcct_walk_same_site(const struct hcct_frame *frame, uint64_t site)
{
    while (frame && frame->site != site)
        frame = frame->site ? hcct_walk_folded_parent(frame) : NULL; /* 0: a root */
    return frame;
}

struct hcct_frame *hcct_walk_parent(const struct hcct_frame *frame)
{
    if (hcct_frame_is_root(frame))
        return NULL;
    uint64_t word = hcct_context_pusher(frame->prefix, frame->site);
    if (hcct_frame_folds()) {
        struct hcct_frame *parent = hcct_walk_folded_parent(frame);
        return parent && hcct_frame_explains(parent, word, NULL) ? parent : NULL;
    }
    return hcct_walk_find(frame - 1, word, NULL,
                          hcct_frame_is_tail(frame) ? HCCT_TAIL_SP(frame->tail) : frame->sp);
}

/* --- entries from outside ---------------------------------------------------------------------- */

/* A fresh entry belongs to the newest live plain push, whose callee led here. Tail frames above that push are
 * dead, with two exceptions: the callee is an uninstrumented function that still runs, or it is this
 * entry. */
struct hcct_frame *hcct_walk_live_top(struct hcct_frame *top, uint64_t word, const struct hcct_state *state,
                                      uintptr_t sp)
{
    for (;; top--) {
        if (!hcct_frame_is_tail(top)) {
            if (top->sp > sp)
                return top;
            continue;
        }
        uintptr_t tail_sp = HCCT_TAIL_SP(top->tail);
        if (!(top->tail & HCCT_TAIL_OPEN) || tail_sp < sp || !hcct_frame_tail_is_intact(top))
            continue;
        if (tail_sp > sp)
            return top;
        if (word == HCCT_WORD_TAIL && hcct_walk_tail_callee == hcct_record_body(hcct_record_of(state))) {
            top->tail &= ~HCCT_TAIL_OPEN; /* a later fresh entry does not belong to it */
            return top;
        }
    }
}

const struct hcct_frame *hcct_walk_newest(struct hcct_frame *top, uintptr_t sp)
{
    const struct hcct_frame *newest = hcct_walk_live_top(top, HCCT_WORD_NONE, NULL, sp);
    return hcct_frame_is_barrier(newest) || hcct_frame_is_overflow(newest) ? NULL : newest;
}

struct hcct_interrupted hcct_walk_interrupted(void)
{
    const struct hcct_frame *root = __hcct_thread.top;
    while (!hcct_frame_is_root(root))
        root--;
    if (!hcct_frame_signal(root) || hcct_frame_is_barrier(root))
        return (struct hcct_interrupted){ NULL, 0, NULL };
    return (struct hcct_interrupted){ (struct hcct_frame *)(uintptr_t)root[-1].tail, root[-1].sp,
                                      (const void *)(uintptr_t)root[-1].prefix };
}
