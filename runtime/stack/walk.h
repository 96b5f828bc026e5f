/* Walks of the context stack, from the newest frame towards the root.
 *
 * A walk looks for the frame that a word was made from. It passes over dead frames, as word - prefix is no id
 * there (hcct_frame_explains). It never passes over a live frame: while the call of a frame is under way,
 * words are made from it or from newer frames (given_word in push.c).
 *
 * A dead frame of a tail call often cannot be told from a live one: the same site calls again, so the same
 * return address stands at the same place. Then the word decides (walk.c). If two frames may have made it,
 * the frame is not known: the callers are `[unknown]`, and counted as lost. A frame that was left by a jump
 * that nobody saw may be taken for the right one by chance. The probability is contexts / 2^64 if the
 * function of the word is known, otherwise all that the program can have / 2^64: usually at most 2^-24
 * (USUAL_IDS in objects/numbering.c). If no path results, the calls are in the profile's `dropped_chain`.
 * Threads: each walks its own stack. Async-signal-safe; keeps errno. */
#ifndef HCCT_RUNTIME_STACK_WALK_H
#define HCCT_RUNTIME_STACK_WALK_H

#include "hcct/abi.h"

/* The frame that `word` was made from: a word of the function of `state` (NULL: of any), which was entered at
 * `sp`. NULL if no live frame explains it. */
struct hcct_frame *hcct_walk_find(const struct hcct_frame *top, uint64_t word, const struct hcct_state *state,
                                  uintptr_t sp);
/* The parent of `frame`; NULL if it is a root, or its parent is not known. */
struct hcct_frame *hcct_walk_parent(const struct hcct_frame *frame);
/* The newest frame that is live for uninstrumented code at `sp`, or a root. NULL if it is not known. */
const struct hcct_frame *hcct_walk_newest(struct hcct_frame *top, uintptr_t sp);
/* The frame that a fresh entry at `sp` belongs to. `word`: HCCT_WORD_NONE or HCCT_WORD_TAIL. */
struct hcct_frame *hcct_walk_live_top(struct hcct_frame *top, uint64_t word, const struct hcct_state *state,
                                      uintptr_t sp);
/* The callee of the thread's newest indirect tail push. */
extern _Thread_local const void *hcct_walk_tail_callee;

/* What a signal interrupted. */
struct hcct_interrupted {
    struct hcct_frame *top;
    uintptr_t sp;
    const void *context; /* the machine context, as a handler gets it */
};
/* What the calling thread's newest handler interrupted. `top` is NULL if the thread is in no handler, or that
 * is not known. */
struct hcct_interrupted hcct_walk_interrupted(void);

/* For frames that were made with recursion=fold.
 * The parent of a frame that is no root; NULL if it is not known. */
struct hcct_frame *hcct_walk_folded_parent(const struct hcct_frame *frame);
/* The frame of `site` in the chain that begins with `frame`, or NULL. */
const struct hcct_frame *hcct_walk_same_site(const struct hcct_frame *frame, uint64_t site);

#endif
