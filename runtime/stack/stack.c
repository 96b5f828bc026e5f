/* The memory of context stacks, and the roots that stand in them. frame.h says what their frames are; push.c
 * pushes, walk.c walks. */
#include "runtime/stack/stack.h"

#include "encoding/context.h"
#include "runtime/base/memory.h"
#include "runtime/core/block.h"
#include "runtime/core/notice.h"
#include "runtime/core/tables.h"
#include "runtime/stack/fiber.h"
#include "runtime/stack/frame.h"

/* any word: h of a handler's root is a mix of it and the signal */
#define SIGNAL_SEED UINT64_C(0x7369676e616c2121)
#define COVER_PREFIX UINT64_C(0x6c6f737420737463) /* any word */
#define CUT_PREFIX UINT64_C(0x6375742068657265)   /* any word */

/* Where threads push for which there is no memory: their paths are lost, nothing else. frames[0] is a
 * root. */
static _Alignas(HCCT_STACK_PAGE_BYTES) struct hcct_frame
    last_resort[HCCT_STACK_PAGE_BYTES / sizeof(struct hcct_frame)] = { { .sp = UINTPTR_MAX } };

uint64_t hcct_stack_overflow_count(void)
{
    return __atomic_load_n(&hcct_tables.overflowed, __ATOMIC_RELAXED);
}

enum { PAGE_FRAMES = HCCT_STACK_PAGE_BYTES / sizeof(struct hcct_frame) };

/* The first thread's recursion may be deep; there may be many others. */
static uint32_t wanted_frames(const struct hcct_block *worker)
{
    enum { PARTS_FIRST = 32, PARTS = 512, LEAST = 8 * PAGE_FRAMES };
    unsigned parts = worker->thread == hcct_process_id() ? PARTS_FIRST : PARTS;
    size_t frames =
        hcct_memory_share(HCCT_STACK_FRAMES * HCCT_STACK_FRAME_BYTES, parts) / HCCT_STACK_FRAME_BYTES;
    return frames < LEAST ? LEAST : (uint32_t)(frames / LEAST * LEAST);
}

static bool make_worker_stack(struct hcct_block *worker)
{
    if (worker->stack)
        return true;
    uint32_t frames = wanted_frames(worker);
    char *memory = NULL;
    while (!(memory = hcct_memory_reserve(frames * HCCT_STACK_FRAME_BYTES)) && frames >= 16 * PAGE_FRAMES)
        frames = frames / (16 * PAGE_FRAMES) * (8 * PAGE_FRAMES);
    if (!memory)
        return false;
    worker->stack_frames = frames;
    worker->pending = (const struct hcct_frame **)(memory + frames * sizeof(struct hcct_frame));
    worker->stack = (struct hcct_frame *)memory;
    worker->stack[0] = (struct hcct_frame){ .sp = UINTPTR_MAX };
    for (struct hcct_block *outer = worker->outer; outer;
         outer = outer->outer) { /* a thread's levels share it */
        outer->stack = worker->stack;
        outer->pending = worker->pending;
        outer->stack_frames = frames;
    }
    return true;
}

struct bounds {
    struct hcct_frame *start, *end;
};

/* The context stack that the thread is in: its fiber's or its own, made if need be; empty if there is no
 * memory. A fiber's chains are walked by the worker's scratch. */
static struct bounds current_stack(void)
{
    hcct_notice();
    struct hcct_block *worker = hcct_block_self();
    struct hcct_fiber *fiber = hcct_fiber_self;
    if (!worker || !make_worker_stack(worker) || (fiber && !hcct_fiber_make_frames(fiber)))
        return (struct bounds){ NULL, NULL };
    return fiber ? (struct bounds){ fiber->frames, fiber->frames + fiber->frame_count }
                 : (struct bounds){ worker->stack, worker->stack + worker->stack_frames };
}

/* The stack is full: what is in its last page is lost, and others may go there. The cut is popped as the
 * newest of the lost would be; the others are found missing then, which does no harm. */
static struct hcct_frame *cut(const struct bounds *stack)
{
    const struct hcct_frame *newest = stack->end - 1;
    while (newest > stack->start && hcct_stack_is_root(newest)) /* a cover */
        newest--;
    uintptr_t sp = hcct_frame_is_tail(newest) ? HCCT_TAIL_SP(newest->tail) : newest->sp;
    struct hcct_frame *place =
        stack->end - PAGE_FRAMES > stack->start ? stack->end - PAGE_FRAMES : stack->start + 1;
    *place = (struct hcct_frame){ .prefix = CUT_PREFIX, .sp = sp, .tail = HCCT_BARRIER };
    return place;
}

void hcct_stack_grow(void)
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
    __atomic_fetch_add(&hcct_tables.overflowed, PAGE_FRAMES - 1, __ATOMIC_RELAXED);
    __hcct_thread.top = inside ? cut(&stack) : last_resort;
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
    top[3] = (struct hcct_frame){ hcct_context_push(SIGNAL_SEED, 2 * (uint64_t)signal + 1), 0, UINTPTR_MAX,
                                  (uint64_t)signal };
    __hcct_thread.top = &top[3];
}

void hcct_stack_leave(uintptr_t sp)
{
    __hcct_thread.top = hcct_frame_drop_dead(__hcct_thread.top, sp);
}

/* The program has switched to another stack by code of its own (assembly, Boost.Context), and what is on top
 * was pushed there. If the frame is below, it is taken off as it should be. Otherwise others may have taken
 * its place: what lies under `top` cannot be known, and must not be taken for the callers of what enters
 * fresh from now on, so a cover goes over it, which nothing explains. */
void hcct_stack_resync(uintptr_t sp)
{
    struct hcct_frame *top = __hcct_thread.top, *own = top;
    if (hcct_stack_overflow_count() || hcct_stack_is_near(top->sp, sp))
        return;
    while (!hcct_stack_is_near(own->sp, sp) && (!hcct_stack_is_root(own) || hcct_stack_is_barrier(own)))
        own--;
    if (hcct_stack_is_near(own->sp, sp)) {
        __hcct_thread.top = own - 1;
    } else if (!hcct_stack_is_barrier(top)) {
        struct hcct_frame *frame = hcct_stack_next_frame(top);
        *frame = (struct hcct_frame){ COVER_PREFIX, 0, UINTPTR_MAX, HCCT_BARRIER };
        __hcct_thread.top = frame;
    }
}

size_t hcct_stack_bytes(void)
{
    const struct hcct_block *self = hcct_block_current();
    if (!self || !self->stack)
        return 0;
    uintptr_t used = (uintptr_t)__hcct_thread.top - (uintptr_t)self->stack;
    return used < self->stack_frames * sizeof(struct hcct_frame) ? used : 0;
}

void hcct_stack_shrink(void)
{
    enum { SPARE = 8 * PAGE_FRAMES };
    struct hcct_block *worker = hcct_block_current();
    const struct hcct_frame *top = __hcct_thread.top;
    bool inside =
        worker && worker->stack && top >= worker->stack && top < worker->stack + worker->stack_frames;
    if (!worker || !worker->stack || worker->outer || hcct_fiber_self || (!inside && top != HCCT_ROOT_FRAME))
        return;
    uint32_t used = (uint32_t)(hcct_stack_bytes() / sizeof(struct hcct_frame)), before = worker->stack_frames;
    uint32_t frames =
        (uint32_t)(hcct_memory_share(before * HCCT_STACK_FRAME_BYTES, 32) / HCCT_STACK_FRAME_BYTES);
    frames = frames > 2 * used + SPARE ? frames : 2 * used + SPARE;
    frames = frames / (4 * PAGE_FRAMES) * (4 * PAGE_FRAMES); /* whole pages of `pending`, too */
    if (frames >= before)
        return;
    worker->stack_frames = frames;
    if (worker->inner)
        worker->inner->stack_frames = frames;
    hcct_memory_release((char *)(worker->stack + frames), (before - frames) * sizeof *worker->stack);
    hcct_memory_release((char *)(worker->pending + frames), (before - frames) * sizeof *worker->pending);
}
