/* See stack.h. A thread's stack is reserved memory; only touched pages cost anything. After it comes
 * `pending`, the scratch memory for walks, also for those of fibers' stacks.
 * Atomics: `overflowed` is a plain word in a page that may be mapped from a file, so builtins. */
#define _GNU_SOURCE
#include "runtime/stack/stack.h"

#include <stdatomic.h>

#include "encoding/context.h"
#include "runtime/base/machine_context.h"
#include "runtime/base/memory.h"
#include "runtime/core/block.h"
#include "runtime/core/notice.h"
#include "runtime/core/tables.h"
#include "runtime/core/threads.h"
#include "runtime/stack/fiber.h"
#include "runtime/stack/frame.h"
#include "runtime/stack/settings.h"

struct hcct_stack_settings hcct_stack_settings = { .memory = UINT64_C(32) << 20 };

/* Arbitrary words. A handler's root has the hash of the seed and the signal as its prefix. */
#define SIGNAL_SEED UINT64_C(0x7369676e616c2121)
#define BARRIER_PREFIX UINT64_C(0x6c6f737420737463)
#define OVERFLOW_PREFIX UINT64_C(0x6375742068657265)
/* Of a frame and its place in `pending`. */
#define FRAME_BYTES (sizeof(struct hcct_frame) + sizeof(const struct hcct_frame *))

/* The stack of threads for which there is no memory. All of them push here, so their chains are lost. The
 * first frame is a root. */
static _Alignas(HCCT_STACK_PAGE_BYTES) struct hcct_frame
    last_resort[HCCT_STACK_PAGE_BYTES / sizeof(struct hcct_frame)] = { { .sp = UINTPTR_MAX } };

uint64_t hcct_stack_overflow_count(void)
{
    return __atomic_load_n(&hcct_tables.overflowed, __ATOMIC_RELAXED);
}

enum { PAGE_FRAMES = HCCT_STACK_PAGE_BYTES / sizeof(struct hcct_frame) };

/* The first thread gets a larger share of the address space, as its recursion may be deep. There may be many
 * other threads. */
static uint32_t wanted_frames(const struct hcct_block *block)
{
    enum { PARTS_FIRST = 32, PARTS = 512, LEAST = 8 * PAGE_FRAMES };
    unsigned parts = block->thread == hcct_process_id() ? PARTS_FIRST : PARTS;
    size_t frames = hcct_memory_share(HCCT_STACK_FRAMES * FRAME_BYTES, parts) / FRAME_BYTES;
    return frames < LEAST ? LEAST : (uint32_t)(frames / LEAST * LEAST);
}

static bool make_thread_stack(struct hcct_block *block)
{
    if (block->stack.frames)
        return true;
    uint32_t frames = wanted_frames(block);
    char *memory = NULL;
    while (!(memory = hcct_memory_reserve(frames * FRAME_BYTES)) && frames >= 16 * PAGE_FRAMES)
        frames = frames / (16 * PAGE_FRAMES) * (8 * PAGE_FRAMES);
    if (!memory)
        return false;
    struct hcct_frame *bottom = (struct hcct_frame *)memory;
    *bottom = (struct hcct_frame){ .sp = UINTPTR_MAX };
    /* a handler in between must find all of it or none: `frames` tells that there is one */
    for (struct hcct_block *level = block; level; level = level->outer) {
        level->stack.count = frames;
        level->stack.pending = (const struct hcct_frame **)(bottom + frames);
        atomic_signal_fence(memory_order_seq_cst);
        level->stack.frames = bottom;
    }
    return true;
}

struct bounds {
    struct hcct_frame *start, *end;
};

/* The context stack in use: that of the thread's fiber, or the thread's own. It is made at the first call.
 * Empty if there is no memory. */
static struct bounds current_stack(void)
{
    hcct_notice();
    struct hcct_block *block = hcct_block_self();
    struct hcct_fiber *fiber = hcct_fiber_place.self;
    if (!block || !make_thread_stack(block) || (fiber && !hcct_fiber_make_frames(fiber)))
        return (struct bounds){ NULL, NULL };
    return fiber ? (struct bounds){ fiber->frames, fiber->frames + fiber->frame_count }
                 : (struct bounds){ block->stack.frames, block->stack.frames + block->stack.count };
}

/* Puts an overflow frame on a full stack, in place of the first frame of its last page. The frames of that
 * page are lost, and later pushes use it again. The overflow frame has the stack pointer of the newest lost
 * frame, and is popped in its place. The pops of the other lost frames find nothing, which does no harm. */
static struct hcct_frame *push_overflow(const struct bounds *stack)
{
    const struct hcct_frame *newest = stack->end - 1;
    while (newest > stack->start && hcct_frame_is_root(newest)) /* a barrier */
        newest--;
    uintptr_t sp = hcct_frame_is_tail(newest) ? HCCT_TAIL_SP(newest->tail) : newest->sp;
    struct hcct_frame *place =
        stack->end - PAGE_FRAMES > stack->start ? stack->end - PAGE_FRAMES : stack->start + 1;
    *place = (struct hcct_frame){ .prefix = OVERFLOW_PREFIX, .sp = sp, .tail = HCCT_FRAME_BARRIER };
    return place;
}

void hcct_stack_grow(void)
{
    struct hcct_frame *top = __hcct_thread.top;
    struct bounds stack = current_stack();
    if (top == HCCT_ROOT_FRAME && stack.start) {
        *stack.start = (struct hcct_frame){ .sp = UINTPTR_MAX }; /* perhaps an earlier thread's */
        __hcct_thread.top = stack.start;
        return;
    }
    bool inside = top >= stack.start && top < stack.end;
    if (inside && top + 1 != stack.end)
        return;
    __atomic_fetch_add(&hcct_tables.overflowed, PAGE_FRAMES - 1, __ATOMIC_RELAXED);
    __hcct_thread.top = inside ? push_overflow(&stack) : last_resort;
}

void hcct_stack_begin(uint64_t base)
{
    const struct hcct_block *block = hcct_block_self() ? hcct_block_outermost() : NULL;
    struct bounds stack = current_stack();
    if (__hcct_thread.top != HCCT_ROOT_FRAME || !stack.start || !block)
        return;
    hcct_threads_begin(block->number, base);
    *stack.start = (struct hcct_frame){ hcct_context_thread(block->number), 0, UINTPTR_MAX,
                                        (uint64_t)block->number << 32 };
    __hcct_thread.top = stack.start;
}

void hcct_stack_enter_signal(int signal, const void *context)
{
    struct hcct_frame *top = __hcct_thread.top;
    struct bounds stack = current_stack();
    if (top == HCCT_ROOT_FRAME && stack.start) /* perhaps in the middle of the thread's first push */
        top = stack.start;
    if (top < stack.start || top + 5 >= stack.end) {
        __atomic_fetch_add(&hcct_tables.overflowed, 1, __ATOMIC_RELAXED);
        __hcct_thread.top = last_resort;
        return;
    }
    /* Twice: a signal that came before `top` moved has used the same places. */
    for (int i = 0; i < 2; i++) {
        /* the interrupted state, for hcct_walk_interrupted */
        top[2] = (struct hcct_frame){ (uintptr_t)context, 0, hcct_machine_context_sp(context),
                                      (uint64_t)(uintptr_t)top };
        top[3] = (struct hcct_frame){ hcct_context_push(SIGNAL_SEED, 2 * (uint64_t)signal + 1), 0,
                                      UINTPTR_MAX, (uint64_t)signal };
        atomic_signal_fence(memory_order_seq_cst);
        __hcct_thread.top = &top[3];
        atomic_signal_fence(memory_order_seq_cst);
    }
}

struct hcct_frame *hcct_stack_enter_callback(uintptr_t sp)
{
    struct hcct_frame *frame = hcct_stack_place(__hcct_thread.top);
    *frame = (struct hcct_frame){ .prefix = OVERFLOW_PREFIX, .sp = sp, .tail = HCCT_FRAME_BARRIER };
    __hcct_thread.top = frame;
    return frame;
}

void hcct_stack_leave_callback(struct hcct_frame *frame)
{
    if (__hcct_thread.top >= frame && __hcct_thread.top - frame < HCCT_STACK_FRAMES)
        __hcct_thread.top = frame - 1;
}

/* Whether the call that returns while `top` is the newest frame may have a lost one. Calls with lost frames
 * were made when the stack was full. They return while the frames below its last page are still there. */
static bool may_be_lost(const struct hcct_frame *top)
{
    struct bounds stack = current_stack();
    return top != HCCT_ROOT_FRAME &&
           (!stack.start || top < stack.start || top + 1 >= stack.end - PAGE_FRAMES);
}

/* The program has switched to another stack by its own code (assembly, Boost.Context), and the newest frames
 * belong to that stack. Usually the frame of the call that returned is below them: all down to it are popped.
 * Otherwise other frames may have taken its place, and nobody knows what the frames below `top` belong to.
 * They must not become the callers of fresh entries, so a barrier goes above them. */
void hcct_stack_resync(uintptr_t sp)
{
    struct hcct_frame *top = __hcct_thread.top, *own = top;
    if (hcct_stack_is_near(top->sp, sp) || may_be_lost(top))
        return;
    while (!hcct_stack_is_near(own->sp, sp) && (!hcct_frame_is_root(own) || hcct_frame_is_barrier(own)))
        own--;
    if (hcct_stack_is_near(own->sp, sp)) {
        __hcct_thread.top = own - 1;
    } else if (!hcct_frame_is_barrier(top)) {
        struct hcct_frame *frame = hcct_stack_place(top);
        *frame = (struct hcct_frame){ BARRIER_PREFIX, 0, UINTPTR_MAX, HCCT_FRAME_BARRIER };
        __hcct_thread.top = frame;
    }
}

size_t hcct_stack_bytes(void)
{
    const struct hcct_block *self = hcct_block_current();
    if (!self || !self->stack.frames)
        return 0;
    uintptr_t used = (uintptr_t)__hcct_thread.top - (uintptr_t)self->stack.frames;
    return used < self->stack.count * sizeof(struct hcct_frame) ? used : 0;
}

void hcct_stack_shrink(void)
{
    enum { SPARE = 8 * PAGE_FRAMES };
    struct hcct_block *block = hcct_block_current();
    const struct hcct_frame *top = __hcct_thread.top;
    if (!block || !block->stack.frames || block->outer || hcct_fiber_place.self)
        return;
    struct hcct_stack_memory *stack = &block->stack;
    bool inside = top >= stack->frames && top < stack->frames + stack->count;
    if (!inside && top != HCCT_ROOT_FRAME)
        return;
    uint32_t used = (uint32_t)(hcct_stack_bytes() / sizeof(struct hcct_frame)), before = stack->count;
    uint32_t frames = (uint32_t)(hcct_memory_share(before * FRAME_BYTES, 32) / FRAME_BYTES);
    frames = frames > 2 * used + SPARE ? frames : 2 * used + SPARE;
    frames = frames / (4 * PAGE_FRAMES) * (4 * PAGE_FRAMES); /* whole pages of `pending` too */
    if (frames >= before)
        return;
    stack->count = frames;
    hcct_memory_release((char *)(stack->frames + frames), (before - frames) * sizeof *stack->frames);
    hcct_memory_release((char *)(stack->pending + frames), (before - frames) * sizeof *stack->pending);
}
