/* The canonical order of a profile's prefixes and contexts (layout.h). It depends on nothing but what they
 * are, so that profiles of one build are added up as sorted lists are merged.
 *
 * Prefixes are ordered by depth, then by parent, kind, site and word: roots first, and each prefix behind its
 * parent. Contexts are ordered by prefix, then by word.
 *
 * No malloc: memory is the caller's. Async-signal-safe. */
#ifndef HCCT_FORMAT_CANONICAL_H
#define HCCT_FORMAT_CANONICAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/layout.h"

/* A context that is sorted: its place is whatever the caller finds it by. */
struct hcct_canonical_row {
    uint64_t word;
    uint32_t prefix; /* or HCCT_FILE_NONE, which comes last */
    uint32_t place;
};

/* Compares two prefixes of one parent in canonical order: -1, 0 or 1. */
int hcct_canonical_siblings(const struct hcct_file_prefix *a, const struct hcct_file_prefix *b);
/* Whether `next` belongs behind `prefix`. If that holds for all neighbours in a list whose parents come
 * before their children, the list is in canonical order, and no prefix is there twice. */
bool hcct_canonical_is_before(const struct hcct_file_prefix *prefix, const struct hcct_file_prefix *next);
/* Prefixes, wherever they are. */
struct hcct_canonical_list {
    uint32_t count;
    const void *context;
    struct hcct_file_prefix (*at)(const void *context, uint32_t index); /* its parent is an index, or NONE */
};
/* Fills order[count] with the indices of the prefixes in canonical order, and rank[count] with its inverse.
 * `scratch` has room for 2 * count + 2 numbers. Cost: O(count), and O(n log n) for each n siblings. */
void hcct_canonical_prefixes(const struct hcct_canonical_list *list, uint32_t *order, uint32_t *rank,
                             uint32_t *scratch);
/* The list of an array of prefixes. */
struct hcct_canonical_list hcct_canonical_array(const struct hcct_file_prefix *prefixes, uint32_t count);
/* Sorts rows, in place; those of one context by their place. Cost: O(n log n), whatever they are. */
void hcct_canonical_sort(struct hcct_canonical_row *rows, size_t count);

#endif
