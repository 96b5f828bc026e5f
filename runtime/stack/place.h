/* What entries and all pushes share (enter.c, push.c, push_tail.c): the place of a new frame, and the delta
 * of its call. frame.h says what frames are.
 * Atomics: bases and deltas are plain words of the ABI, so builtins. They pair with the stores of
 * objects/numbering.c. */
#ifndef HCCT_RUNTIME_STACK_PLACE_H
#define HCCT_RUNTIME_STACK_PLACE_H

#include <stdatomic.h>

#include "encoding/context.h"
#include "hcct/abi.h"
#include "runtime/stack/frame.h"

/* Numbers the objects that were loaded. Rare, so its callers save no registers for it. Not
 * async-signal-safe. */
__attribute__((preserve_most, noinline, cold)) void hcct_place_discover(void);

/* Makes the frame above `top`: prefix and site. With recursion=fold returns its parent. */
const struct hcct_frame *hcct_place_make(struct hcct_frame *top, uint64_t word, uint64_t site, uintptr_t sp);

static inline __attribute__((always_inline)) const int64_t *hcct_place_delta_of(const struct hcct_site *site)
{
    return (const int64_t *)((const char *)&site->delta + site->delta);
}

/* The delta. If it is not known yet, numbers the program. */
static inline int64_t hcct_place_delta(const int64_t *delta)
{
    int64_t value = __atomic_load_n(delta, __ATOMIC_RELAXED);
    if (__builtin_expect(value == 0, 0)) {
        hcct_place_discover();
        value = __atomic_load_n(delta, __ATOMIC_RELAXED);
    }
    return value == 0 ? HCCT_DELTA_OPEN : value;
}

/* Of a delta that pushes; 0: HCCT_DELTA_OPEN. */
static inline uint64_t hcct_place_callee_base(int64_t delta)
{
    return (uint64_t)delta << 1 >> 1;
}

static inline uint64_t hcct_place_callee_word(int64_t delta, uint64_t prefix)
{
    uint64_t base = hcct_place_callee_base(delta);
    return base ? hcct_context_word(prefix, base) : HCCT_WORD_NONE;
}

/* Whether the frame needs no special care: it begins no page, and recursion is not folded. */
static inline __attribute__((always_inline)) bool hcct_place_is_plain(const struct hcct_frame *frame)
{
    return ((uintptr_t)frame & __hcct_thread.push_mask) != 0;
}

/* The frame above `top`. The compiler does not see how they are related, so it keeps only one in a
 * register. */
static inline __attribute__((always_inline)) struct hcct_frame *hcct_place_above(struct hcct_frame *top)
{
    struct hcct_frame *frame = top + 1;
    __asm__("" : "+r"(frame));
    return frame;
}

/* The frame is complete. From now on a signal handler may read it, so the fence keeps its stores in front. */
static inline __attribute__((always_inline)) void hcct_place_set_top(struct hcct_frame *frame)
{
    atomic_signal_fence(memory_order_release);
    __hcct_thread.top = frame;
}

#endif
