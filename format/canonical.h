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

/* -1, 0 or 1: two prefixes of one parent. */
int hcct_canonical_siblings(const struct hcct_file_prefix *a, const struct hcct_file_prefix *b);
/* Whether they are in canonical order. Each parent comes before its prefix. */
bool hcct_canonical_has_prefixes(const struct hcct_file_prefix *prefixes, uint32_t count);
/* Prefixes, wherever they are. */
struct hcct_canonical_list {
    uint32_t count;
    const void *context;
    struct hcct_file_prefix (*at)(const void *context, uint32_t index); /* its parent is an index, or NONE */
};
/* order[0] is the index of the first one, and so on; rank[] is the inverse. `scratch`: 2 * count + 2 numbers.
 * Cost: O(count), and of siblings O(n log n). */
void hcct_canonical_prefixes(const struct hcct_canonical_list *list, uint32_t *order, uint32_t *rank,
                             uint32_t *scratch);
/* The list of an array of prefixes. */
struct hcct_canonical_list hcct_canonical_array(const struct hcct_file_prefix *prefixes, uint32_t count);
/* Sorts rows that are sorted by word by their prefix, which is below `prefix_count`. `scratch`: prefix_count
 * + 2 numbers. */
void hcct_canonical_rows(struct hcct_canonical_row *to, const struct hcct_canonical_row *from, size_t count,
                         uint32_t prefix_count, uint32_t *scratch);

#endif
