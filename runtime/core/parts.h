/* Locks for a meter that keeps its data in parts. A thread usually locks its own part only, without the table
 * lock. Whoever needs more takes the table lock first, and then the locks of all parts.
 *
 * Invariants
 *   1. who holds the lock of one part waits for no other lock;
 *   2. fork takes all of them, so that a child finds whole parts.
 * Take one only while busy. Like the table lock, they are not recursive. */
#ifndef HCCT_RUNTIME_CORE_PARTS_H
#define HCCT_RUNTIME_CORE_PARTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { HCCT_PARTS = 32, HCCT_PARTS_NONE, HCCT_PARTS_ALL };

struct hcct_part {
    _Alignas(64) atomic_int lock;
};
extern __attribute__((visibility("hidden"))) struct hcct_part hcct_parts[HCCT_PARTS];
/* Which part the calling thread has locked; HCCT_PARTS_NONE; HCCT_PARTS_ALL. */
extern __attribute__((visibility("hidden"))) _Thread_local volatile uint8_t hcct_parts_held;

/* Waits a little before the next try for a lock that was tried `spins` times: first not at all. */
void hcct_parts_back_off(unsigned spins);
enum { HCCT_PARTS_SPINS = 20 };
__attribute__((cold)) void hcct_parts_wait(unsigned part);

static inline void hcct_parts_lock(unsigned part)
{
    if (__builtin_expect(atomic_exchange_explicit(&hcct_parts[part].lock, 1, memory_order_acquire), 0))
        hcct_parts_wait(part);
    hcct_parts_held = (uint8_t)part;
}

static inline void hcct_parts_unlock(unsigned part)
{
    hcct_parts_held = HCCT_PARTS_NONE;
    atomic_store_explicit(&hcct_parts[part].lock, 0, memory_order_release);
}

/* Under the table lock. */
void hcct_parts_lock_all(void);
void hcct_parts_unlock_all(void);
/* Unlocks what the calling thread has locked, if anything. Returns whether it had. */
bool hcct_parts_let_go(void);
/* In a forked child: frees all. Returns whether one was held. */
bool hcct_parts_init(void);

#endif
