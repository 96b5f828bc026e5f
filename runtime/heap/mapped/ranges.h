/* heap_mmap=on: what the program has mapped: ranges of addresses that do not overlap, each with its context.
 *
 * A treap, whose nodes are in an array: ordered by address, and by a hash of the node's number from the root
 * down. So its depth is logarithmic whatever the order of the changes is. A node is 24 bytes.
 * Cost: O(log n) for each range that is added or cut.
 * Threads: under the table lock. */
#ifndef HCCT_RUNTIME_HEAP_MAPPED_RANGES_H
#define HCCT_RUNTIME_HEAP_MAPPED_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hcct_heap_range {
    uintptr_t start, end; /* start < end */
    uint32_t context;
};

/* What is told of each range that is cut: the range as it was; and where the part that was taken out begins
 * and ends. */
typedef void hcct_heap_range_cut(const struct hcct_heap_range *whole, uintptr_t start, uintptr_t end,
                                 void *closure);

/* Adds a range that overlaps none. False if memory is short. */
bool hcct_heap_ranges_add(struct hcct_heap_range range);
/* Takes all that is in [start, end) out of the ranges, and tells `cut` of each of them. If memory is short, a
 * range that would become two loses its upper part, too. */
void hcct_heap_ranges_cut(uintptr_t start, uintptr_t end, hcct_heap_range_cut *cut, void *closure);
/* Each range of context c becomes one of context to[c]. */
void hcct_heap_ranges_move(const uint32_t *to);
/* Forgets all ranges, and frees their memory. */
void hcct_heap_ranges_clear(void);
/* The same, but the ranges may be in the middle of a change: their memory is left alone. */
void hcct_heap_ranges_abandon(void);
/* Whether the ranges are sound; *count: how many there are. For tests. */
bool hcct_heap_ranges_check(size_t *count);

#endif
