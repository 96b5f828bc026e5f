/* See fiber.h. */
#define _GNU_SOURCE
#include "runtime/stack/fiber.h"

#include <errno.h>
#include <limits.h> /* __GLIBC__ */
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/confined.h"
#include "runtime/base/go_on.h"
#include "runtime/base/interpose.h"
#include "runtime/base/machine_context.h"
#include "runtime/base/memory.h"
#include "runtime/core/block.h"
#include "runtime/core/meter.h"
#include "runtime/core/tables.h"
#include "runtime/core/threads.h"
#include "runtime/stack/fiber_stacks.h"
#include "runtime/stack/frame.h"

_Thread_local struct hcct_fiber_place hcct_fiber_place;

/* What a switch leads to. */
struct target {
    uintptr_t sp;
    uintptr_t start; /* its stack, as the context tells */
    size_t bytes;
    bool begins; /* nothing has run there */
};

/* All fibers, sorted by the end of their stacks, inner ones first, and a list of unused ones. Under the table
 * lock. */
static struct hcct_fiber **fibers, *spare;
static size_t fiber_count, fiber_limit;
static bool some_are_within; /* another fiber's stack: perhaps */

/* --- the fibers --------------------------------------------------------------------------------- */

/* The index of the first fiber that ends above `address`. */
static size_t place(uintptr_t address)
{
    size_t low = 0, high = fiber_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (fibers[middle]->end > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The innermost fiber whose stack `sp` is in, or NULL. If a stack is empty, `sp` is its end. */
static struct hcct_fiber *find(uintptr_t sp)
{
    size_t at = place(sp - 1);
    while (some_are_within && at < fiber_count && fibers[at]->start >= sp)
        at++;
    return at < fiber_count && fibers[at]->start < sp ? fibers[at] : NULL;
}

static void drop(struct hcct_fiber *fiber)
{
    if (fiber->frames)
        hcct_fiber_stacks_give(fiber->frames, fiber->frame_count * sizeof *fiber->frames, fiber->region);
    fiber->frames = NULL;
    fiber->next_free = spare;
    spare = fiber;
}

/* Whether all of the stack from `start` to `end` may be a part of the fiber's own, which goes on. */
static bool may_enclose(const struct hcct_fiber *fiber, uintptr_t start, uintptr_t end)
{
    return fiber->start <= start && fiber->end >= end && fiber->end - fiber->start > end - start &&
           !fiber->has_ended;
}

/* Drops the fibers whose stacks overlap this one, but not those that enclose it. */
static void drop_overlapping(uintptr_t start, uintptr_t end)
{
    size_t at = place(start), kept = at;
    for (; at < fiber_count && (some_are_within || fibers[at]->start < end); at++) {
        bool encloses = may_enclose(fibers[at], start, end);
        some_are_within |= encloses;
        if (encloses || fibers[at]->start >= end)
            fibers[kept++] = fibers[at];
        else
            drop(fibers[at]);
    }
    memmove(&fibers[kept], &fibers[at], (fiber_count - at) * sizeof *fibers);
    fiber_count -= at - kept;
}

static bool is_unmapped(const struct hcct_fiber *fiber)
{
    unsigned char resident;
    return !hcct_confined &&
           mincore((void *)(fiber->start & ~(uintptr_t)(HCCT_STACK_PAGE_BYTES - 1)), 1, &resident) != 0 &&
           errno == ENOMEM;
}

static void drop_unmapped(void)
{
    size_t kept = 0;
    int saved = errno;
    for (size_t i = 0; i < fiber_count; i++)
        if (is_unmapped(fibers[i]))
            drop(fibers[i]);
        else
            fibers[kept++] = fibers[i];
    fiber_count = kept;
    errno = saved;
}

static bool make_room(void)
{
    if (fiber_count < fiber_limit)
        return true;
    drop_unmapped();
    if (fiber_count <= fiber_limit / 2 && fiber_limit)
        return true;
    size_t limit = fiber_limit ? 2 * fiber_limit : 512;
    struct hcct_fiber **larger = hcct_memory_map(limit * sizeof *larger);
    if (!larger)
        return fiber_count < fiber_limit;
    if (fiber_count)
        memcpy(larger, fibers, fiber_count * sizeof *fibers);
    hcct_memory_unmap(fibers, fiber_limit * sizeof *fibers);
    fibers = larger;
    fiber_limit = limit;
    return true;
}

static struct hcct_fiber *take_spare(void)
{
    enum { BATCH = 64 };
    struct hcct_fiber *batch = spare ? NULL : hcct_memory_map(BATCH * sizeof *batch);
    for (size_t i = 0; batch && i < BATCH; i++) {
        batch[i].next_free = spare;
        spare = &batch[i];
    }
    struct hcct_fiber *fiber = spare;
    if (fiber)
        spare = fiber->next_free;
    return fiber;
}

/* The fiber with just this stack, or NULL. */
static struct hcct_fiber *find_exactly(uintptr_t start, uintptr_t end)
{
    size_t at = place(end - 1);
    while (at < fiber_count && fibers[at]->end == end && fibers[at]->start != start)
        at++;
    return at < fiber_count && fibers[at]->end == end ? fibers[at] : NULL;
}

/* The fiber goes on at `sp`, so a stack that was within its own there is gone. */
static void drop_within(const struct hcct_fiber *fiber, uintptr_t sp)
{
    size_t at = place(sp - 1), kept = at;
    for (; fibers[at] != fiber; at++)
        if (fibers[at]->start < sp && fibers[at] != hcct_fiber_place.self)
            drop(fibers[at]);
        else
            fibers[kept++] = fibers[at];
    memmove(&fibers[kept], &fibers[at], (fiber_count - at) * sizeof *fibers);
    fiber_count -= at - kept;
}

/* A new fiber; NULL if memory is short. */
static struct hcct_fiber *make(uintptr_t start, size_t bytes)
{
    uintptr_t end = start + bytes;
    some_are_within &= fiber_count != 0;
    drop_overlapping(start, end);
    struct hcct_fiber *fiber = make_room() ? take_spare() : NULL;
    if (!fiber)
        return NULL;
    *fiber = (struct hcct_fiber){ .start = start, .end = end, .top = HCCT_ROOT_FRAME };
    size_t at = place(end - 1);
    while (at < fiber_count && fibers[at]->end == end && fibers[at]->start > start)
        at++;
    memmove(&fibers[at + 1], &fibers[at], (fiber_count - at) * sizeof *fibers);
    fibers[at] = fiber;
    fiber_count++;
    return fiber;
}

/* Room for a push for each 16 bytes of the stack. Only chains of tail calls may need more. */
int hcct_fiber_make_frames(struct hcct_fiber *fiber)
{
    const size_t page = HCCT_STACK_PAGE_BYTES / sizeof *fiber->frames;
    size_t count = ((fiber->end - fiber->start) / 16 + 2 * page) / page * page;
    if (count > HCCT_STACK_FRAMES)
        count = HCCT_STACK_FRAMES;
    if (fiber->frames)
        return true;
    hcct_busy_enter();
    hcct_tables_lock();
    if (!fiber->frames) /* a handler that ran until now may have made them */
        fiber->frames = hcct_fiber_stacks_take(count * sizeof *fiber->frames, fiber_count, &fiber->region);
    if (fiber->frames) {
        fiber->frame_count = count;
        fiber->frames[0] = (struct hcct_frame){ .sp = UINTPTR_MAX };
    }
    hcct_tables_unlock();
    hcct_busy_leave(); /* handlers that waited run here, and use the stack */
    return fiber->frames != NULL;
}

/* --- switching ---------------------------------------------------------------------------------- */

static void go_to(struct hcct_fiber *fiber)
{
    if (fiber == hcct_fiber_place.self)
        return;
    *(hcct_fiber_place.self ? &hcct_fiber_place.self->top : &hcct_fiber_place.home_top) = __hcct_thread.top;
    if (!hcct_fiber_place.self)
        hcct_fiber_place.home_sp = (uintptr_t)__builtin_frame_address(0);
    hcct_fiber_place.self = fiber;
    if (fiber)
        fiber->has_ended = false;
    __hcct_thread.top = fiber                       ? fiber->top
                        : hcct_fiber_place.home_top ? hcct_fiber_place.home_top
                                                    : HCCT_ROOT_FRAME;
    if (hcct_threads_are_split() && __hcct_thread.top == HCCT_ROOT_FRAME)
        hcct_block_miss_next(); /* which gives it the thread's root */
}

/* The fiber begins, perhaps again: what its last run left on its context stack is dead, wherever it was. */
static void begin(struct hcct_fiber *fiber)
{
    fiber->top = HCCT_ROOT_FRAME;
    if (fiber != hcct_fiber_place.self)
        return;
    __hcct_thread.top = HCCT_ROOT_FRAME;
    if (hcct_threads_are_split())
        hcct_block_miss_next();
}

/* If it starts again, on the same stack, it has no frames. What it left is no sign of where it was. */
static void end(struct hcct_fiber *fiber)
{
    fiber->has_ended = true;
    fiber->top = HCCT_ROOT_FRAME;
}

void hcct_fiber_made(uintptr_t start, size_t bytes)
{
    hcct_busy_enter();
    hcct_tables_lock();
    make(start, bytes);
    hcct_tables_unlock();
    hcct_busy_leave();
}

void hcct_fiber_ended(uintptr_t sp)
{
    hcct_busy_enter();
    hcct_tables_lock();
    struct hcct_fiber *ended = hcct_fiber_place.self;
    go_to(find(sp));
    if (ended && ended != hcct_fiber_place.self)
        end(ended);
    hcct_tables_unlock();
    hcct_busy_leave();
}

#if defined(__GLIBC__)

typedef int swap_function(ucontext_t *from, const ucontext_t *to);
typedef int set_function(const ucontext_t *to);

swap_function __interceptor_swapcontext __attribute__((weak)); /* AddressSanitizer's */
set_function __setcontext __attribute__((weak));               /* in libc.a */

/* Links __setcontext into a static program: makecontext's object refers to it. */
__attribute__((used)) static void (*const in_same_archive_members)(ucontext_t *, void (*)(void), int,
                                                                   ...) = makecontext;

/* Bytes. For a stack whose bounds are not known: addresses that are further apart are of two stacks. */
enum { LARGEST_STACK = 1 << 26 };
/* A context's uc_stack may be anything if getcontext made it, and no one makes a stack of that size. */
#define LARGEST_BOUNDS (UINT64_C(1) << 46)

static swap_function *real_swapcontext;
static set_function *real_setcontext;
static _Atomic uintptr_t after_fiber; /* where functions of makecontext return to; 0: not found yet */

static void nothing(void) {}

static void find_after_fiber(void)
{
    char stack[256] __attribute__((aligned(16)));
    ucontext_t probe;
    if (getcontext(&probe) != 0)
        return;
    probe.uc_stack.ss_sp = stack;
    probe.uc_stack.ss_size = sizeof stack;
    probe.uc_link = NULL;
    makecontext(&probe, nothing, 0);
    atomic_store_explicit(&after_fiber, hcct_machine_context_return(&probe), memory_order_relaxed);
}

/* Whether the context is one by makecontext that has not run. Then its uc_stack is its stack. */
static bool begins(const ucontext_t *to)
{
    if (!atomic_load_explicit(&after_fiber, memory_order_relaxed))
        find_after_fiber();
    return hcct_machine_context_return(to) == atomic_load_explicit(&after_fiber, memory_order_relaxed);
}

void hcct_fiber_start(void)
{
    real_swapcontext = __interceptor_swapcontext ? __interceptor_swapcontext
                                                 : (swap_function *)hcct_interpose_next("swapcontext");
    real_setcontext = __setcontext ? __setcontext : (set_function *)hcct_interpose_next("setcontext");
}

/* Whether a context goes on with a stack of these bounds. What encloses all of the stack that the thread runs
 * on, or its own one, is no new stack: it was left in uc_stack by chance. */
static __attribute__((noinline)) bool has_bounds(const struct target *to)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    const struct hcct_fiber *self = hcct_fiber_place.self;
    bool is_here = self ? to->start < self->start && self->end - to->start < to->bytes
                        : here - to->start < to->bytes,
         is_home = self && hcct_fiber_place.home_sp && hcct_fiber_place.home_sp - to->start < to->bytes;
    return to->sp - 1 - to->start < to->bytes &&
           (to->begins || (to->bytes <= LARGEST_BOUNDS && !is_here && !is_home));
}

/* Switches to the fiber in whose stack `sp` is. A new fiber is made from the bounds of the stack; `bytes` is
 * 0 if they are not known. */
static void go_to_stack(const struct target *to)
{
    uintptr_t sp = to->sp, start = to->start;
    size_t bytes = to->bytes;
    hcct_tables_lock();
    struct hcct_fiber *fiber = find(sp);
    if (has_bounds(to) && (!fiber || fiber->start != start || fiber->end != start + bytes)) {
        fiber = find_exactly(start, start + bytes);
        if (fiber)
            drop_within(fiber, sp);
        else
            fiber = make(start, bytes);
    }
    if (fiber && to->begins)
        begin(fiber);
    go_to(fiber);
    hcct_tables_unlock();
    /* if a fiber starts again, this drops all its frames */
    __hcct_thread.top = hcct_frame_drop_dead(__hcct_thread.top, sp + sizeof(void *));
}

static struct target target_of(const ucontext_t *to)
{
    return (struct target){ hcct_machine_context_sp(to), (uintptr_t)to->uc_stack.ss_sp, to->uc_stack.ss_size,
                            begins(to) };
}

/* `leave` and hcct_fiber_come_back are not inlined into their callers, which may continue in another thread:
 * the compiler would keep addresses of the first thread's data. */
static __attribute__((noinline)) void leave(struct hcct_fiber_left *left, const struct target *to)
{
    left->clock = __hcct_thread.clock;
    hcct_meter_switch_to((struct hcct_clock){ 0 });
    hcct_busy_enter();
    left->fiber = hcct_fiber_place.self;
    left->top = __hcct_thread.top;
    hcct_block_park(&left->parked);
    go_to_stack(to);
    hcct_busy_leave();
}

__attribute__((noinline)) void hcct_fiber_come_back(const struct hcct_fiber_left *left)
{
    int saved = errno;
    hcct_busy_enter();
    hcct_block_unpark(&left->parked);
    if (hcct_fiber_place.self &&
        hcct_fiber_place.self != left->fiber) /* the C library went on in its uc_link */
        end(hcct_fiber_place.self);
    hcct_fiber_place.self = left->fiber;
    __hcct_thread.top = left->top;
    hcct_busy_leave();
    hcct_meter_switch_to(left->clock);
    errno = saved;
}

/* For a static program, which cannot have the C library's swapcontext beside ours. */
static int swap_in_two_steps(ucontext_t *from, const ucontext_t *to)
{
    volatile int back = 0;
    if (getcontext(from) != 0)
        return -1;
    if (back)
        return 0;
    back = 1;
    return real_setcontext(to);
}

static __attribute__((noinline)) int swap(ucontext_t *from, const ucontext_t *to)
{
    struct hcct_fiber_left left;
    const struct target target = target_of(to);
    leave(&left, &target);
    int result = real_swapcontext ? real_swapcontext(from, to) : swap_in_two_steps(from, to);
    hcct_fiber_come_back(&left);
    return result;
}

/* Whether `to` continues on the caller's own stack, above `sp`. The code there may overwrite everything
 * below, including the frames of the functions here. */
static __attribute__((noinline)) bool goes_up(const ucontext_t *to, uintptr_t sp)
{
    const struct target target = target_of(to);
    if (target.sp < sp || target.sp - sp > LARGEST_STACK || hcct_in_handler)
        return false;
    hcct_busy_enter();
    hcct_tables_lock();
    bool same = find(target.sp) == hcct_fiber_place.self;
    hcct_tables_unlock();
    hcct_busy_leave();
    return same && !(has_bounds(&target) && sp - target.start >= target.bytes);
}

void hcct_fiber_leave(struct hcct_fiber_left *left, uintptr_t sp)
{
    leave(left, &(struct target){ .sp = sp });
}

/* Like a jump: hcct_fiber_come_back will not run. */
static __attribute__((noinline)) void leave_upwards(const ucontext_t *to)
{
    hcct_meter_switch_to((struct hcct_clock){ 0 });
    const struct target target = target_of(to);
    hcct_busy_enter();
    go_to_stack(&target);
    hcct_busy_leave();
}

/* Usually the two contexts are on different stacks, and the frame of `swap` stays on the one that is left. If
 * control goes up its own stack, the C library's swapcontext is tail-called, so that no frame of ours is
 * needed to come back. Then the pushes below are lost. */
HCCT_INTERPOSE_UNLESS_OWN(swapcontext);
int hcct_interposed_swapcontext(ucontext_t *from, const ucontext_t *to)
{
    if (!real_setcontext)
        hcct_fiber_start();
    if (!real_swapcontext || !goes_up(to, (uintptr_t)__builtin_frame_address(0)))
        return swap(from, to);
    leave_upwards(to);
    HCCT_GO_ON(real_swapcontext(from, to));
}

INTERPOSED __attribute__((weak)) int setcontext(const ucontext_t *to)
{
    if (!real_setcontext)
        hcct_fiber_start();
    uintptr_t sp = hcct_machine_context_sp(to);
    hcct_meter_switch_to((struct hcct_clock){ 0 });
    hcct_busy_enter();
    if (hcct_in_handler) {
        hcct_tables_lock();
        bool stays = find(sp) == hcct_fiber_place.self;
        hcct_tables_unlock();
        hcct_guest_hooks.leave_dead(stays ? sp : UINTPTR_MAX);
    }
    const struct target target = target_of(to);
    go_to_stack(&target);
    hcct_busy_leave();
    return real_setcontext(to);
}

#else
void hcct_fiber_start(void) {}
#endif
