/* The enterable functions of all loaded objects, by the address of their code. A hash table with open
 * addressing.
 *
 * Threads and signals: changed under the registry's lock. Looked up without a lock, also in signal handlers:
 * the address of a slot is written last, and a table is kept when a larger one replaces it. */
#ifndef HCCT_RUNTIME_OBJECTS_BODIES_H
#define HCCT_RUNTIME_OBJECTS_BODIES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hcct/abi.h"

struct hcct_body {
    const void *_Atomic address; /* NULL: free; HCCT_BODY_GONE: unloaded */
    struct hcct_state *state;
};
#define HCCT_BODY_GONE ((const void *)1)

struct hcct_bodies {
    size_t mask;
    size_t used; /* slots that are not free */
    struct hcct_body slots[];
};

/* Declared hidden, so that the compiler does not use the global offset table. */
extern __attribute__((visibility("hidden"))) struct hcct_bodies *_Atomic hcct_bodies;

/* Functions of an object that the link numbered may not be in the table yet. Whoever finds nothing asks
 * hcct_discover_body, and looks again. Pairs with the stores in numbering.c. */
extern __attribute__((visibility("hidden"))) atomic_bool hcct_bodies_wait;

static inline size_t hcct_bodies_hash(const void *address)
{
    return (size_t)(((uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15)) >> 20);
}

/* The state of the function whose code begins at `address`, or NULL. The loads pair with the stores in `grow`
 * and `put`. */
static inline __attribute__((always_inline)) struct hcct_state *hcct_bodies_find(const void *address)
{
    const struct hcct_bodies *bodies = atomic_load_explicit(&hcct_bodies, memory_order_acquire);
    for (size_t at = hcct_bodies_hash(address);; at++) {
        const struct hcct_body *slot = &bodies->slots[at & bodies->mask];
        const void *here = atomic_load_explicit(&slot->address, memory_order_acquire);
        if (here == address)
            return slot->state;
        if (!here)
            return NULL;
    }
}

/* Makes room for `count` more functions, if there is memory. */
void hcct_bodies_expect(size_t count);
/* Adds a function, unless its address has one already. False if memory is short: then hcct_bodies_find does
 * not find it. */
bool hcct_bodies_add(const struct hcct_function *function);
/* Removes the functions in [start, end). */
void hcct_bodies_remove(uintptr_t start, uintptr_t end);

#endif
