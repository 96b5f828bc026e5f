/* The memory of context stacks, and the roots that stand in them. frame.h says what their frames are; push.c pushes, walk.c walks. */
#include "runtime/stack.h"

#include "runtime/count.h"
#include "runtime/fiber.h"
#include "runtime/frame.h"
#include "runtime/memory.h"
#include "runtime/process.h"
#include "runtime/thread.h"

#define SIGNAL_SEED                                                                                          \
    UINT64_C(0x7369676e616c2121) /* any word: h of a handler's root is a mix of it and the signal */
#define COVER_PREFIX UINT64_C(0x6c6f737420737463) /* any word */

_Alignas(HCCT_STACK_PAGE_BYTES) struct hcct_frame
    hcct_root_page[HCCT_STACK_PAGE_BYTES / sizeof(struct hcct_frame)] = {
        [HCCT_STACK_PAGE_BYTES / sizeof(struct hcct_frame) - 1] = { .sp = UINTPTR_MAX },
    };

/* Where threads push for which there is no memory: their paths are lost, nothing else. frames[0] is a root. */
static _Alignas(HCCT_STACK_PAGE_BYTES) struct hcct_frame
    last_resort[HCCT_STACK_PAGE_BYTES / sizeof(struct hcct_frame)] = { { .sp = UINTPTR_MAX } };

uint64_t hcct_stack_overflow_count(void)
{
    return __atomic_load_n(&hcct_tables.overflowed, __ATOMIC_RELAXED);
}

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

void hcct_stack_leave(uintptr_t sp)
{
    __hcct_thread.top = hcct_frame_drop_dead(__hcct_thread.top, sp);
}

/* The program has switched to another stack by
 * code of its own (assembly, Boost.Context), and what is on top was pushed there. If the frame is below, it is taken off as it
 * should be. Otherwise others may have taken its place: what lies under `top` cannot be known, and must not be taken for the
 * callers of what enters fresh from now on, so a cover goes over it, which nothing explains. */
void hcct_stack_lose(uintptr_t sp)
{
    struct hcct_frame *top = __hcct_thread.top, *own = top;
    if (hcct_stack_overflow_count() || hcct_stack_is_near(top->sp, sp))
        return;
    while (!hcct_stack_is_near(own->sp, sp) && (!hcct_stack_is_root(own) || hcct_stack_is_cover(own)))
        own--;
    if (hcct_stack_is_near(own->sp, sp)) {
        __hcct_thread.top = own - 1;
    } else if (!hcct_stack_is_cover(top)) {
        struct hcct_frame *frame = hcct_stack_next_frame(top);
        *frame = (struct hcct_frame){ COVER_PREFIX, 0, UINTPTR_MAX, HCCT_COVER };
        __hcct_thread.top = frame;
    }
}
