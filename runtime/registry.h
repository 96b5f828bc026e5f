/* The instrumented objects of the process, and their numbering.
 *
 * Objects announce their records by a PT_NOTE (hcct/abi.h). Those found together are numbered together; one that is
 * found later (dlopen) gets ids behind all others, and calls between it and earlier objects push.
 *
 * Invariants
 *   1. a base or delta that was written never changes;
 *   2. an edge is encoded only if the callee's address, as the dynamic linker resolved it, is the record's own body.
 * Threads: a lock of its own, never held together with the table lock. Signals: discovery is not async-signal-safe. */
#ifndef HCCT_RUNTIME_REGISTRY_H
#define HCCT_RUNTIME_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hcct/abi.h"

struct hcct_object {
    const struct hcct_function *start, *stop;
    char path[256];
    char build_id[65]; /* hexadecimal */
};

/* Finds and numbers the objects that are new. Keeps errno. */
void hcct_registry_discover(void);
/* Whether `id` is any function's. */
bool hcct_registry_is_id(uint64_t id);
size_t hcct_registry_object_count(void);
const struct hcct_object *hcct_registry_object(size_t index);

static inline struct hcct_state *hcct_function_state(const struct hcct_function *function)
{
    return (struct hcct_state *)(uintptr_t)hcct_rel_get(&function->state);
}

/* The function that the site's callee is now, or NULL: unknown, or not instrumented. Registered functions only; linear
 * in nothing, but needs the table of bodies that hcct_registry_open_bodies makes. */
struct hcct_bodies;
struct hcct_bodies *hcct_registry_open_bodies(size_t object_count);
void hcct_registry_close_bodies(struct hcct_bodies *bodies);
/* Index of the callee among all functions, objects in order; or HCCT_NO_INDEX. */
uint32_t hcct_registry_callee(const struct hcct_bodies *bodies, const struct hcct_site *site);

#endif
