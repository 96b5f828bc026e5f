/* Marks the calling thread as inside the profiler, where its state may be in the middle of a change.
 *
 * Usually code calls hcct_busy_enter, changes the tables, and calls hcct_busy_leave. In between, signal
 * handlers and asynchronous cancellation wait (boundary/put_off.c). The pairs nest. */
#ifndef HCCT_RUNTIME_CORE_BUSY_H
#define HCCT_RUNTIME_CORE_BUSY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/machine.h"
#include "runtime/core/hooks.h"

struct hcct_busy {
    volatile uint32_t depth; /* how many times the thread has entered and not left */
    volatile bool deferred;  /* a signal waits until it leaves */
    /* A fault struck inside the profiler, and the program's handler of it runs. Then no signal is put off:
     * one of them may be what ends the program, and the profiler may never be left. */
    volatile bool faulted;
    /* The thread is on an alternate stack, or the stack may be almost full, as in the handler of a tick. Then
     * nothing is probed: such stacks are small, and no handler catches their end. */
    volatile bool stack_is_alternate;
    volatile bool cancel_held; /* asynchronous cancellation was put off */
};
extern _Thread_local struct hcct_busy hcct_busy;

/* The id of the thread that a fault interrupted inside the profiler while it worked without a lock, as it was
 * alone in the process; 0: none. The handler of the fault may make threads. These leave alone what that
 * thread may be changing, until it has left the profiler. */
extern _Atomic int hcct_busy_alone;
/* The calling thread is that one from now on, until it leaves. */
void hcct_busy_interrupt_alone(void);
/* The calling thread has left. Returns whether it was that one. */
bool hcct_busy_end_alone(void);
/* In a forked child: there is no such thread any more. Returns whether there was. */
bool hcct_busy_forget_alone(void);

/* The place of the C library's bit for asynchronous cancellation: a 32-bit word at this offset from the
 * thread pointer, and a mask. mask 0: not known. */
struct hcct_busy_cancel_type {
    int32_t offset;
    uint32_t mask;
};
extern struct hcct_busy_cancel_type hcct_busy_cancel_type;
/* Finds that place. Once. */
void hcct_busy_start(void);
void hcct_busy_cancel_hold(void);
void hcct_busy_cancel_release(void);

static inline bool hcct_busy_cancel_is_asynchronous(void)
{
    return hcct_machine_thread_word(hcct_busy_cancel_type.offset) & hcct_busy_cancel_type.mask;
}

/* The program's stack may overflow anywhere, and a program may catch that on an alternate stack and
 * continue. The overflow must not strike in the middle of the profiler. So the profiler touches the far end
 * of the stack that it will need before it is busy. A fault then strikes here, while all tables are whole
 * and no lock is held. The sizes are the most that it needs: to count; to find where a sample was taken, and
 * count it; and to number objects, or write a profile where there is no memory for the runtime's own stack
 * (own_stack.h). */
#define HCCT_STACK_TO_COUNT 2048
#define HCCT_STACK_TO_SAMPLE 3072 /* in the handler of a tick, beside the kernel's part */
#define HCCT_STACK_TO_WRITE 12288
__attribute__((preserve_most, noinline)) void hcct_busy_probe(void);
__attribute__((preserve_most, noinline, cold)) void hcct_busy_probe_far(void);

/* For code that has probed the stack itself. */
static inline void hcct_busy_enter_probed(void)
{
    hcct_busy.depth++;
    atomic_signal_fence(memory_order_seq_cst);
    if (__builtin_expect(hcct_busy_cancel_is_asynchronous(), 0))
        hcct_busy_cancel_hold();
}

static inline void hcct_busy_enter(void)
{
    if (!hcct_busy.depth)
        hcct_busy_probe();
    hcct_busy_enter_probed();
}

/* For code that needs HCCT_STACK_TO_WRITE. */
static inline void hcct_busy_enter_to_write(void)
{
    if (!hcct_busy.depth)
        hcct_busy_probe_far();
    hcct_busy_enter_probed();
}

/* For code that is busy for a few instructions, calls no function meanwhile, and sets hcct_busy.depth to 0
 * itself: its frame is all the stack that it needs. The compiler may store there for the first time while the
 * code is busy. */
static inline __attribute__((always_inline)) void hcct_busy_enter_frame(void)
{
    hcct_machine_touch_frame();
    hcct_busy.depth = 1;
    atomic_signal_fence(memory_order_seq_cst);
}

static inline void hcct_busy_leave(void)
{
    atomic_signal_fence(memory_order_seq_cst);
    if (--hcct_busy.depth == 0 && __builtin_expect(hcct_busy.deferred, 0))
        hcct_guest_hooks.redeliver();
    if (__builtin_expect(hcct_busy.cancel_held, 0))
        hcct_busy_cancel_release();
}

#endif
