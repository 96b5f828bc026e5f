/* What instrumented code calls to enter, push and pop (hcct/abi.h) beside its code in line. frame.h says what the frames are.
 *
 * By the preserve_most convention a function saves what it uses: usual cases come first, in few registers, and what is rare is in
 * functions of its own.
 * Async-signal-safe, but for what `discover` does; keeps errno. */
#include "hcct/abi.h"
#include "runtime/bodies.h"
#include "runtime/fiber.h"
#include "runtime/frame.h"
#include "runtime/process.h"
#include "runtime/registry.h"
#include "runtime/signals.h"
#include "runtime/thread.h"
#include "runtime/timer.h"
#include "runtime/writer.h"

/* Rare calls by the convention of the cold entry points: those save no register for them on their usual path. */
static __attribute__((preserve_most, noinline, cold)) void discover(void)
{
    hcct_busy_enter();   /* no handler jumps out of this */
    hcct_profile_hold(); /* what comes again takes the place of its copy, which is written from */
    hcct_registry_discover();
    hcct_profile_release();
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

static __attribute__((preserve_most, noinline)) void enter(uint64_t word, struct hcct_state *state,
                                                           uintptr_t sp)
{
    if (__builtin_expect(!__atomic_load_n(&state->base, __ATOMIC_RELAXED), 0))
        discover();
    if (hcct_timer_signal && !__hcct_thread.current && !hcct_busy)
        hcct_worker_self(); /* it may count nothing, and so have none yet */
    __hcct_thread.top = hcct_stack_live_top(__hcct_thread.top, word, state, sp);
    __hcct_thread.ctx = state->base ? __hcct_thread.top->prefix + state->base : HCCT_WORD_TAIL;
}

/* Mostly the callee of an indirect tail call, whose frame is on top; the rest is in a function of its own, so that this
 * path saves few registers. */
void __hcct_enter(uint64_t word, struct hcct_state *state, uintptr_t sp)
{
    struct hcct_frame *top = __hcct_thread.top;
    if (word == HCCT_WORD_TAIL && hcct_frame_is_tail(top) && (top->tail << 16 >> 16) == ((uint64_t)sp | HCCT_TAIL_OPEN) &&
        state->base && hcct_tail_callee == (const char *)&state->record->body + state->record->body) {
        top->tail &= ~HCCT_TAIL_OPEN;
        __hcct_thread.ctx = top->prefix + state->base;
        return;
    }
    enter(word, state, sp);
}

/* --- pushes ------------------------------------------------------------------------------------ */

/* Above `top`, the frame of a push of `site` with a prefix that is folded. Returns its parent, or NULL. */
static const struct hcct_frame *fold(struct hcct_frame *top, uint64_t word, uint64_t site, uintptr_t sp)
{
    const struct hcct_frame *parent = hcct_stack_find(top, word, NULL, sp), *same = hcct_frame_same_site(parent, site);
    uint64_t prefix = same ? same->prefix : hcct_mix(word, site);
    parent = same ? hcct_frame_folded_parent(same) : parent;
    struct hcct_frame *frame = hcct_stack_next_frame(top);
    if (parent >= frame) /* the stack is full: another one with its prefix, if there is any */
        parent = hcct_stack_find(frame - 1, word, NULL, sp);
    *frame = (struct hcct_frame){ prefix, site, 0, 0 };
    return parent;
}

/* A plain push where the frame on top is live and the pusher's, there is room for one more, and no tail push is in the way.
 * False if that is not so: nothing was done. */
static inline __attribute__((always_inline)) bool fold_quickly(uint64_t word, uint64_t site, uintptr_t sp)
{
    struct hcct_frame *top = __hcct_thread.top;
    if (top->sp <= sp || !hcct_registry_is_id(word - top->prefix) ||
        ((uintptr_t)(top + 1) & HCCT_PUSH_MASK_INLINE) == 0)
        return false;
    const struct hcct_frame *same = top;
    while (same->site && same->site != site) {
        same = hcct_frame_is_tail(same) ? NULL : hcct_frame_linked(same->tail);
        if (!same)
            return false;
    }
    if (hcct_stack_is_cover(same)) /* which explains nothing */
        return false;
    if (!same->site) /* a root */
        top[1] = (struct hcct_frame){ hcct_mix(word, site), site, sp, hcct_frame_link(top) };
    else if (!hcct_frame_is_tail(same))
        top[1] = (struct hcct_frame){ same->prefix, site, sp, same->tail };
    else
        return false;
    __hcct_thread.top = top + 1;
    return true;
}

/* Above `top`, prefix and site of a frame. Returns its parent where recursion folds. */
static const struct hcct_frame *make_frame(struct hcct_frame *top, uint64_t word, uint64_t site, uintptr_t sp)
{
    if (top == HCCT_ROOT_FRAME) /* of a thread, or of a process that has yet to read its options */
        top = hcct_stack_next_frame(top) - 1;
    if (hcct_recursion_folds())
        return fold(top, word, site, sp);
    __hcct_thread.push_mask = HCCT_PUSH_MASK_INLINE;
    *hcct_stack_next_frame(top) = (struct hcct_frame){ hcct_mix(word, site), site, 0, 0 };
    return NULL;
}

/* The final delta, for which the program is numbered if it has to be. */
static inline int64_t settled(const int64_t *delta)
{
    int64_t value = __atomic_load_n(delta, __ATOMIC_RELAXED);
    if (__builtin_expect(value == 0, 0)) {
        discover();
        value = __atomic_load_n(delta, __ATOMIC_RELAXED);
    }
    return value == 0 ? HCCT_DELTA_OPEN : value;
}

static uint64_t callee_word(int64_t delta, uint64_t prefix)
{
    return delta == HCCT_DELTA_OPEN ? HCCT_WORD_NONE
                                    : prefix + ((uint64_t)delta & ~(uint64_t)HCCT_DELTA_SIGN);
}

/* Settles without a push what needs none. What else there is to do is in a function of its own, so that this path saves
 * no registers. */
static inline __attribute__((always_inline)) bool needs_push(uint64_t word, int64_t value)
{
    if (value > 0)
        __hcct_thread.ctx = word + (uint64_t)value;
    return value < 0 && value != HCCT_DELTA_NONE;
}

static __attribute__((preserve_most, noinline)) void push_slowly(uint64_t word, uint64_t site, uintptr_t sp)
{
    const struct hcct_frame *parent = make_frame(hcct_frame_drop_dead(__hcct_thread.top, sp), word, site, sp);
    struct hcct_frame *frame = __hcct_thread.top + 1;
    frame->sp = sp;
    frame->tail = hcct_frame_link(parent);
    __hcct_thread.top = frame;
}

static __attribute__((preserve_most, noinline)) void push(uint64_t word, uint64_t site, int64_t value,
                                                          uintptr_t sp)
{
    struct hcct_frame *top = hcct_frame_drop_dead(__hcct_thread.top, sp);
    if ((uintptr_t)(top + 1) & __hcct_thread.push_mask) {
        top[1] = (struct hcct_frame){ hcct_mix(word, site), site, sp, 0 };
        __hcct_thread.top = top + 1;
    } else if (!hcct_recursion_folds() || !fold_quickly(word, site, sp)) {
        push_slowly(word, site, sp);
    }
    __hcct_thread.ctx = callee_word(value, __hcct_thread.top->prefix);
}

static inline __attribute__((always_inline)) const int64_t *delta_of(const struct hcct_site *site)
{
    return (const int64_t *)((const char *)&site->delta + site->delta);
}

/* For a call that has turned out to need none: what is about to call pops one all the same. */
static __attribute__((preserve_most, noinline, cold)) void push_needless(uint64_t word, uint64_t site,
                                                                         int64_t value, uintptr_t sp)
{
    push(word, site, HCCT_DELTA_OPEN, sp);
    if (value > 0)
        __hcct_thread.ctx = word + (uint64_t)value;
}

void __hcct_push(uint64_t word, const struct hcct_site *site)
{
    int64_t value = settled(delta_of(site));
    if (__builtin_expect(value > 0 || value == HCCT_DELTA_NONE, 0))
        push_needless(word, site->id, value, HCCT_CALLER_SP);
    else
        push(word, site->id, value, HCCT_CALLER_SP);
}

/* Whether the frame can be one of a call that a function with this stack pointer runs in. */
static inline __attribute__((always_inline)) bool lives(const struct hcct_frame *frame, uintptr_t sp)
{
    return frame->sp > sp || (hcct_frame_is_tail(frame) && HCCT_TAIL_SP(frame->tail) >= sp);
}

/* The place of a frame that a page's end or the thread's mask keeps from code in line, or that lies on a dead one, on which no other
 * goes (what pops it could not tell it from that), is found slowly. Few values live at once: each takes a register that is saved. */
void __hcct_push_outline(uint64_t word, const struct hcct_site *site)
{
    struct hcct_frame *frame = __hcct_thread.top + 1;
    uintptr_t sp = HCCT_CALLER_SP;
    if (__builtin_expect(!lives(frame - 1, sp) || ((uintptr_t)frame & __hcct_thread.push_mask) == 0, 0)) {
        push(word, site->id, HCCT_DELTA_OPEN, sp);
        return;
    }
    frame->sp = sp;
    frame->tail = 0;
    frame->site = site->id;
    frame->prefix = hcct_mix(word, site->id);
    __hcct_thread.top = frame;
}

/* The frame for a tail push of `site`: an old one if the site stands in the chain already. */
static inline __attribute__((always_inline)) struct hcct_frame *
tail_frame(uint64_t word, uint64_t site, uintptr_t sp, const struct hcct_state *state, uint64_t open)
{
    struct hcct_frame *top = hcct_frame_drop_dead(__hcct_thread.top, sp);
    bool chained = hcct_frame_is_tail(top) && hcct_frame_tail_is_intact(top) && hcct_frame_explains(top, word, state);
    for (struct hcct_frame *frame = top; hcct_frame_is_tail(frame) && HCCT_TAIL_SP(frame->tail) == sp; frame--) {
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

static __attribute__((preserve_most, noinline)) void push_tail(uint64_t word, uint64_t site, int64_t value,
                                                               uintptr_t sp, const struct hcct_state *state)
{
    struct hcct_frame *frame = tail_frame(word, site, sp, state, value == HCCT_DELTA_OPEN ? HCCT_TAIL_OPEN : 0);
    __hcct_thread.top = frame;
    __hcct_thread.ctx = callee_word(value, frame->prefix);
}

void __hcct_push_tail(uint64_t word, const struct hcct_site *site, struct hcct_state *state,
                      uintptr_t entry_sp)
{
    int64_t value = settled(delta_of(site));
    if (needs_push(word, value))
        push_tail(word, site->id, value, entry_sp, state);
}

static __attribute__((preserve_most, noinline)) void
push_tail_frame_slow(uint64_t word, uint64_t site, const struct hcct_state *state, uintptr_t sp, uint64_t open)
{
    __hcct_thread.top = tail_frame(word, site, sp, state, open);
}

/* The same as tail_frame in the usual cases: what is on top lives and is no tail frame of this activation, or tail frames
 * that earlier calls from here or from deeper left. */
static inline __attribute__((always_inline)) uint64_t push_tail_frame(uint64_t word, uint64_t site,
                                                                      const struct hcct_state *state,
                                                                      uintptr_t sp, uint64_t open)
{
    struct hcct_frame *top = __hcct_thread.top;
    while (hcct_frame_is_tail(top) && HCCT_TAIL_SP(top->tail) <= sp && word - top->prefix - state->base >= state->contexts)
        top--;
    if ((hcct_frame_is_tail(top) ? HCCT_TAIL_SP(top->tail) : top->sp) <= sp ||
        ((uintptr_t)(top + 1) & __hcct_thread.push_mask) == 0) {
        push_tail_frame_slow(word, site, state, sp, open);
        return __hcct_thread.top->prefix;
    }
    uint64_t prefix = hcct_mix(word, site);
    top[1] = (struct hcct_frame){ prefix, site, 0, (uint64_t)sp | open | hcct_frame_return_hash(sp) };
    __hcct_thread.top = top + 1;
    return prefix;
}

/* The first id of the instrumented function at `callee`; 0: there is none. */
static inline __attribute__((always_inline)) uint64_t base_at(const void *callee)
{
    const struct hcct_state *state = hcct_bodies_find(callee);
    return state ? __atomic_load_n(&state->base, __ATOMIC_RELAXED) : 0;
}

void __hcct_push_tail_pointer(uint64_t word, const struct hcct_site *site, struct hcct_state *state,
                              uintptr_t entry_sp, const void *callee)
{
    uint64_t base = base_at(callee);
    if (!base)
        push(word, site->id, HCCT_DELTA_OPEN, HCCT_CALLER_SP);
    else
        __hcct_thread.ctx = push_tail_frame(word, site->id, state, entry_sp, 0) + base;
}

void __hcct_push_tail_open(uint64_t word, const struct hcct_site *site, struct hcct_state *state,
                           uintptr_t entry_sp, const void *callee)
{
    uint64_t base = base_at(callee);
    uint64_t prefix = push_tail_frame(word, site->id, state, entry_sp, base ? 0 : HCCT_TAIL_OPEN);
    hcct_tail_callee = callee;
    __hcct_thread.ctx = base ? prefix + base : callee ? HCCT_WORD_TAIL : HCCT_WORD_NONE;
}

/* Where the frame of the call that returned may not be the newest one, above a live one. It is the last that is dropped. */
static __attribute__((preserve_most, noinline)) void pop(uintptr_t sp)
{
    bool in_handler = hcct_in_handler;
    if (__builtin_expect(in_handler, 0))
        leave_dead_levels(sp);
    struct hcct_frame *before = __hcct_thread.top, *top = hcct_frame_drop_dead(before, sp);
    __hcct_thread.top = top;
    if (!in_handler && (top == before || !hcct_stack_is_near(top[1].sp, sp)))
        hcct_stack_lose(sp);
}

void __hcct_pop(void)
{
    uintptr_t sp = HCCT_CALLER_SP;
    struct hcct_frame *top = __hcct_thread.top;
    if (__builtin_expect(top->sp == sp && lives(top - 1, sp) && !hcct_in_handler, 1))
        __hcct_thread.top = top - 1;
    else
        pop(sp);
}

void __hcct_arrive(uintptr_t entry_sp)
{
    const struct hcct_fiber *fiber = hcct_fiber_self;
    if (__builtin_expect(fiber && (entry_sp < fiber->start || entry_sp >= fiber->end), 0))
        leave_ended_fiber(entry_sp);
    if (__builtin_expect(hcct_in_handler, 0))
        leave_dead_levels(entry_sp);
    __hcct_thread.top = hcct_frame_drop_dead(__hcct_thread.top, entry_sp);
}
