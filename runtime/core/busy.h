/* The calling thread is inside the profiler: its state may be in the middle of a change. */
#ifndef HCCT_RUNTIME_CORE_BUSY_H
#define HCCT_RUNTIME_CORE_BUSY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Between these two, signal handlers are put off until the second (signals.c), and so is asynchronous
 * cancellation. They nest. */
extern _Thread_local volatile uint32_t hcct_busy;
extern _Thread_local volatile bool hcct_deferred;
/* seam: made by boundary/signals.c. Calls the handlers that were put off. */
void hcct_signals_redeliver(void);
/* Whether the program's handler of a fault runs that struck inside the profiler. No signal is put off then:
 * it may be the handler that ends the program, and the profiler may never be left. */
extern _Thread_local volatile bool hcct_faulted;

/* Where in the C library's data of a thread it says that the thread may be cancelled anywhere, from the
 * thread pointer; mask 0: not known. */
struct hcct_cancel_type {
    int32_t offset;
    uint32_t mask;
};
extern struct hcct_cancel_type hcct_cancel_type;
extern _Thread_local volatile bool hcct_cancel_held;
/* Finds it. Once. */
void hcct_busy_start(void);
void hcct_cancel_hold(void);
void hcct_cancel_release(void);

static inline bool hcct_cancel_is_asynchronous(void)
{
#if defined(__x86_64__)
    uint32_t word;
    __asm__ volatile("movl %%fs:(%1), %0" : "=r"(word) : "r"((intptr_t)hcct_cancel_type.offset));
#else
    const char *data = (const char *)__builtin_thread_pointer() + hcct_cancel_type.offset;
    uint32_t word = *(const volatile uint32_t *)data;
#endif
    return word & hcct_cancel_type.mask;
}

/* The stack of the program ends wherever it ends, and a program may catch that on an alternate stack and go
 * on. So the profiler reads the far end of the stack that it will need before it is busy: a fault strikes
 * there, with all tables whole and no lock held. What it needs at most: to count, and to number objects or
 * write a profile. */
#define HCCT_STACK_TO_COUNT 2048
#define HCCT_STACK_TO_WRITE 12288
/* Handlers on an alternate stack are not probed for: such stacks are small, and nothing catches their end. */
extern _Thread_local volatile bool hcct_stack_is_alternate;
__attribute__((preserve_most, noinline)) void hcct_stack_probe(void);
__attribute__((preserve_most, noinline, cold)) void hcct_stack_probe_far(void);

/* For code that has probed. */
static inline void hcct_busy_enter_probed(void)
{
    hcct_busy++;
    atomic_signal_fence(memory_order_seq_cst);
    if (__builtin_expect(hcct_cancel_is_asynchronous(), 0))
        hcct_cancel_hold();
}

static inline void hcct_busy_enter(void)
{
    if (!hcct_busy)
        hcct_stack_probe();
    hcct_busy_enter_probed();
}

/* For what needs HCCT_STACK_TO_WRITE. */
static inline void hcct_busy_enter_to_write(void)
{
    if (!hcct_busy)
        hcct_stack_probe_far();
    hcct_busy_enter_probed();
}

static inline void hcct_busy_leave(void)
{
    atomic_signal_fence(memory_order_seq_cst);
    if (--hcct_busy == 0 && __builtin_expect(hcct_deferred, 0))
        hcct_signals_redeliver();
    if (__builtin_expect(hcct_cancel_held, 0))
        hcct_cancel_release();
}

#endif
