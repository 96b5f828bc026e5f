/* See random.h. */
#include "runtime/base/random.h"

#include <stdatomic.h>
#include <sys/auxv.h>

static _Thread_local uint64_t state; /* 0: not seeded yet */
static uint64_t of_process;          /* differs between forked processes; 0 in the first one */

static uint64_t begin(void)
{
    static atomic_uint_fast64_t threads;
    /* 16 bytes from the kernel; the C library uses the first 8 */
    const uint64_t *given = (const uint64_t *)getauxval(AT_RANDOM);
    uint64_t seed = (given ? given[1] : 0) +
                    (atomic_fetch_add(&threads, 1) + 1) * UINT64_C(0x9e3779b97f4a7c15) + of_process;
    return seed ? seed : 1;
}

void hcct_random_after_fork(uint64_t process)
{
    of_process = (of_process + process) * UINT64_C(0xd1342543de82ef95);
    state = 0;
}

/* xorshift64* (Vigna 2016). Its state is never 0. */
uint64_t hcct_random_below(uint64_t limit)
{
    uint64_t next = state ? state : begin();
    next ^= next >> 12;
    next ^= next << 25;
    next ^= next >> 27;
    state = next;
    return (next * UINT64_C(0x2545f4914f6cdd1d) >> 32) * limit >> 32;
}
