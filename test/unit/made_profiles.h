/* Profiles made by hand, each in memory of malloc, as long as `*length` says then. */
#ifndef HCCT_TEST_MADE_PROFILES_H
#define HCCT_TEST_MADE_PROFILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every kind of edge: encoded, recursive, indirect, through qsort, inlined, below a signal, below
 * [unknown]. */
unsigned char *profile_of_program(size_t *length, uint64_t scale);
/* main -> f -> g -> f -> g ... `depth` calls deep, each a context. */
unsigned char *profile_of_cycle(size_t *length, uint32_t depth, bool two);
/* Two local functions of one name; a bounded summary that holds `which` of them, or both (2). */
unsigned char *profile_of_bounded(size_t *length, int which, uint64_t floor);

#endif
