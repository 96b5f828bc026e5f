/* metric=heap: functions of the program that give out memory (pass/prepare/allocators.c).
 *
 * What such a function gets from malloc, to keep or to give out, does not count: what it gives out does. Nor
 * do blocks of another such function that it calls: so of several that call each other the outermost counts.
 * This is asked once for each context, as long as that is kept. */
#ifndef HCCT_RUNTIME_HEAP_ALLOCATORS_H
#define HCCT_RUNTIME_HEAP_ALLOCATORS_H

#include <stdbool.h>

#include "runtime/stack/here.h"

/* Whether memory that is allocated in the context `here` is part of what a function of the program is about
 * to give out: whether such a function is among the callers. With `by_function` the last function of `here`
 * gives the memory out itself, so it is not taken for a caller. Reads the records under the registry's lock,
 * so not under the table lock. While busy. */
bool hcct_heap_is_inner(struct hcct_here here, bool by_function);

/* Whether functions of the program are named like an allocator's. When the profile is written. */
bool hcct_heap_has_named_allocator(void);

#endif
