/* The instrumented functions that are loaded and that other code can reach, by the address of their code: an
 * open hash table that is only added to, but for what is unloaded.
 *
 * Threads and signals: changed under the registry's lock; looked up without one, also in signal handlers,
 * since a slot's address is written last and tables that were grown out of stay readable. */
#ifndef HCCT_RUNTIME_OBJECTS_BODIES_H
#define HCCT_RUNTIME_OBJECTS_BODIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hcct/abi.h"

struct hcct_body {
    const void *address; /* NULL: free; HCCT_BODY_GONE: unloaded */
    struct hcct_state *state;
};
#define HCCT_BODY_GONE ((const void *)1)

struct hcct_bodies {
    size_t mask;
    size_t used; /* slots that are not free */
    struct hcct_body slots[];
};

/* Hidden, as all of ours: told so, the compiler finds it without a table of addresses. */
extern __attribute__((visibility("hidden"))) struct hcct_bodies *hcct_bodies;

static inline size_t hcct_bodies_hash(const void *address)
{
    return (size_t)(((uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15)) >> 20);
}

/* The state of the function whose code begins at `address`, or NULL. */
static inline __attribute__((always_inline)) struct hcct_state *hcct_bodies_find(const void *address)
{
    const struct hcct_bodies *bodies = __atomic_load_n(&hcct_bodies, __ATOMIC_ACQUIRE);
    for (size_t at = hcct_bodies_hash(address);; at++) {
        const struct hcct_body *slot = &bodies->slots[at & bodies->mask];
        const void *here = __atomic_load_n(&slot->address, __ATOMIC_ACQUIRE);
        if (here == address)
            return slot->state;
        if (!here)
            return NULL;
    }
}

/* Makes room for so many functions at once, if there is memory. */
void hcct_bodies_expect(size_t count);
/* Adds a function, unless one stands at its address already. False without memory: then it is not found, no
 * more. */
bool hcct_bodies_add(const struct hcct_function *function);
/* Takes out what lies in [start, end). */
void hcct_bodies_remove(uintptr_t start, uintptr_t end);

#endif
