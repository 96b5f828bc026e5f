/* The functions that instrumented code calls to enter, push and pop (hcct/abi.h), where its code in line does
 * not suffice. frame.h says what frames are.
 *
 * A preserve_most function saves every register that it uses. So usual cases come first and use few
 * registers, and rare cases are functions of their own, mostly tail calls (HCCT_GO_ON).
 * Signals: all but `discover` is async-signal-safe; keeps errno.
 * Atomics: bases and deltas are plain words of the ABI, so builtins. They pair with the stores of
 * objects/numbering.c. */
#include <stdatomic.h>

#include "encoding/context.h"
#include "hcct/abi.h"
#include "runtime/base/confined.h"
#include "runtime/core/block.h"
#include "runtime/core/hold.h"
#include "runtime/core/notice.h"
#include "runtime/core/threads.h"
#include "runtime/objects/bodies.h"
#include "runtime/objects/record.h"
#include "runtime/objects/registry.h"
#include "runtime/stack/fiber.h"
#include "runtime/stack/frame.h"
#include "runtime/stack/stack.h"
#include "runtime/stack/walk.h"

/* Rare calls, wrapped in preserve_most functions: their callers save no registers for them. */
static __attribute__((preserve_most, noinline, cold)) void discover(void)
{
    if (hcct_confined)
        return;
    hcct_busy_enter_to_write(); /* no handler jumps out of this */
    /* an object that is loaded again replaces its copy, which a thread may be writing to a profile */
    hcct_hold();
    hcct_registry_discover();
    hcct_hold_release();
    hcct_busy_leave();
}

static __attribute__((preserve_most, noinline, cold)) void leave_dead_levels(uintptr_t sp)
{
    hcct_signals_leave_dead(sp);
}

static __attribute__((preserve_most, noinline, cold)) void leave_ended_fiber(uintptr_t sp)
{
    hcct_fiber_ended(sp);
}

/* --- entries ----------------------------------------------------------------------------------- */

static __attribute__((preserve_most, noinline)) void enter(HCCT_FREE_3, uintptr_t sp,
                                                           struct hcct_state *state, uint64_t word)
{
    if (__builtin_expect(!__atomic_load_n(&state->base, __ATOMIC_RELAXED), 0))
        discover();
    if (hcct_block_is_needed && !__hcct_thread.current && !hcct_busy)
        hcct_block_self(); /* a thread that counts nothing may have no block yet */
    if (hcct_threads_are_split() && __hcct_thread.top == HCCT_ROOT_FRAME && !hcct_busy)
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
void __hcct_enter(HCCT_FREE_3, uintptr_t sp, struct hcct_state *state, uint64_t word)
{
    const struct hcct_frame *top = __hcct_thread.top;
    if (__builtin_expect(word != HCCT_WORD_NONE || top->sp <= sp ||
                             !__atomic_load_n(&state->base, __ATOMIC_RELAXED) || hcct_block_is_needed,
                         0))
        HCCT_GO_ON(enter_at_tail(HCCT_NOTHING_3, sp, state, word));
    /* `base` is loaded twice, which takes a register fewer */
    __hcct_thread.entered = hcct_context_word(top->prefix, __atomic_load_n(&state->base, __ATOMIC_RELAXED));
}

/* --- pushes ------------------------------------------------------------------------------------ */

/* Makes the frame above `top` with recursion=fold: prefix and site. Returns its parent, or NULL. */
static const struct hcct_frame *fold(struct hcct_frame *top, uint64_t word, uint64_t site, uintptr_t sp)
{
    const struct hcct_frame *parent = hcct_walk_find(top, word, NULL, sp),
                            *same = hcct_walk_same_site(parent, site);
    uint64_t prefix = same ? same->prefix : hcct_context_push(word, site);
    parent = same ? hcct_walk_folded_parent(same) : parent;
    struct hcct_frame *frame = hcct_stack_place(top);
    if (parent >= frame) /* the stack was full, and this parent is lost: is there another? */
        parent = hcct_walk_find(frame - 1, word, NULL, sp);
    *frame = (struct hcct_frame){ prefix, site, 0, 0 };
    return parent;
}

/* Makes the frame above `top`: prefix and site. With recursion=fold returns its parent. */
static const struct hcct_frame *make_frame(struct hcct_frame *top, uint64_t word, uint64_t site, uintptr_t sp)
{
    if (top == HCCT_ROOT_FRAME) /* the thread's first push. It may be the one that reads the options */
        top = hcct_stack_place(top) - 1;
    if (hcct_frame_folds())
        return fold(top, word, site, sp);
    __hcct_thread.push_mask = HCCT_PUSH_MASK_INLINE;
    *hcct_stack_place(top) = (struct hcct_frame){ hcct_context_push(word, site), site, 0, 0 };
    return NULL;
}

/* The delta. If it is not known yet, numbers the program. */
static inline int64_t final_delta(const int64_t *delta)
{
    int64_t value = __atomic_load_n(delta, __ATOMIC_RELAXED);
    if (__builtin_expect(value == 0, 0)) {
        discover();
        value = __atomic_load_n(delta, __ATOMIC_RELAXED);
    }
    return value == 0 ? HCCT_DELTA_OPEN : value;
}

static inline uint64_t callee_word(int64_t delta, uint64_t prefix)
{
    uint64_t base = (uint64_t)delta << 1 >> 1; /* 0: HCCT_DELTA_OPEN */
    return base ? hcct_context_word(prefix, base) : HCCT_WORD_NONE;
}

/* The word of the callee of a push. Usually the delta is negative. A numbered call (delta > 0) comes here
 * only if it was the one that made the runtime number the program. Its callee's word is then made from the
 * new frame too, not from the frame below. Otherwise a walk would try the new frame first, and take it for
 * the right one with a probability of up to 1/16 (walk.h). */
static inline uint64_t given_word(int64_t delta, uint64_t prefix, const struct hcct_site *site)
{
    if (delta <= 0)
        return hcct_delta_is_outside(delta) ? HCCT_WORD_NONE : callee_word(delta, prefix);
    if ((site->flags & HCCT_SITE_KIND_MASK) != HCCT_SITE_LOCAL)
        return HCCT_WORD_NONE; /* the callee is enterable, and takes the newest frame's prefix */
    const struct hcct_function *callee = hcct_rel_get(&site->callee);
    return hcct_context_word(prefix, hcct_record_state(callee)->base);
}

/* Whether the frame needs no special care: it begins no page, and recursion is not folded. */
static inline __attribute__((always_inline)) bool is_plain(const struct hcct_frame *frame)
{
    return ((uintptr_t)frame & __hcct_thread.push_mask) != 0;
}

/* The frame above `top`. The compiler does not see how they are related, so it keeps only one in a
 * register. */
static inline __attribute__((always_inline)) struct hcct_frame *place_above(struct hcct_frame *top)
{
    struct hcct_frame *frame = top + 1;
    __asm__("" : "+r"(frame));
    return frame;
}

/* The frame is complete. From now on a signal handler may read it, so the fence keeps its stores in front. */
static inline __attribute__((always_inline)) void set_top(struct hcct_frame *frame)
{
    atomic_signal_fence(memory_order_release);
    __hcct_thread.top = frame;
}

/* Like code in line, leaves `tail` as it is. */
static inline __attribute__((always_inline)) void put(struct hcct_frame *frame, uint64_t prefix,
                                                      uint64_t site, uintptr_t sp)
{
    frame->sp = sp;
    frame->site = site;
    frame->prefix = prefix;
    set_top(frame);
}

static inline __attribute__((always_inline)) void put_plain(struct hcct_frame *frame, uint64_t word,
                                                            uint64_t site, uintptr_t sp)
{
    put(frame, hcct_context_push(word, site), site, sp);
}

static __attribute__((preserve_most, noinline)) void push_at(uint64_t word, uint64_t site, uintptr_t sp)
{
    const struct hcct_frame *parent = make_frame(hcct_frame_drop_dead(__hcct_thread.top, sp), word, site, sp);
    struct hcct_frame *frame = __hcct_thread.top + 1;
    frame->sp = sp;
    frame->tail = hcct_frame_link(parent);
    set_top(frame);
}

static __attribute__((preserve_most, noinline)) void push_slowly(HCCT_FREE_4, const struct hcct_site *site,
                                                                 uint64_t word)
{
    push_at(word, site->id, HCCT_CALLER_SP);
}

/* With recursion=fold: whether the functions below may fill `frame`. The frame below it must be live, explain
 * the pusher's word and be no tail frame, and there must be room. */
static inline __attribute__((always_inline)) bool may_fold(const struct hcct_frame *frame, uint64_t word,
                                                           uintptr_t sp)
{
    return frame[-1].sp > sp && hcct_frame_explains(frame - 1, word, NULL) &&
           ((uintptr_t)frame & HCCT_PUSH_MASK_INLINE) && hcct_frame_folds();
}

/* A copy of `same`, an earlier push at this site. */
static inline __attribute__((always_inline)) void put_same(struct hcct_frame *frame,
                                                           const struct hcct_frame *same, uintptr_t sp)
{
    frame->tail = same->tail;
    frame->sp = sp;
    frame->site = same->site;
    /* keeps the compiler from copying vectors: a vector load of words that were just stored stalls */
    atomic_signal_fence(memory_order_seq_cst);
    frame->prefix = same->prefix;
    set_top(frame);
}

/* A push whose site is not that of the frame below. Looks for the site in the chain, and copies the frame
 * found there. If there is none, makes a new prefix. False if the chain cannot be followed quickly: then
 * nothing was done. */
static inline __attribute__((always_inline)) bool put_chained(struct hcct_frame *frame, uint64_t word,
                                                              uint64_t site, uintptr_t sp)
{
    const struct hcct_frame *same = frame - 1;
    do {
        if (!same->site) {                        /* a root */
            if (same->tail == HCCT_FRAME_BARRIER) /* or an overflow frame: the chain is not known */
                return false;
            frame->tail = hcct_frame_link(frame - 1);
            put(frame, hcct_context_push(word, site), site, sp);
            return true;
        }
        same = hcct_frame_linked(same->tail);
        if (!same || hcct_frame_is_tail(same))
            return false;
    } while (same->site != site);
    put_same(frame, same, sp);
    return true;
}

static __attribute__((preserve_most, noinline)) void push_chained(HCCT_FREE_4, const struct hcct_site *site,
                                                                  uint64_t word)
{
    if (!put_chained(place_above(__hcct_thread.top), word, site->id, HCCT_CALLER_SP))
        HCCT_GO_ON(push_slowly(HCCT_NOTHING_4, site, word));
}

/* The quickest case is the usual one: a function that calls itself by one site. */
static __attribute__((preserve_most, noinline)) void push_folding(HCCT_FREE_4, const struct hcct_site *site,
                                                                  uint64_t word)
{
    struct hcct_frame *frame = place_above(__hcct_thread.top);
    if (!may_fold(frame, word, HCCT_CALLER_SP))
        HCCT_GO_ON(push_slowly(HCCT_NOTHING_4, site, word));
    if (frame[-1].site != site->id)
        HCCT_GO_ON(push_chained(HCCT_NOTHING_4, site, word));
    __asm__("" : "+r"(frame) : : "memory"); /* loads again instead of keeping values in registers */
    put_same(frame, frame - 1, HCCT_CALLER_SP);
}

/* Never puts a frame above a dead one: __hcct_pop relies on that. */
static __attribute__((preserve_most, noinline)) void
push_above_dead(HCCT_FREE_4, const struct hcct_site *site, uint64_t word)
{
    struct hcct_frame *frame = place_above(hcct_frame_drop_dead(__hcct_thread.top, HCCT_CALLER_SP));
    if (!is_plain(frame))
        HCCT_GO_ON(push_slowly(HCCT_NOTHING_4, site, word));
    put_plain(frame, word, site->id, HCCT_CALLER_SP);
}

void __hcct_push_outline(HCCT_FREE_4, const struct hcct_site *site, uint64_t word)
{
    struct hcct_frame *frame = place_above(__hcct_thread.top);
    if (__builtin_expect(!is_plain(frame), 0))
        HCCT_GO_ON(push_folding(HCCT_NOTHING_4, site, word));
    if (__builtin_expect(!hcct_frame_is_live(frame - 1, HCCT_CALLER_SP), 0))
        HCCT_GO_ON(push_above_dead(HCCT_NOTHING_4, site, word));
    put_plain(frame, word, site->id, HCCT_CALLER_SP);
}

static inline __attribute__((always_inline)) const int64_t *delta_of(const struct hcct_site *site)
{
    return (const int64_t *)((const char *)&site->delta + site->delta);
}

static __attribute__((preserve_most, noinline)) void push_anyhow(uint64_t word, uint64_t site, uintptr_t sp)
{
    struct hcct_frame *frame = place_above(hcct_frame_drop_dead(__hcct_thread.top, sp));
    if (is_plain(frame))
        put_plain(frame, word, site, sp);
    else if (!may_fold(frame, word, sp))
        push_at(word, site, sp);
    else if (frame[-1].site == site)
        put_same(frame, frame - 1, sp);
    else if (!put_chained(frame, word, site, sp))
        push_at(word, site, sp);
}

/* Numbers the program first, if necessary. */
static __attribute__((preserve_most, noinline)) void push_settling(HCCT_FREE_4, const struct hcct_site *site,
                                                                   uint64_t word)
{
    int64_t value = final_delta(delta_of(site));
    push_anyhow(word, site->id, HCCT_CALLER_SP);
    __hcct_thread.ctx = given_word(value, __hcct_thread.top->prefix, site);
}

/* The code behind the call pops, so this pushes for any delta. */
void __hcct_push(HCCT_FREE_4, const struct hcct_site *site, uint64_t word)
{
    int64_t value = __atomic_load_n(delta_of(site), __ATOMIC_RELAXED);
    struct hcct_frame *frame = place_above(__hcct_thread.top);
    if (__builtin_expect(value >= 0 || !is_plain(frame) || !hcct_frame_is_live(frame - 1, HCCT_CALLER_SP), 0))
        HCCT_GO_ON(push_settling(HCCT_NOTHING_4, site, word));
    put_plain(frame, word, site->id, HCCT_CALLER_SP);
    __hcct_thread.ctx = value < HCCT_DELTA_NONE ? callee_word(value, frame->prefix) : HCCT_WORD_NONE;
}

static __attribute__((preserve_most, noinline)) void call_settling(HCCT_FREE_4, const struct hcct_site *site,
                                                                   uint64_t word)
{
    if (final_delta(delta_of(site)) != HCCT_DELTA_OPEN)
        HCCT_GO_ON(__hcct_call(HCCT_NOTHING_4, site, word));
    HCCT_GO_ON(push_settling(HCCT_NOTHING_4, site, word));
}

/* As code in line does. */
static inline __attribute__((always_inline)) void note(uint64_t word, const struct hcct_site *site)
{
    __hcct_thread.noted_word = word;
    atomic_signal_fence(memory_order_release); /* the word counts from when there is a site */
    __hcct_thread.noted_site = site;
}

/* Unlike __hcct_push it numbers the program, if necessary, before it decides what to do: the code behind the
 * call asks for the delta again, and pops, or ends the note, accordingly. */
void __hcct_call(HCCT_FREE_4, const struct hcct_site *site, uint64_t word)
{
    int64_t value = __atomic_load_n(delta_of(site), __ATOMIC_RELAXED);
    if (__builtin_expect(value == 0, 0))
        HCCT_GO_ON(call_settling(HCCT_NOTHING_4, site, word));
    if (value > 0)
        __hcct_thread.ctx = word + (uint64_t)value;
    else if (value == HCCT_DELTA_NOTED)
        note(word, site);
    else if (value != HCCT_DELTA_NONE)
        HCCT_GO_ON(__hcct_push(HCCT_NOTHING_4, site, word));
}

/* The frame of a tail push at `site`. Usually a new one. If this activation's run of tail frames has the site
 * already, that frame is used again (invariant 3 of frame.h). A run that does not explain `word` was left by
 * earlier calls, and is dropped. */
static inline __attribute__((always_inline)) struct hcct_frame *
tail_frame(uint64_t word, uint64_t site, uintptr_t sp, const struct hcct_state *state, uint64_t open)
{
    struct hcct_frame *top = hcct_frame_drop_dead(__hcct_thread.top, sp);
    bool chained =
        hcct_frame_is_tail(top) && hcct_frame_tail_is_intact(top) && hcct_frame_explains(top, word, state);
    for (struct hcct_frame *frame = top; hcct_frame_is_tail(frame) && HCCT_TAIL_SP(frame->tail) == sp;
         frame--) {
        if (chained && frame->site == site) {
            frame->tail = (frame->tail & ~HCCT_TAIL_OPEN) | open;
            return frame;
        }
        if (!chained)
            top = frame - 1;
    }
    const struct hcct_frame *parent = make_frame(top, word, site, sp);
    struct hcct_frame *frame = __hcct_thread.top + 1;
    frame->sp = parent ? (uintptr_t)(frame - parent) : 0;
    frame->tail = (uint64_t)sp | open | hcct_frame_return_hash(sp);
    return frame;
}

/* The place of a new tail frame in the usual cases: drops dead frames, and tail frames that earlier calls
 * from this activation left. NULL if the top is a live tail frame of this activation, or the place needs
 * special care (is_plain): then tail_frame decides. */
static inline __attribute__((always_inline)) struct hcct_frame *
tail_place(uint64_t word, const struct hcct_state *state, uintptr_t sp)
{
    struct hcct_frame *top = __hcct_thread.top;
    for (;; top--) {
        if (!hcct_frame_is_tail(top)) {
            if (top->sp > sp)
                break;
        } else if (HCCT_TAIL_SP(top->tail) > sp) {
            break;
        } else if (hcct_context_id(word, top->prefix) - state->base < state->contexts) {
            return NULL;
        }
    }
    struct hcct_frame *frame = place_above(top);
    return is_plain(frame) ? frame : NULL;
}

static inline __attribute__((always_inline)) void write_tail(struct hcct_frame *frame, uint64_t word,
                                                             uint64_t site, uintptr_t sp, uint64_t open)
{
    frame->tail = (uint64_t)sp | open | hcct_frame_return_hash(sp);
    frame->sp = 0;
    frame->site = site;
    frame->prefix = hcct_context_push(word, site);
    __asm__("" : "+r"(frame) : : "memory"); /* frees the registers of its content */
}

static __attribute__((preserve_most, noinline)) void
push_tail_frame(uint64_t word, uint64_t site, const struct hcct_state *state, uintptr_t sp, uint64_t open)
{
    __hcct_thread.top = tail_frame(word, site, sp, state, open);
}

static __attribute__((preserve_most, noinline)) void push_tail(uint64_t word, const struct hcct_site *site,
                                                               struct hcct_state *state, uintptr_t entry_sp)
{
    int64_t value = final_delta(delta_of(site));
    if (value > 0) {
        __hcct_thread.ctx = word + (uint64_t)value;
    } else if (value != HCCT_DELTA_NONE) {
        push_tail_frame(word, site->id, state, entry_sp, value == HCCT_DELTA_OPEN ? HCCT_TAIL_OPEN : 0);
        __hcct_thread.ctx = callee_word(value, __hcct_thread.top->prefix);
    }
}

void __hcct_push_tail(uint64_t word, const struct hcct_site *site, struct hcct_state *state,
                      uintptr_t entry_sp)
{
    int64_t value = __atomic_load_n(delta_of(site), __ATOMIC_RELAXED);
    struct hcct_frame *frame = value < HCCT_DELTA_NONE ? tail_place(word, state, entry_sp) : NULL;
    if (__builtin_expect(!frame, 0))
        HCCT_GO_ON(push_tail(word, site, state, entry_sp));
    write_tail(frame, word, site->id, entry_sp, value == HCCT_DELTA_OPEN ? HCCT_TAIL_OPEN : 0);
    set_top(frame);
    __hcct_thread.ctx = callee_word(value, frame->prefix);
}

/* The first id of the instrumented function at `callee`; 0: there is none, or nobody has looked for functions
 * yet. */
static inline __attribute__((always_inline)) uint64_t base_at(const void *callee)
{
    const struct hcct_state *state = hcct_bodies_find(callee);
    return state ? __atomic_load_n(&state->base, __ATOMIC_RELAXED) : 0;
}

static inline __attribute__((always_inline)) bool bodies_wait(void)
{
    return atomic_load_explicit(&hcct_bodies_wait, memory_order_acquire);
}

static __attribute__((preserve_most, noinline, cold)) void complete_bodies(void)
{
    hcct_busy_enter_to_write();
    hcct_registry_complete_bodies();
    hcct_busy_leave();
}

static __attribute__((preserve_most, noinline)) void push_tail_pointer(uint64_t word,
                                                                       const struct hcct_site *site,
                                                                       struct hcct_state *state,
                                                                       uintptr_t entry_sp, const void *callee)
{
    if (bodies_wait())
        complete_bodies();
    uint64_t base = base_at(callee);
    if (base) {
        push_tail_frame(word, site->id, state, entry_sp, 0);
        __hcct_thread.ctx = hcct_context_word(__hcct_thread.top->prefix, base);
    } else {
        push_anyhow(word, site->id, HCCT_CALLER_SP);
        __hcct_thread.ctx = HCCT_WORD_NONE;
    }
}

void __hcct_push_tail_pointer(uint64_t word, const struct hcct_site *site, struct hcct_state *state,
                              uintptr_t entry_sp, const void *callee)
{
    struct hcct_frame *frame = tail_place(word, state, entry_sp);
    if (__builtin_expect(!frame, 0))
        HCCT_GO_ON(push_tail_pointer(word, site, state, entry_sp, callee));
    write_tail(frame, word, site->id, entry_sp, 0);
    uint64_t base = base_at(callee);
    if (__builtin_expect(!base, 0)) /* drops the frame: `top` was not set */
        HCCT_GO_ON(push_tail_pointer(word, site, state, entry_sp, callee));
    set_top(frame);
    __hcct_thread.ctx = hcct_context_word(frame->prefix, base);
}

static __attribute__((preserve_most, noinline)) void push_tail_open(uint64_t word,
                                                                    const struct hcct_site *site,
                                                                    struct hcct_state *state,
                                                                    uintptr_t entry_sp, const void *callee)
{
    if (bodies_wait())
        complete_bodies();
    uint64_t base = base_at(callee);
    push_tail_frame(word, site->id, state, entry_sp, base ? 0 : HCCT_TAIL_OPEN);
    hcct_walk_tail_callee = callee;
    __hcct_thread.ctx = base     ? hcct_context_word(__hcct_thread.top->prefix, base)
                        : callee ? HCCT_WORD_TAIL
                                 : HCCT_WORD_NONE;
}

void __hcct_push_tail_open(uint64_t word, const struct hcct_site *site, struct hcct_state *state,
                           uintptr_t entry_sp, const void *callee)
{
    struct hcct_frame *frame = tail_place(word, state, entry_sp);
    if (__builtin_expect(!frame, 0))
        HCCT_GO_ON(push_tail_open(word, site, state, entry_sp, callee));
    uint64_t base = base_at(callee);
    if (__builtin_expect(!base && bodies_wait(), 0)) /* drops the frame: `top` was not set */
        HCCT_GO_ON(push_tail_open(word, site, state, entry_sp, callee));
    write_tail(frame, word, site->id, entry_sp, base ? 0 : HCCT_TAIL_OPEN);
    hcct_walk_tail_callee = callee;
    set_top(frame);
    __hcct_thread.ctx = base     ? hcct_context_word(frame->prefix, base)
                        : callee ? HCCT_WORD_TAIL
                                 : HCCT_WORD_NONE;
}

/* A pop when the newest frame is not that of the call that returned. Usually the newer frames are dead: they
 * are dropped, and then that frame. */
static void pop_from(uintptr_t sp)
{
    bool in_handler = hcct_in_handler;
    if (__builtin_expect(in_handler, 0))
        leave_dead_levels(sp);
    struct hcct_frame *before = __hcct_thread.top, *top = hcct_frame_drop_dead(before, sp);
    __hcct_thread.top = top;
    if (!in_handler && (top == before || !hcct_stack_is_near(top[1].sp, sp)))
        hcct_stack_resync(sp);
}

static __attribute__((preserve_most, noinline)) void pop(void)
{
    pop_from(HCCT_CALLER_SP);
}

/* Usually the frames above are those of tail calls, which have ended with the call. */
static __attribute__((preserve_most, noinline)) void pop_tails(void)
{
    struct hcct_frame *top = __hcct_thread.top;
    while (hcct_frame_is_tail(top))
        top--;
    if (__builtin_expect(top->sp != HCCT_CALLER_SP || hcct_in_handler, 0))
        HCCT_GO_ON(pop());
    __hcct_thread.top = top - 1;
}

/* Pops the newest frame. The one below is live, as no frame is put above a dead one. */
void __hcct_pop(void)
{
    struct hcct_frame *top = __hcct_thread.top;
    if (__builtin_expect(top->sp != HCCT_CALLER_SP || hcct_in_handler, 0))
        HCCT_GO_ON(pop_tails());
    __hcct_thread.top = top - 1;
}

/* Has the delta only because a call that goes on (HCCT_GO_ON) hands all parameters on. */
static __attribute__((preserve_most, noinline)) void pop_called(const int64_t *delta)
{
    (void)delta;
    pop_from(HCCT_CALLER_SP);
}

void __hcct_called(const int64_t *delta)
{
    int64_t value = __atomic_load_n(delta, __ATOMIC_RELAXED);
    if (value > 0 || value == HCCT_DELTA_NONE)
        return;
    struct hcct_frame *top = __hcct_thread.top;
    if (value == HCCT_DELTA_NOTED) {
        __hcct_thread.noted_site = NULL;
        return;
    }
    if (__builtin_expect(top->sp != HCCT_CALLER_SP || hcct_in_handler, 0))
        HCCT_GO_ON(pop_called(delta));
    __hcct_thread.top = top - 1;
}

static __attribute__((preserve_most, noinline)) void arrive(uintptr_t entry_sp)
{
    const struct hcct_fiber *fiber = hcct_fiber_self;
    if (fiber && (entry_sp < fiber->start || entry_sp >= fiber->end))
        leave_ended_fiber(entry_sp);
    if (hcct_in_handler)
        leave_dead_levels(entry_sp);
    __hcct_thread.top = hcct_frame_drop_dead(__hcct_thread.top, entry_sp);
}

void __hcct_arrive(uintptr_t entry_sp)
{
    if (__builtin_expect(hcct_fiber_self || hcct_in_handler, 0))
        HCCT_GO_ON(arrive(entry_sp));
    __hcct_thread.top = hcct_frame_drop_dead(__hcct_thread.top, entry_sp);
}
