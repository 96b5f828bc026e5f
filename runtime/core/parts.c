/* See parts.h. */
#define _GNU_SOURCE
#include "runtime/core/parts.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/confined.h"

struct hcct_part hcct_parts[HCCT_PARTS];
_Thread_local volatile uint8_t hcct_parts_held = HCCT_PARTS_NONE;

/* Who holds it has work for some time, or waits for a processor. */
void hcct_parts_back_off(unsigned spins)
{
    if (spins >= HCCT_PARTS_SPINS && !hcct_confined)
        syscall(SYS_nanosleep, &(struct timespec){ .tv_nsec = 100000 }, NULL);
}

__attribute__((noinline)) void hcct_parts_wait(unsigned part)
{
    atomic_int *lock = &hcct_parts[part].lock;
    unsigned spins = 0;
    do
        while (atomic_load_explicit(lock, memory_order_relaxed))
            hcct_parts_back_off(spins++);
    while (atomic_exchange_explicit(lock, 1, memory_order_acquire));
}

void hcct_parts_lock_all(void)
{
    for (unsigned part = 0; part < HCCT_PARTS; part++)
        if (atomic_exchange_explicit(&hcct_parts[part].lock, 1, memory_order_acquire))
            hcct_parts_wait(part);
    hcct_parts_held = HCCT_PARTS_ALL;
}

void hcct_parts_unlock_all(void)
{
    hcct_parts_held = HCCT_PARTS_NONE;
    for (unsigned part = 0; part < HCCT_PARTS; part++)
        atomic_store_explicit(&hcct_parts[part].lock, 0, memory_order_release);
}

bool hcct_parts_let_go(void)
{
    uint8_t held = hcct_parts_held;
    if (held == HCCT_PARTS_ALL)
        hcct_parts_unlock_all();
    else if (held != HCCT_PARTS_NONE)
        hcct_parts_unlock(held);
    return held != HCCT_PARTS_NONE;
}

bool hcct_parts_init(void)
{
    bool was_held = false;
    for (unsigned part = 0; part < HCCT_PARTS; part++)
        was_held |= atomic_exchange_explicit(&hcct_parts[part].lock, 0, memory_order_relaxed);
    hcct_parts_held = HCCT_PARTS_NONE;
    return was_held;
}
