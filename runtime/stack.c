/* The context stack: the pushes that are live in a thread (Sumner et al., ICSE 2010, section 3.3).
 *
 * A frame of a plain push is live while its stack pointer lies above the one that is asked for. A tail
 * push's frame has sp = 0 and in `tail`:
 *
 *     bits 0..47   the pusher's entry stack pointer, which is its tail callee's too
 *     bit 0        TAIL_OPEN: its callee may not be instrumented, so it can be what a fresh entry lies under
 *     bits 48..63  a hash of the return address that stood there: what a later call overwrites
 *
 * recursion=fold (Ammons, Ball and Larus, PLDI 1997, on call sites): the chain of a context is the frame that its word was
 * made from, its parent, and so on to a root. A push at a site that stands in the chain of its pusher already, in a frame F,
 * has F's prefix and F's parent: what was pushed since is cut off. No push is in line then (hcct_thread.push_mask), and a
 * frame tells its parent, 0: not known. A tail push has in `sp` how many frames below it is, the others have in `tail`
 *
 *     bits 0..47   its address
 *     bits 48..63  those of its prefix, by which a frame that has taken its place is known (lose_stack)
 *
 * Invariants
 *   1. frames[0] of a stack is the root, h = 0, always live; so is the root that a signal handler starts at, in the
 *      middle of the stack that it interrupted, `tail` its signal, and a cover, whose `tail` is COVER. Under a handler's stands
 *      what it interrupted (struct hcct_interrupted: `current`, 0, `sp`, `top`), which no walk comes to;
 *   2. dead frames are dropped by whoever finds them on top; a walk passes over those in between, which it knows by
 *      their word: word - prefix is not an id of the function that the word is of;
 *   3. a run of tail frames with the same stack pointer holds each site once (a loop of tail calls is folded);
 *   4. with recursion=fold a chain holds each site once, so that it has no more frames than the program has sites.
 * Async-signal-safe; keeps errno. */
#include <limits.h> /* __GLIBC__ */
#include <setjmp.h>

#include "hcct/abi.h"
#include "hcct/format.h"
#include "runtime/bodies.h"
#include "runtime/clock.h"
#include "runtime/count.h"
#include "runtime/fiber.h"
#include "runtime/memory.h"
#include "runtime/options.h"
#include "runtime/process.h"
#include "runtime/registry.h"
#include "runtime/sample.h"
#include "runtime/signals.h"
#include "runtime/thread.h"
#include "runtime/timer.h"
#include "runtime/writer.h"

#define SIGNAL_SEED                                                                                          \
    UINT64_C(0x7369676e616c2121) /* any word: h of a handler's root is a mix of it and the signal */
#define COVER UINT64_MAX         /* `tail` of a root [unknown] */
#define COVER_PREFIX UINT64_C(0x6c6f737420737463) /* any word */
#define TAIL_OPEN UINT64_C(1)
#define TAIL_SP(tail) ((uintptr_t)((tail) & UINT64_C(0xfffffffffff8)))

/* The caller's stack pointer at its call of this very function: what an inline push stores. */
#if defined(__x86_64__)
#define CALLER_SP ((uintptr_t)__builtin_frame_address(0) + 2 * sizeof(void *))
#elif defined(__aarch64__)
#define CALLER_SP ((uintptr_t)__builtin_sponentry())
#else
#error "hcct's runtime is for x86-64 and AArch64"
#endif

_Alignas(HCCT_STACK_PAGE_BYTES) struct hcct_frame
    hcct_root_page[HCCT_STACK_PAGE_BYTES / sizeof(struct hcct_frame)] = {
        [HCCT_STACK_PAGE_BYTES / sizeof(struct hcct_frame) - 1] = { .sp = UINTPTR_MAX },
    };

/* Where threads push for which there is no memory: their paths are lost, nothing else. frames[0] is a root. */
static _Alignas(HCCT_STACK_PAGE_BYTES) struct hcct_frame
    last_resort[HCCT_STACK_PAGE_BYTES / sizeof(struct hcct_frame)] = { { .sp = UINTPTR_MAX } };

/* Of the thread's newest indirect tail push. */
static _Thread_local const void *tail_callee;

uint64_t hcct_stack_overflow_count(void)
{
    return __atomic_load_n(&hcct_tables.overflowed, __ATOMIC_RELAXED);
}

static inline bool is_root(const struct hcct_frame *frame)
{
    return frame->sp == UINTPTR_MAX;
}

bool hcct_stack_is_root(const struct hcct_frame *frame)
{
    return is_root(frame);
}

int hcct_stack_signal(const struct hcct_frame *frame)
{
    return hcct_stack_is_root(frame) ? (int)frame->tail : 0;
}

/* The low 16 bits of a product of what `sp` points to: on x86-64 the return address. */
static uint64_t return_hash(uintptr_t sp)
{
#if defined(__x86_64__)
    return (*(const uint64_t *)sp * UINT64_C(0x9e3779b97f4a7c15)) >> 48 << 48;
#else
    (void)sp;
    return 0; /* the return address is in a register */
#endif
}

/* No stack pointer is so low. */
static bool is_tail(const struct hcct_frame *frame)
{
    return frame->sp < HCCT_STACK_FRAMES;
}

/* Of a root that is put over frames of another stack: see lose_stack. */
static bool is_cover(const struct hcct_frame *frame)
{
    return hcct_stack_is_root(frame) && frame->tail == COVER;
}

bool hcct_stack_is_cover(const struct hcct_frame *frame)
{
    return is_cover(frame);
}

static bool tail_is_intact(const struct hcct_frame *frame)
{
    return return_hash(TAIL_SP(frame->tail)) == frame->tail >> 48 << 48;
}

/* Frames that are dead for a function entered at `sp`, whatever it was called by. */
static inline __attribute__((always_inline)) struct hcct_frame *drop_dead(struct hcct_frame *top,
                                                                          uintptr_t sp)
{
    while (is_tail(top) ? TAIL_SP(top->tail) < sp : top->sp <= sp)
        top--;
    return top;
}

/* --- walking ----------------------------------------------------------------------------------- */

static bool is_context_of(const struct hcct_frame *frame, uint64_t word, const struct hcct_state *state)
{
    uint64_t id = word - frame->prefix;
    return state ? id - state->base < state->contexts : hcct_registry_is_id(id);
}

static struct hcct_frame *find(const struct hcct_frame *top, uint64_t word, const struct hcct_state *state,
                               uintptr_t sp)
{
    for (;; top--) {
        bool alive = is_tail(top) ? TAIL_SP(top->tail) >= sp && tail_is_intact(top) : top->sp > sp;
        if (alive && !is_cover(top) && is_context_of(top, word, state))
            return (struct hcct_frame *)top;
        if (hcct_stack_is_root(top) && !is_cover(top))
            return NULL;
    }
}

struct hcct_frame *hcct_stack_find(const struct hcct_frame *top, uint64_t word,
                                   const struct hcct_state *state, uintptr_t sp)
{
    return find(top, word, state, sp);
}

static bool folds(void)
{
    return hcct_options.recursion == HCCT_RECURSION_FOLDED;
}

static inline __attribute__((always_inline)) uint64_t link_to(const struct hcct_frame *parent)
{
    return parent ? (uint64_t)(uintptr_t)parent | parent->prefix >> 48 << 48 : 0;
}

/* What links to it is no tail push's. NULL: not known. */
static inline __attribute__((always_inline)) struct hcct_frame *linked(uint64_t link)
{
    struct hcct_frame *parent = (struct hcct_frame *)(uintptr_t)(link << 16 >> 16);
    return parent && (parent->prefix ^ link) >> 48 == 0 ? parent : NULL;
}

/* What a frame that was made with recursion=fold, no root, tells of its parent. */
static inline __attribute__((always_inline)) struct hcct_frame *folded_parent(const struct hcct_frame *frame)
{
    if (!is_tail(frame))
        return linked(frame->tail);
    struct hcct_frame *parent = frame->sp ? (struct hcct_frame *)frame - frame->sp : NULL;
    return parent && is_context_of(parent, hcct_unmix(frame->prefix, frame->site), NULL) ? parent : NULL;
}

/* The frame of that site in the chain that begins with `frame`, or NULL. */
static inline __attribute__((always_inline)) const struct hcct_frame *
same_site(const struct hcct_frame *frame, uint64_t site)
{
    while (frame && frame->site != site)
        frame = frame->site ? folded_parent(frame) : NULL; /* 0: a root */
    return frame;
}

struct hcct_frame *hcct_stack_parent(const struct hcct_frame *frame)
{
    if (is_root(frame))
        return NULL;
    uint64_t word = hcct_unmix(frame->prefix, frame->site);
    if (folds()) {
        struct hcct_frame *parent = folded_parent(frame);
        return parent && is_context_of(parent, word, NULL) ? parent : NULL;
    }
    return find(frame - 1, word, NULL, is_tail(frame) ? TAIL_SP(frame->tail) : frame->sp);
}

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

/* The newest frame that a fresh entry at `sp` lies under. A fresh entry has no instrumented caller, so direct pushes
 * above the newest open one are dead, and tail frames too, but for one whose callee is this very entry, or code that is
 * not instrumented and still runs. */
static inline __attribute__((always_inline)) struct hcct_frame *
live_top(struct hcct_frame *top, uint64_t word, const struct hcct_state *state, uintptr_t sp)
{
    for (;; top--) {
        if (!is_tail(top)) {
            if (top->sp > sp)
                return top;
            continue;
        }
        uintptr_t tail_sp = TAIL_SP(top->tail);
        if (!(top->tail & TAIL_OPEN) || tail_sp < sp || !tail_is_intact(top))
            continue;
        if (tail_sp > sp)
            return top;
        if (word == HCCT_WORD_TAIL && tail_callee == hcct_rel_get(&state->record->body)) {
            top->tail &= ~TAIL_OPEN; /* consumed: what enters fresh later is not under it */
            return top;
        }
    }
}

const struct hcct_frame *hcct_stack_newest(struct hcct_frame *top, uintptr_t sp)
{
    const struct hcct_frame *newest = live_top(top, HCCT_WORD_NONE, NULL, sp);
    return is_cover(newest) ? NULL : newest;
}

static __attribute__((preserve_most, noinline)) void enter(uint64_t word, struct hcct_state *state,
                                                           uintptr_t sp)
{
    if (__builtin_expect(!__atomic_load_n(&state->base, __ATOMIC_RELAXED), 0))
        discover();
    if (hcct_timer_signal && !__hcct_thread.current && !hcct_busy)
        hcct_worker_self(); /* it may count nothing, and so have none yet */
    __hcct_thread.top = live_top(__hcct_thread.top, word, state, sp);
    __hcct_thread.ctx = state->base ? __hcct_thread.top->prefix + state->base : HCCT_WORD_TAIL;
}

/* Mostly the callee of an indirect tail call, whose frame is on top; the rest is in a function of its own, so that this
 * path saves few registers. */
void __hcct_enter(uint64_t word, struct hcct_state *state, uintptr_t sp)
{
    struct hcct_frame *top = __hcct_thread.top;
    if (word == HCCT_WORD_TAIL && is_tail(top) && (top->tail << 16 >> 16) == ((uint64_t)sp | TAIL_OPEN) &&
        state->base && tail_callee == (const char *)&state->record->body + state->record->body) {
        top->tail &= ~TAIL_OPEN;
        __hcct_thread.ctx = top->prefix + state->base;
        return;
    }
    enter(word, state, sp);
}

/* --- pushes ------------------------------------------------------------------------------------ */

static bool make_worker_stack(struct hcct_worker *worker)
{
    if (worker->stack)
        return true;
    char *memory = hcct_memory_reserve(HCCT_STACK_BYTES);
    if (!memory)
        return false;
    worker->pending = (const struct hcct_frame **)(memory + HCCT_STACK_FRAMES * sizeof(struct hcct_frame));
    worker->stack = (struct hcct_frame *)memory;
    worker->stack[0] = (struct hcct_frame){ .sp = UINTPTR_MAX };
    for (struct hcct_worker *outer = worker->outer; outer;
         outer = outer->outer) { /* a thread's levels share it */
        outer->stack = worker->stack;
        outer->pending = worker->pending;
    }
    return true;
}

struct bounds {
    struct hcct_frame *start, *end;
};

/* The context stack that the thread is in: its fiber's or its own, made if need be; empty if there is no memory. A
 * fiber's chains are walked by the worker's scratch. */
static struct bounds current_stack(void)
{
    hcct_process_notice();
    struct hcct_worker *worker = hcct_worker_self();
    struct hcct_fiber *fiber = hcct_fiber_self;
    if (!worker || !make_worker_stack(worker) || (fiber && !hcct_fiber_make_frames(fiber)))
        return (struct bounds){ NULL, NULL };
    return fiber ? (struct bounds){ fiber->frames, fiber->frames + fiber->frame_count }
                 : (struct bounds){ worker->stack, worker->stack + HCCT_STACK_FRAMES };
}

/* Makes room for one frame above top, which it may move to another chunk. */
static __attribute__((preserve_most, noinline, cold)) void grow(void)
{
    struct hcct_frame *top = __hcct_thread.top;
    struct bounds stack = current_stack();
    if (top == HCCT_ROOT_FRAME && stack.start) {
        __hcct_thread.top = stack.start;
        return;
    }
    bool inside = top >= stack.start && top < stack.end;
    if (inside && top + 1 != stack.end)
        return;
    __atomic_fetch_add(&hcct_tables.overflowed, 1, __ATOMIC_RELAXED);
    __hcct_thread.top = inside ? top - 1 : last_resort; /* what lies under the next frame is lost */
}

void hcct_stack_enter_signal(int signal, uint64_t current, uintptr_t sp)
{
    struct hcct_frame *top = __hcct_thread.top;
    struct bounds stack = current_stack();
    if (stack.start && (top < stack.start || top >= stack.end))
        top = stack.start; /* the thread's first push may be under way: it is still at the root */
    if (!stack.start || top + 5 >= stack.end) {
        __atomic_fetch_add(&hcct_tables.overflowed, 1, __ATOMIC_RELAXED);
        __hcct_thread.top = last_resort;
        return;
    }
    top[2] = (struct hcct_frame){ current, 0, sp, (uint64_t)(uintptr_t)top };
    top[3] = (struct hcct_frame){ hcct_mix(SIGNAL_SEED, 2 * (uint64_t)signal + 1), 0, UINTPTR_MAX,
                                  (uint64_t)signal };
    __hcct_thread.top = &top[3];
}

struct hcct_interrupted hcct_stack_interrupted(void)
{
    const struct hcct_frame *root = __hcct_thread.top;
    while (!is_root(root))
        root--;
    if (!hcct_stack_signal(root) || is_cover(root))
        return (struct hcct_interrupted){ NULL, 0, 0 };
    return (struct hcct_interrupted){ (struct hcct_frame *)(uintptr_t)root[-1].tail, root[-1].sp, root[-1].prefix };
}

void hcct_stack_leave(uintptr_t sp)
{
    __hcct_thread.top = drop_dead(__hcct_thread.top, sp);
}

static inline __attribute__((always_inline)) struct hcct_frame *next_frame(struct hcct_frame *top)
{
    __hcct_thread.top = top;
    if (((uintptr_t)(top + 1) & (HCCT_STACK_PAGE_BYTES - 1)) == 0)
        grow();
    return __hcct_thread.top + 1;
}

/* Above `top`, the frame of a push of `site` with a prefix that is folded. Returns its parent, or NULL. */
static const struct hcct_frame *fold(struct hcct_frame *top, uint64_t word, uint64_t site, uintptr_t sp)
{
    const struct hcct_frame *parent = find(top, word, NULL, sp), *same = same_site(parent, site);
    uint64_t prefix = same ? same->prefix : hcct_mix(word, site);
    parent = same ? folded_parent(same) : parent;
    struct hcct_frame *frame = next_frame(top);
    if (parent >= frame) /* the stack is full: another one with its prefix, if there is any */
        parent = find(frame - 1, word, NULL, sp);
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
        same = is_tail(same) ? NULL : linked(same->tail);
        if (!same)
            return false;
    }
    if (is_cover(same)) /* which explains nothing */
        return false;
    if (!same->site) /* a root */
        top[1] = (struct hcct_frame){ hcct_mix(word, site), site, sp, link_to(top) };
    else if (!is_tail(same))
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
        top = next_frame(top) - 1;
    if (folds())
        return fold(top, word, site, sp);
    __hcct_thread.push_mask = HCCT_PUSH_MASK_INLINE;
    *next_frame(top) = (struct hcct_frame){ hcct_mix(word, site), site, 0, 0 };
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
    const struct hcct_frame *parent = make_frame(drop_dead(__hcct_thread.top, sp), word, site, sp);
    struct hcct_frame *frame = __hcct_thread.top + 1;
    frame->sp = sp;
    frame->tail = link_to(parent);
    __hcct_thread.top = frame;
}

static __attribute__((preserve_most, noinline)) void push(uint64_t word, uint64_t site, int64_t value,
                                                          uintptr_t sp)
{
    struct hcct_frame *top = drop_dead(__hcct_thread.top, sp);
    if ((uintptr_t)(top + 1) & __hcct_thread.push_mask) {
        top[1] = (struct hcct_frame){ hcct_mix(word, site), site, sp, 0 };
        __hcct_thread.top = top + 1;
    } else if (!folds() || !fold_quickly(word, site, sp)) {
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
        push_needless(word, site->id, value, CALLER_SP);
    else
        push(word, site->id, value, CALLER_SP);
}

static __attribute__((preserve_most, noinline)) void push_where_it_folds(uint64_t word, uint64_t site, uintptr_t sp)
{
    if (!folds() || !fold_quickly(word, site, sp))
        push_slowly(word, site, sp);
}

void __hcct_push_outline(uint64_t word, const struct hcct_site *site)
{
    struct hcct_frame *top = __hcct_thread.top;
    /* On a dead frame no other goes: what pops this one could not tell it from that. */
    if (__builtin_expect(top->sp > CALLER_SP && ((uintptr_t)(top + 1) & __hcct_thread.push_mask) != 0, 1)) {
        top[1] = (struct hcct_frame){ hcct_mix(word, site->id), site->id, CALLER_SP, 0 };
        __hcct_thread.top = top + 1;
    } else {
        push_where_it_folds(word, site->id, CALLER_SP);
    }
}

/* The frame for a tail push of `site`: an old one if the site stands in the chain already. */
static inline __attribute__((always_inline)) struct hcct_frame *
tail_frame(uint64_t word, uint64_t site, uintptr_t sp, const struct hcct_state *state, uint64_t open)
{
    struct hcct_frame *top = drop_dead(__hcct_thread.top, sp);
    bool chained = is_tail(top) && tail_is_intact(top) && is_context_of(top, word, state);
    for (struct hcct_frame *frame = top; is_tail(frame) && TAIL_SP(frame->tail) == sp; frame--) {
        if (chained && frame->site == site) {
            frame->tail = (frame->tail & ~TAIL_OPEN) | open;
            return frame;
        }
        if (!chained)
            top = frame - 1;
    }
    const struct hcct_frame *parent = make_frame(top, word, site, sp);
    struct hcct_frame *frame = __hcct_thread.top + 1;
    frame->sp = parent ? (uintptr_t)(frame - parent) : 0;
    frame->tail = (uint64_t)sp | open | return_hash(sp);
    return frame;
}

static __attribute__((preserve_most, noinline)) void push_tail(uint64_t word, uint64_t site, int64_t value,
                                                               uintptr_t sp, const struct hcct_state *state)
{
    struct hcct_frame *frame = tail_frame(word, site, sp, state, value == HCCT_DELTA_OPEN ? TAIL_OPEN : 0);
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
    while (is_tail(top) && TAIL_SP(top->tail) <= sp && word - top->prefix - state->base >= state->contexts)
        top--;
    if ((is_tail(top) ? TAIL_SP(top->tail) : top->sp) <= sp ||
        ((uintptr_t)(top + 1) & __hcct_thread.push_mask) == 0) {
        push_tail_frame_slow(word, site, state, sp, open);
        return __hcct_thread.top->prefix;
    }
    uint64_t prefix = hcct_mix(word, site);
    top[1] = (struct hcct_frame){ prefix, site, 0, (uint64_t)sp | open | return_hash(sp) };
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
        push(word, site->id, HCCT_DELTA_OPEN, CALLER_SP);
    else
        __hcct_thread.ctx = push_tail_frame(word, site->id, state, entry_sp, 0) + base;
}

void __hcct_push_tail_open(uint64_t word, const struct hcct_site *site, struct hcct_state *state,
                           uintptr_t entry_sp, const void *callee)
{
    uint64_t base = base_at(callee);
    uint64_t prefix = push_tail_frame(word, site->id, state, entry_sp, base ? 0 : TAIL_OPEN);
    tail_callee = callee;
    __hcct_thread.ctx = base ? prefix + base : callee ? HCCT_WORD_TAIL : HCCT_WORD_NONE;
}

/* Two stack pointers of one activation, if one of them was taken in code that was outlined. */
static bool is_near(uintptr_t a, uintptr_t b)
{
    return a - b + 64 <= 128;
}

/* A call returned at `sp`, and the frame that it pushed is not where it was: the program has switched to another stack by
 * code of its own (assembly, Boost.Context), and what is on top was pushed there. If the frame is below, it is taken off as it
 * should be. Otherwise others may have taken its place: what lies under `top` cannot be known, and must not be taken for the
 * callers of what enters fresh from now on, so a cover goes over it, which nothing explains. */
static __attribute__((preserve_most, noinline, cold)) void lose_stack(uintptr_t sp)
{
    struct hcct_frame *top = __hcct_thread.top, *own = top;
    if (hcct_stack_overflow_count() || is_near(top->sp, sp))
        return;
    while (!is_near(own->sp, sp) && (!hcct_stack_is_root(own) || is_cover(own)))
        own--;
    if (is_near(own->sp, sp)) {
        __hcct_thread.top = own - 1;
    } else if (!is_cover(top)) {
        struct hcct_frame *frame = next_frame(top);
        *frame = (struct hcct_frame){ COVER_PREFIX, 0, UINTPTR_MAX, COVER };
        __hcct_thread.top = frame;
    }
}

/* Where the frame of the call that returned is not the newest one, above a live one. It is the last that is dropped. */
static __attribute__((preserve_most, noinline)) void pop(uintptr_t sp)
{
    bool in_handler = hcct_in_handler;
    if (__builtin_expect(in_handler, 0))
        leave_dead_levels(sp);
    struct hcct_frame *before = __hcct_thread.top, *top = drop_dead(before, sp);
    __hcct_thread.top = top;
    if (!in_handler && (top == before || !is_near(top[1].sp, sp)))
        lose_stack(sp);
}

void __hcct_pop(void)
{
    uintptr_t sp = CALLER_SP;
    struct hcct_frame *top = __hcct_thread.top;
    uintptr_t below = is_tail(top - 1) ? TAIL_SP(top[-1].tail) + 1 : top[-1].sp;
    if (__builtin_expect(top->sp == sp && below > sp && !hcct_in_handler, 1))
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
    __hcct_thread.top = drop_dead(__hcct_thread.top, entry_sp);
}

#if defined(__aarch64__) && defined(__GLIBC__)
enum { JB_SP = 13 };

/* What setjmp hides a known stack pointer with, as glibc keeps it in a variable that is its own. */
static __attribute__((noinline)) uint64_t pointer_guard(void)
{
    jmp_buf here;
    uint64_t sp;
    if (_setjmp(here) != 0)
        return 0;
    __asm__ volatile("mov %0, sp" : "=r"(sp)); /* which setjmp was called with: nothing here moves it */
    return ((const uint64_t *)here)[JB_SP] ^ sp;
}
#endif

/* The stack pointer that the jump restores, or 0 where it is not known. glibc hides it (PTR_MANGLE). */
static uintptr_t jump_target(const void *environment)
{
#if defined(__aarch64__) && defined(__GLIBC__)
    return (uintptr_t)(((const uint64_t *)environment)[JB_SP] ^ pointer_guard());
#elif defined(__x86_64__) && defined(__GLIBC__)
    enum { JB_RSP = 6, POINTER_GUARD = 0x30 };
    uint64_t mangled = ((const uint64_t *)environment)[JB_RSP], guard;
    __asm__("movq %%fs:%c1, %0" : "=r"(guard) : "i"(POINTER_GUARD));
    return (uintptr_t)((mangled >> 17 | mangled << 47) ^ guard);
#else
    (void)environment;
    return 0;
#endif
}

void __hcct_jump(const void *environment)
{
    uintptr_t sp = jump_target(environment);
    if (sp < CALLER_SP) /* out of a handler on another stack, or not known: left to who looks later */
        return;
    if (hcct_in_handler)
        leave_dead_levels(sp);
    hcct_clock_jump(sp);
    struct hcct_frame *top = drop_dead(__hcct_thread.top, sp);
    hcct_sample_arrive_outside(top); /* first: its chain stands in either case */
    __hcct_thread.top = top;
}
