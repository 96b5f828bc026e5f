/* See busy.h. */
#define _GNU_SOURCE
#include "runtime/core/busy.h"

#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

_Thread_local struct hcct_busy hcct_busy;

/* --- a thread that had no lock -------------------------------------------------------------------- */

_Atomic int hcct_busy_alone; /* pairs with the load in heap/section.c */

void hcct_busy_interrupt_alone(void)
{
    atomic_store_explicit(&hcct_busy_alone, (int)syscall(SYS_gettid), memory_order_release);
    hcct_busy.deferred = true; /* so that hcct_busy_leave ends it */
}

bool hcct_busy_end_alone(void)
{
    int alone = atomic_load_explicit(&hcct_busy_alone, memory_order_relaxed);
    if (!alone || alone != (int)syscall(SYS_gettid))
        return false;
    atomic_store_explicit(&hcct_busy_alone, 0, memory_order_release);
    return true;
}

bool hcct_busy_forget_alone(void)
{
    return atomic_exchange_explicit(&hcct_busy_alone, 0, memory_order_relaxed) != 0;
}

/* --- the end of the program's stack --------------------------------------------------------------- */

/* Makes the compiler reserve all of `room`. */
static inline __attribute__((always_inline)) void keep(volatile char *room)
{
    __asm__ volatile("" : : "r"(room));
}

/* The stack pointer itself moves down and up again. A plain read below the stack pointer would be an error
 * for debugging tools. */
void hcct_busy_probe(void)
{
    if (hcct_busy.stack_is_alternate)
        return;
    volatile char room[HCCT_STACK_TO_COUNT];
    keep(room);
    (void)room[0];
}

void hcct_busy_probe_far(void)
{
    if (hcct_busy.stack_is_alternate)
        return;
    volatile char room[HCCT_STACK_TO_WRITE];
    keep(room);
    for (size_t at = sizeof room; at >= HCCT_STACK_TO_COUNT; at -= HCCT_STACK_TO_COUNT)
        (void)room[at - HCCT_STACK_TO_COUNT]; /* downwards, as a stack grows page by page */
}

/* --- cancellation --------------------------------------------------------------------------------- */

struct hcct_busy_cancel_type hcct_busy_cancel_type;

/* Finds the bit by trying: it is the only one that pthread_setcanceltype changes in the thread's data. If
 * that data changes in any other way, the place stays unknown. Reading the bit directly matters, because a
 * call of pthread_setcanceltype costs as much as a whole miss. */
void hcct_busy_start(void)
{
#if defined(__GLIBC__)
    enum { WORDS = 256 };
    const volatile uint32_t *data = (const volatile uint32_t *)pthread_self();
    uint32_t before[WORDS], bits = 0, at = 0, changed = 0;
    int type;
    for (uint32_t i = 0; i < WORDS; i++)
        before[i] = data[i];
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
    for (uint32_t i = 0; i < WORDS; i++)
        if (data[i] != before[i]) {
            bits = data[i] ^ before[i];
            at = i;
            changed++;
        }
    pthread_setcanceltype(type, NULL);
    if (changed == 1 && !(bits & (bits - 1)) && data[at] == before[at])
        hcct_busy_cancel_type = (struct hcct_busy_cancel_type){
            (int32_t)((uintptr_t)&data[at] - (uintptr_t)__builtin_thread_pointer()), bits
        };
#endif
}

/* Changes the cancellation type, not its state: while a cancellation is under way, glibc's handler looks at
 * the type only. */
void hcct_busy_cancel_hold(void)
{
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
    hcct_busy.cancel_held = true;
}

/* Restores the type. A cancellation that is pending ends the thread here. */
void hcct_busy_cancel_release(void)
{
    if (hcct_busy.depth)
        return;
    hcct_busy.cancel_held = false;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
}
