/* Pops, and landing pads, where code in line does not suffice (__hcct_pop, __hcct_called and __hcct_arrive,
 * hcct/abi.h).
 *
 * Usual cases come first and use few registers, as in enter.c.
 * Signals: async-signal-safe; keeps errno. */
#include "hcct/abi.h"
#include "runtime/base/go_on.h"
#include "runtime/core/block.h"
#include "runtime/stack/fiber.h"
#include "runtime/stack/frame.h"
#include "runtime/stack/stack.h"

/* Rare calls, wrapped in preserve_most functions: their callers save no registers for them. */
static __attribute__((preserve_most, noinline, cold)) void leave_dead_levels(uintptr_t sp)
{
    hcct_guest_hooks.leave_dead(sp);
}

static __attribute__((preserve_most, noinline, cold)) void leave_ended_fiber(uintptr_t sp)
{
    hcct_fiber_ended(sp);
}

/* A pop when the newest frame is not that of the call that returned. Usually the newer frames are dead: they
 * are dropped, and then that frame. Below it may be frames of tail calls that ended before, in memory that
 * the returning call's caller has taken for its own frame since. */
static void pop_from(uintptr_t sp)
{
    bool in_handler = hcct_in_handler;
    if (__builtin_expect(in_handler, 0))
        leave_dead_levels(sp);
    struct hcct_frame *newest = __hcct_thread.top, *top = hcct_frame_drop_dead(newest, sp);
    struct hcct_frame *own = top + 1;
    __hcct_thread.top = top;
    while (own <= newest && hcct_frame_is_tail(own))
        own++;
    if (!in_handler && (own > newest || !hcct_stack_is_near(own->sp, sp)))
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

static __attribute__((preserve_most, noinline)) void pop_lent_slowly(uintptr_t sp)
{
    pop_from(sp);
}

void __hcct_pop_lent(uintptr_t sp)
{
    struct hcct_frame *top = __hcct_thread.top;
    if (__builtin_expect(top->sp != sp || hcct_in_handler, 0))
        HCCT_GO_ON(pop_lent_slowly(sp));
    __hcct_thread.top = top - 1;
}

/* These two have the delta only because a call that goes on (HCCT_GO_ON) hands all parameters on. */
static __attribute__((preserve_most, noinline)) void pop_called(const int64_t *delta)
{
    (void)delta;
    pop_from(HCCT_CALLER_SP);
}

static __attribute__((preserve_most, noinline)) void pop_called_quickly(const int64_t *delta)
{
    struct hcct_frame *top = __hcct_thread.top;
    if (__builtin_expect(top->sp != HCCT_CALLER_SP || hcct_in_handler, 0))
        HCCT_GO_ON(pop_called(delta));
    __hcct_thread.top = top - 1;
}

void __hcct_called(const int64_t *delta)
{
    int64_t value = __atomic_load_n(delta, __ATOMIC_RELAXED);
    if (__builtin_expect(value <= 0, 0) && __builtin_expect(value != HCCT_DELTA_NONE, 1))
        HCCT_GO_ON(pop_called_quickly(delta));
}

void __hcct_called_noted(const int64_t *delta)
{
    if (__builtin_expect(__atomic_load_n(delta, __ATOMIC_RELAXED) != HCCT_DELTA_NOTED, 0))
        HCCT_GO_ON(__hcct_called(delta));
    __hcct_thread.noted_site = NULL;
}

static __attribute__((preserve_most, noinline)) void arrive(uintptr_t entry_sp)
{
    const struct hcct_fiber *fiber = hcct_fiber_place.self;
    if (hcct_in_handler)
        leave_dead_levels(entry_sp);
    /* not in a handler, which may be on an alternate stack */
    if (fiber && !hcct_in_handler && (entry_sp < fiber->start || entry_sp >= fiber->end))
        leave_ended_fiber(entry_sp);
    __hcct_thread.top = hcct_frame_drop_dead(__hcct_thread.top, entry_sp);
}

void __hcct_arrive(uintptr_t entry_sp)
{
    if (__builtin_expect(hcct_fiber_place.self || hcct_in_handler, 0))
        HCCT_GO_ON(arrive(entry_sp));
    __hcct_thread.top = hcct_frame_drop_dead(__hcct_thread.top, entry_sp);
}
