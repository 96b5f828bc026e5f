/* Pushes in front of tail calls (__hcct_push_tail and its kin, hcct/abi.h). Nothing pops their frames:
 * frame.h says how long they are live.
 *
 * Usual cases come first and use few registers, as in enter.c.
 * Signals: async-signal-safe, once the program is numbered; keeps errno.
 * Atomics: bases and deltas are plain words of the ABI, so builtins. They pair with the stores of
 * objects/numbering.c. */
#include "runtime/base/go_on.h"
#include "runtime/core/block.h"
#include "runtime/core/busy.h"
#include "runtime/objects/bodies.h"
#include "runtime/objects/discover.h"
#include "runtime/stack/place.h"
#include "runtime/stack/push.h"
#include "runtime/stack/walk.h"

const char hcct_push_tail_present = 1;

/* What a tail push tells of its call, in its frame. */
struct tail_call {
    uint64_t site;
    uint64_t base; /* the callee's; 0: not known */
    uint64_t open; /* HCCT_TAIL_OPEN or 0 */
};

/* The frame of a tail push. Usually a new one. If this activation's run of tail frames has the site
 * already, that frame is used again (invariant 3 of frame.h). A run that `word` was not made from was left by
 * earlier calls, and is dropped. */
static inline __attribute__((always_inline)) struct hcct_frame *
tail_frame(uint64_t word, const struct hcct_state *state, uintptr_t sp, struct tail_call call)
{
    struct hcct_frame *top = hcct_frame_drop_dead(__hcct_thread.top, sp);
    bool chained = hcct_frame_is_tail(top) && hcct_walk_find(top, word, state, sp) == top;
    for (struct hcct_frame *frame = top; hcct_frame_is_tail(frame) && HCCT_TAIL_SP(frame->tail) == sp;
         frame--) {
        if (chained && frame->site == call.site) {
            frame->tail = (frame->tail & ~HCCT_TAIL_OPEN) | call.open;
            frame->sp = hcct_frame_folds() ? frame->sp : hcct_frame_callee_hash(call.base);
            return frame;
        }
        if (!chained)
            top = frame - 1;
    }
    const struct hcct_frame *parent = hcct_place_make(top, word, call.site, sp);
    struct hcct_frame *frame = __hcct_thread.top + 1;
    frame->sp =
        hcct_frame_folds() ? (parent ? (uintptr_t)(frame - parent) : 0) : hcct_frame_callee_hash(call.base);
    frame->tail = (uint64_t)sp | call.open | hcct_frame_return_hash(sp);
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
        } else if (hcct_context_is_id(hcct_context_id(word, top->prefix), state->base, state->contexts)) {
            return NULL;
        }
    }
    struct hcct_frame *frame = hcct_place_above(top);
    return hcct_place_is_plain(frame) ? frame : NULL;
}

/* The callee's hash is left out. */
static inline __attribute__((always_inline)) void write_tail(struct hcct_frame *frame, uint64_t word,
                                                             uint64_t site, uintptr_t sp, uint64_t open)
{
    frame->tail = (uint64_t)sp | open | hcct_frame_return_hash(sp);
    frame->site = site;
    frame->prefix = hcct_context_push(word, site);
    __asm__("" : "+r"(frame) : : "memory"); /* frees the registers of its content */
}

static __attribute__((preserve_most, noinline)) void
push_tail_frame(uint64_t word, const struct hcct_state *state, uintptr_t sp, struct tail_call call)
{
    __hcct_thread.top = tail_frame(word, state, sp, call);
}

static __attribute__((preserve_most, noinline)) void push_tail(uint64_t word, const struct hcct_site *site,
                                                               struct hcct_state *state, uintptr_t entry_sp)
{
    int64_t value = hcct_place_delta(hcct_place_delta_of(site));
    if (value > 0) {
        __hcct_thread.ctx = word + (uint64_t)value;
    } else if (value != HCCT_DELTA_NONE) {
        push_tail_frame(word, state, entry_sp,
                        (struct tail_call){ site->id, hcct_place_callee_base(value),
                                            value == HCCT_DELTA_OPEN ? HCCT_TAIL_OPEN : 0 });
        __hcct_thread.ctx = hcct_place_callee_word(value, __hcct_thread.top->prefix);
    }
}

void __hcct_push_tail(uint64_t word, const struct hcct_site *site, struct hcct_state *state,
                      uintptr_t entry_sp)
{
    int64_t value = __atomic_load_n(hcct_place_delta_of(site), __ATOMIC_RELAXED);
    struct hcct_frame *frame = value < HCCT_DELTA_NONE ? tail_place(word, state, entry_sp) : NULL;
    if (__builtin_expect(!frame, 0))
        HCCT_GO_ON(push_tail(word, site, state, entry_sp));
    write_tail(frame, word, site->id, entry_sp, value == HCCT_DELTA_OPEN ? HCCT_TAIL_OPEN : 0);
    frame->sp = hcct_frame_callee_hash(hcct_place_callee_base(value));
    hcct_place_set_top(frame);
    __hcct_thread.ctx = hcct_place_callee_word(value, frame->prefix);
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

static __attribute__((preserve_most, noinline, cold)) void find_body(const void *callee)
{
    hcct_busy_enter_to_write();
    hcct_discover_body(callee);
    hcct_busy_leave();
}

/* As base_at, also of a function that is not in the table yet. */
static inline __attribute__((always_inline)) uint64_t search_base(const void *callee)
{
    if (!base_at(callee) && bodies_wait())
        find_body(callee);
    return base_at(callee);
}

/* Makes it a plain call, in place of a sibling call: it turned out that none had entered this activation. The
 * code in line asks the newest frame only, which may be one that an earlier call left. */
static __attribute__((preserve_most, noinline)) void push_in_place(uint64_t word,
                                                                   const struct hcct_site *site,
                                                                   struct hcct_state *state,
                                                                   uintptr_t entry_sp, const void *callee)
{
    (void)state, (void)entry_sp, (void)callee;
    hcct_push_anyhow(word, site->id, HCCT_CALLER_SP - 1);
    __hcct_thread.ctx = HCCT_WORD_NONE;
}

static __attribute__((preserve_most, noinline)) void push_tail_pointer(uint64_t word,
                                                                       const struct hcct_site *site,
                                                                       struct hcct_state *state,
                                                                       uintptr_t entry_sp, const void *callee)
{
    uint64_t base = search_base(callee);
    entry_sp &= ~HCCT_ENTRY_UNKNOWN;
    if (base) {
        push_tail_frame(word, state, entry_sp, (struct tail_call){ site->id, base, 0 });
        __hcct_thread.ctx = hcct_context_word(__hcct_thread.top->prefix, base);
    } else {
        hcct_push_anyhow(word, site->id, HCCT_CALLER_SP);
        __hcct_thread.ctx = HCCT_WORD_NONE;
    }
}

/* Whether the call that entered the activation was a sibling call, or one in its place, and pushed `frame`,
 * the newest live one. A tail frame that is found here is of another activation. */
static inline __attribute__((always_inline)) bool entered_by_sibling(const struct hcct_frame *frame,
                                                                     uintptr_t entry_sp)
{
    return frame->sp - entry_sp < sizeof(void *);
}

void __hcct_push_tail_pointer(uint64_t word, const struct hcct_site *site, struct hcct_state *state,
                              uintptr_t entry_sp, const void *callee)
{
    struct hcct_frame *frame = entry_sp & HCCT_ENTRY_UNKNOWN ? NULL : tail_place(word, state, entry_sp);
    if (__builtin_expect(!frame, 0))
        HCCT_GO_ON(push_tail_pointer(word, site, state, entry_sp, callee));
    if (__builtin_expect(!entered_by_sibling(frame - 1, entry_sp), 0))
        HCCT_GO_ON(push_in_place(word, site, state, entry_sp, callee));
    write_tail(frame, word, site->id, entry_sp, 0);
    uint64_t base = base_at(callee);
    if (__builtin_expect(!base, 0)) /* drops the frame: `top` was not set */
        HCCT_GO_ON(push_tail_pointer(word, site, state, entry_sp, callee));
    frame->sp = hcct_frame_callee_hash(base);
    hcct_place_set_top(frame);
    __hcct_thread.ctx = hcct_context_word(frame->prefix, base);
}

static __attribute__((preserve_most, noinline)) void push_tail_open(uint64_t word,
                                                                    const struct hcct_site *site,
                                                                    struct hcct_state *state,
                                                                    uintptr_t entry_sp, const void *callee)
{
    uint64_t base = search_base(callee);
    push_tail_frame(word, state, entry_sp, (struct tail_call){ site->id, base, base ? 0 : HCCT_TAIL_OPEN });
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
    frame->sp = hcct_frame_callee_hash(base);
    hcct_walk_tail_callee = callee;
    hcct_place_set_top(frame);
    __hcct_thread.ctx = base     ? hcct_context_word(frame->prefix, base)
                        : callee ? HCCT_WORD_TAIL
                                 : HCCT_WORD_NONE;
}
