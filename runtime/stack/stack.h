/* The memory of context stacks, and the frames that no push makes: roots, barriers and overflow frames.
 * Threads: each has its own stack. Async-signal-safe; keeps errno. */
#ifndef HCCT_RUNTIME_STACK_STACK_H
#define HCCT_RUNTIME_STACK_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hcct/abi.h"

/* Makes room for one frame above the thread's top. The top may move. */
__attribute__((preserve_most, noinline, cold)) void hcct_stack_grow(void);
/* With threads=split, at an entry from code that is not instrumented: if the stack is empty, gives it the
 * root of the thread. `base` is that of the entered function. */
void hcct_stack_begin(uint64_t base);

/* The place for a frame above `top`. Only a frame that begins a page may need memory. */
static inline __attribute__((always_inline)) struct hcct_frame *hcct_stack_place(struct hcct_frame *top)
{
    __hcct_thread.top = top;
    if (((uintptr_t)(top + 1) & (HCCT_STACK_PAGE_BYTES - 1)) == 0)
        hcct_stack_grow();
    return __hcct_thread.top + 1;
}

/* Whether two stack pointers are of one activation, one of them perhaps taken in outlined code. */
static inline bool hcct_stack_is_near(uintptr_t a, uintptr_t b)
{
    return a - b + 64 <= 128;
}

/* A call has returned at `sp`, and the newest frame is not the one that it pushed. */
__attribute__((preserve_most, noinline, cold)) void hcct_stack_resync(uintptr_t sp);
/* Puts a handler's root on the context stack. The interrupted code may be writing the frame above the top,
 * so that one is left alone. `context`: the interrupted machine context. */
void hcct_stack_enter_signal(int signal, const void *context);
/* The program's own code is called in the middle of an entry's count. A fresh entry in it must not take the
 * newest frame for its caller's, nor drop it: a tail push is not told from a dead one there. So this puts a
 * frame on top that ends every chain, and is dead above `sp`, where that code was called. The other function
 * takes it off. */
struct hcct_frame *hcct_stack_enter_callback(uintptr_t sp);
void hcct_stack_leave_callback(struct hcct_frame *frame);
/* Gives back memory that the calling thread's context stack does not need now: address space is going to be
 * limited. */
void hcct_stack_shrink(void);
/* The memory of the calling thread's context stack in bytes, about. */
size_t hcct_stack_bytes(void);
/* The number of pushes beyond the limit of a context stack, or slightly more. */
uint64_t hcct_stack_overflow_count(void);

#endif
