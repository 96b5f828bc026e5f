/* See enter.h. Finds the frame that the caller pushed, and with it the word of the context.
 *
 * A preserve_most function saves every register that it uses. So usual cases come first and use few
 * registers, and rare cases are functions of their own, mostly tail calls (HCCT_GO_ON).
 * Signals: async-signal-safe, once the objects are numbered; keeps errno. */
#include "runtime/count/enter.h"

#include "runtime/base/go_on.h"
#include "runtime/core/block.h"
#include "runtime/core/busy.h"
#include "runtime/core/threads.h"
#include "runtime/objects/record.h"
#include "runtime/stack/place.h"
#include "runtime/stack/stack.h"
#include "runtime/stack/walk.h"

static __attribute__((preserve_most, noinline)) void enter(HCCT_FREE_3, uintptr_t sp,
                                                           struct hcct_state *state, uint64_t word)
{
    if (__builtin_expect(!__atomic_load_n(&state->base, __ATOMIC_RELAXED), 0))
        hcct_place_discover();
    if (hcct_block_is_needed && !hcct_busy.depth)
        hcct_block_self(); /* a thread that counts nothing may have no block yet */
    if (hcct_threads_are_split() && __hcct_thread.top == HCCT_ROOT_FRAME && !hcct_busy.depth)
        hcct_stack_begin(state->base);
    __hcct_thread.top = hcct_walk_live_top(__hcct_thread.top, word, state, sp);
    __hcct_thread.entered =
        state->base ? hcct_context_word(__hcct_thread.top->prefix, state->base) : HCCT_WORD_TAIL;
}

/* The usual case is the callee of an indirect tail call: its frame is on top. */
static __attribute__((preserve_most, noinline)) void enter_at_tail(HCCT_FREE_3, uintptr_t sp,
                                                                   struct hcct_state *state, uint64_t word)
{
    struct hcct_frame *top = __hcct_thread.top;
    if (word != HCCT_WORD_TAIL || !hcct_frame_is_tail(top) ||
        (top->tail << 16 >> 16) != ((uint64_t)sp | HCCT_TAIL_OPEN) || !state->base ||
        hcct_walk_tail_callee != hcct_record_body(hcct_record_of(state)))
        HCCT_GO_ON(enter(HCCT_NOTHING_3, sp, state, word));
    top->tail &= ~HCCT_TAIL_OPEN;
    __hcct_thread.entered = hcct_context_word(top->prefix, state->base);
}

/* The usual case is the callee of a call through a pointer, with the frame of that call on top. */
void hcct_stack_enter(HCCT_FREE_3, uintptr_t sp, struct hcct_state *state, uint64_t word)
{
    const struct hcct_frame *top = __hcct_thread.top;
    if (__builtin_expect(word != HCCT_WORD_NONE || top->sp <= sp ||
                             !__atomic_load_n(&state->base, __ATOMIC_RELAXED) || hcct_block_is_needed,
                         0))
        HCCT_GO_ON(enter_at_tail(HCCT_NOTHING_3, sp, state, word));
    /* `base` is loaded twice, which takes a register fewer */
    __hcct_thread.entered = hcct_context_word(top->prefix, __atomic_load_n(&state->base, __ATOMIC_RELAXED));
}
