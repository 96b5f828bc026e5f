/* With which function the acyclic path of an id begins, and which functions push at a site. Both tell whether
 * a word can have been made from a frame, where ranges of ids alone leave a doubt (stack/walk.c).
 *
 * Objects that were numbered at different times have no numbered calls between them, so each such group has a
 * table of its own. A table is made when it is first asked for: most programs never ask.
 * Threads and signals: tables are made under the registry's lock, are never changed and never freed. Looked
 * up without a lock. Async-signal-safe; keeps errno. */
#ifndef HCCT_RUNTIME_OBJECTS_ORIGINS_H
#define HCCT_RUNTIME_OBJECTS_ORIGINS_H

#include <stdbool.h>
#include <stdint.h>

#define HCCT_ORIGIN_NONE UINT64_C(0)
#define HCCT_ORIGIN_UNKNOWN UINT64_MAX

/* The base of the function with which the path of `id` begins. HCCT_ORIGIN_NONE: no function has the id, or
 * none that pushes at `site` (0: any function will do). HCCT_ORIGIN_UNKNOWN: there is no memory for a table,
 * or another thread keeps the registry's lock. Cost: O(log(functions + sites)) for each call of the path. */
uint64_t hcct_origins_first(uint64_t id, uint64_t site);

/* Whether the function with that base is the program's main, which most paths begin with, and no call names
 * it. Then no push leads to it, but where the program calls it through a pointer. */
bool hcct_origins_is_main(uint64_t base);

/* The most paths that can lead from the function with which the path of `id` begins to the one that has the
 * id: each context of the first one goes on by each of them. UINT64_MAX: not known. */
uint64_t hcct_origins_paths(uint64_t id);

#endif
