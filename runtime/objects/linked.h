/* Whether the link has numbered this executable (hcct/linked.h), and how. */
#ifndef HCCT_RUNTIME_OBJECTS_LINKED_H
#define HCCT_RUNTIME_OBJECTS_LINKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/objects/registry.h"

/* Whether the states of the program's objects at start have the numbers that the link wrote, and numbering
 * them now would lead to the same. If so, *id_count is the number of ids; if not, verbosity=2 says why. Reads
 * all records and states: some 2.5 instructions for each of their words. */
bool hcct_linked_fits(const struct hcct_object *objects, size_t object_count, uint64_t *id_count);
/* The build (output/build.h) as long as the executable is the only object, if its numbers hold; otherwise
 * 0. */
uint64_t hcct_linked_build(void);
/* The same for the filter of names (output/names.h), which is copied from the states of the records from
 * `start` on. False: it is not there, or not of that size. */
bool hcct_linked_names(const struct hcct_function *start, uint64_t *filter, uint64_t words);

#endif
