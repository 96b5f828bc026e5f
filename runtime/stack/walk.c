/* See walk.h. */
#include "runtime/stack/walk.h"

#include "encoding/context.h"
#include "runtime/objects/record.h"
#include "runtime/stack/frame.h"

_Thread_local const void *hcct_walk_tail_callee;

struct hcct_frame *hcct_walk_find(const struct hcct_frame *top, uint64_t word, const struct hcct_state *state,
                                  uintptr_t sp)
{
    for (;; top--) {
        if (__builtin_expect(hcct_frame_is_overflow(top), 0))
            return NULL;
        bool live =
            hcct_frame_is_live(top, sp) && (!hcct_frame_is_tail(top) || hcct_frame_tail_is_intact(top));
        if (live && !hcct_frame_is_barrier(top) && hcct_frame_explains(top, word, state))
            return (struct hcct_frame *)top;
        if (hcct_frame_is_root(top) && !hcct_frame_is_barrier(top))
            return NULL;
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
        return (struct hcct_interrupted){ NULL, 0, 0 };
    return (struct hcct_interrupted){ (struct hcct_frame *)(uintptr_t)root[-1].tail, root[-1].sp,
                                      root[-1].prefix };
}
