/* Pushes, where code in line does not suffice (__hcct_push and its kin, hcct/abi.h). frame.h says what frames
 * are; push_tail.c has those of tail calls.
 *
 * Usual cases come first and use few registers, as in enter.c.
 * Signals: async-signal-safe, once the program is numbered; keeps errno.
 * Atomics: bases and deltas are plain words of the ABI, so builtins. They pair with the stores of
 * objects/numbering.c. */
#include "runtime/stack/push.h"

#include "runtime/base/go_on.h"
#include "runtime/core/block.h"
#include "runtime/objects/record.h"
#include "runtime/stack/place.h"
#include "runtime/stack/stack.h"
#include "runtime/stack/walk.h"

/* The word of the callee of a push. Usually the delta is negative. A numbered call (delta > 0) comes here
 * only if it was the one that made the runtime number the program. Its callee's word is then made from the
 * new frame too, not from the frame below. Otherwise a walk would try the new frame first, and take it for
 * the right one with a probability of up to 1/16 (walk.h). */
static inline uint64_t given_word(int64_t delta, uint64_t prefix, const struct hcct_site *site)
{
    if (delta <= 0)
        return hcct_delta_is_outside(delta) ? HCCT_WORD_NONE : hcct_place_callee_word(delta, prefix);
    if ((site->flags & HCCT_SITE_KIND_MASK) != HCCT_SITE_LOCAL)
        return HCCT_WORD_NONE; /* the callee is enterable, and takes the newest frame's prefix */
    const struct hcct_function *callee = hcct_rel_get(&site->callee);
    return hcct_context_word(prefix, hcct_record_state(callee)->base);
}

/* Like code in line, leaves `tail` as it is. */
static inline __attribute__((always_inline)) void put(struct hcct_frame *frame, uint64_t prefix,
                                                      uint64_t site, uintptr_t sp)
{
    frame->sp = sp;
    frame->site = site;
    frame->prefix = prefix;
    hcct_place_set_top(frame);
}

static inline __attribute__((always_inline)) void put_plain(struct hcct_frame *frame, uint64_t word,
                                                            uint64_t site, uintptr_t sp)
{
    put(frame, hcct_context_push(word, site), site, sp);
}

static __attribute__((preserve_most, noinline)) void push_at(uint64_t word, uint64_t site, uintptr_t sp)
{
    const struct hcct_frame *parent =
        hcct_place_make(hcct_frame_drop_dead(__hcct_thread.top, sp), word, site, sp);
    struct hcct_frame *frame = __hcct_thread.top + 1;
    frame->sp = sp;
    frame->tail = hcct_frame_link(parent);
    hcct_place_set_top(frame);
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
    hcct_place_set_top(frame);
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
    if (!put_chained(hcct_place_above(__hcct_thread.top), word, site->id, HCCT_CALLER_SP))
        HCCT_GO_ON(push_slowly(HCCT_NOTHING_4, site, word));
}

/* The quickest case is the usual one: a function that calls itself by one site. */
static __attribute__((preserve_most, noinline)) void push_folding(HCCT_FREE_4, const struct hcct_site *site,
                                                                  uint64_t word)
{
    struct hcct_frame *frame = hcct_place_above(__hcct_thread.top);
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
    struct hcct_frame *frame = hcct_place_above(hcct_frame_drop_dead(__hcct_thread.top, HCCT_CALLER_SP));
    if (!hcct_place_is_plain(frame))
        HCCT_GO_ON(push_slowly(HCCT_NOTHING_4, site, word));
    put_plain(frame, word, site->id, HCCT_CALLER_SP);
}

void __hcct_push_outline(HCCT_FREE_4, const struct hcct_site *site, uint64_t word)
{
    struct hcct_frame *frame = hcct_place_above(__hcct_thread.top);
    if (__builtin_expect(!hcct_place_is_plain(frame), 0))
        HCCT_GO_ON(push_folding(HCCT_NOTHING_4, site, word));
    if (__builtin_expect(!hcct_frame_is_live(frame - 1, HCCT_CALLER_SP), 0))
        HCCT_GO_ON(push_above_dead(HCCT_NOTHING_4, site, word));
    put_plain(frame, word, site->id, HCCT_CALLER_SP);
}

void hcct_push_anyhow(uint64_t word, uint64_t site, uintptr_t sp)
{
    struct hcct_frame *frame = hcct_place_above(hcct_frame_drop_dead(__hcct_thread.top, sp));
    if (hcct_place_is_plain(frame))
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
    int64_t value = hcct_place_delta(hcct_place_delta_of(site));
    hcct_push_anyhow(word, site->id, HCCT_CALLER_SP);
    __hcct_thread.ctx = given_word(value, __hcct_thread.top->prefix, site);
}

/* The code behind the call pops, so this pushes for any delta. */
void __hcct_push(HCCT_FREE_4, const struct hcct_site *site, uint64_t word)
{
    int64_t value = __atomic_load_n(hcct_place_delta_of(site), __ATOMIC_RELAXED);
    struct hcct_frame *frame = hcct_place_above(__hcct_thread.top);
    if (__builtin_expect(
            value >= 0 || !hcct_place_is_plain(frame) || !hcct_frame_is_live(frame - 1, HCCT_CALLER_SP), 0))
        HCCT_GO_ON(push_settling(HCCT_NOTHING_4, site, word));
    put_plain(frame, word, site->id, HCCT_CALLER_SP);
    __hcct_thread.ctx =
        value < HCCT_DELTA_NONE ? hcct_place_callee_word(value, frame->prefix) : HCCT_WORD_NONE;
}

static __attribute__((preserve_most, noinline)) void call_settling(HCCT_FREE_4, const struct hcct_site *site,
                                                                   uint64_t word)
{
    if (hcct_place_delta(hcct_place_delta_of(site)) != HCCT_DELTA_OPEN)
        HCCT_GO_ON(__hcct_call(HCCT_NOTHING_4, site, word));
    HCCT_GO_ON(push_settling(HCCT_NOTHING_4, site, word));
}

/* Unlike __hcct_push it numbers the program, if necessary, before it decides what to do: the code behind the
 * call asks for the delta again, and pops, or ends the note, accordingly. */
void __hcct_call(HCCT_FREE_4, const struct hcct_site *site, uint64_t word)
{
    int64_t value = __atomic_load_n(hcct_place_delta_of(site), __ATOMIC_RELAXED);
    if (__builtin_expect(value > 0, 1))
        __hcct_thread.ctx = word + (uint64_t)value;
    else if (__builtin_expect(value == 0, 0))
        HCCT_GO_ON(call_settling(HCCT_NOTHING_4, site, word));
    else if (value == HCCT_DELTA_NOTED)
        HCCT_GO_ON(__hcct_call_noted(HCCT_NOTHING_4, site, word));
    else if (value != HCCT_DELTA_NONE)
        HCCT_GO_ON(__hcct_push(HCCT_NOTHING_4, site, word));
}

void __hcct_call_noted(HCCT_FREE_4, const struct hcct_site *site, uint64_t word)
{
    if (__builtin_expect(__atomic_load_n(hcct_place_delta_of(site), __ATOMIC_RELAXED) != HCCT_DELTA_NOTED, 0))
        HCCT_GO_ON(__hcct_call(HCCT_NOTHING_4, site, word));
    __hcct_thread.noted_word = word;
    atomic_signal_fence(memory_order_release); /* the word counts from when there is a site */
    __hcct_thread.noted_site = site;
}
