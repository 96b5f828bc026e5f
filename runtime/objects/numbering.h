/* Numbers the objects of the registry: finds the callees of their sites, lets encoding/ number that call
 * graph, and writes bases and deltas to the functions' states. Changes nothing else of an object.
 * Threads: under the registry's lock. Signals: not async-signal-safe. */
#ifndef HCCT_RUNTIME_OBJECTS_NUMBERING_H
#define HCCT_RUNTIME_OBJECTS_NUMBERING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "encoding/context.h"
#include "runtime/objects/registry.h"

/* The number of ids that functions have, from HCCT_ID_FIRST on. */
extern __attribute__((visibility("hidden"))) _Atomic uint64_t hcct_numbering_id_count;

/* Whether `id` is an id of any function. Needs no lock. */
static inline bool hcct_numbering_is_id(uint64_t id)
{
    return hcct_context_is_id(id, HCCT_ID_FIRST,
                              atomic_load_explicit(&hcct_numbering_id_count, memory_order_relaxed));
}

/* All places that functions have (hcct_state.names) are less. Known before a function runs that has its id.
 * Grows. */
extern __attribute__((visibility("hidden"))) _Atomic uint32_t hcct_numbering_place_count;
static inline uint32_t hcct_numbering_places(void)
{
    return atomic_load_explicit(&hcct_numbering_place_count, memory_order_relaxed);
}

/* Whether calls of library functions may be noted (HCCT_DELTA_NOTED) if the meter asks for it: only if every
 * jump out of one is seen, and recursion is not folded. Set before anything is numbered. */
extern __attribute__((visibility("hidden"))) bool hcct_numbering_notes;

enum hcct_numbered {
    HCCT_NUMBERED,
    HCCT_NUMBERED_NOT,   /* memory or ids are short */
    HCCT_NUMBERED_TWICE, /* two parts of the process were each linked as a whole program, with the same ids */
};

/* Takes over the numbers that the link wrote for the first object, which is new and the only one: `id_count`
 * ids. */
enum hcct_numbered hcct_numbering_adopt(uint64_t id_count);
/* Adds the enterable function at `address`, if there is one, to the table of bodies.h. That table has no
 * functions of an adopted object at first. After a few calls this adds all of them. */
void hcct_numbering_find_body(const void *address);
/* Numbers the objects [first, end), which are new. Older objects keep their ids. */
enum hcct_numbered hcct_numbering_begin(size_t first, size_t end);
/* Adds the functions of the object at `index` to the table of bodies.h. hcct_numbering_fits needs those of
 * all objects that are loaded. */
void hcct_numbering_enter(size_t index);
/* Whether the object at `index`, which is loaded again, may have its old ids (invariant 3 of registry.h), if
 * the others that are loaded again have theirs. `count`: of all objects. */
bool hcct_numbering_fits(size_t index, size_t count);
/* Gives the functions of the objects that are loaded again their old ids. New objects are numbered before. */
void hcct_numbering_repeat(size_t count);

#endif
