/* Space Saving with weighted updates: the hot items of a stream in bounded memory (Metwally, Agrawal and El
 * Abbadi, ICDT 2005; D'Elia, Demetrescu and Finocchi, SPE 2015, section 4.2).
 *
 * Invariants, for every key with true weight w, N the sum of all weights, k the capacity
 *   1. a monitored key has count - error <= w <= count, and error <= floor at the time it came in;
 *   2. a key that is not monitored has w <= floor;
 *   3. floor <= N / k; it is 0 until something was evicted, and never falls;
 *   4. key 0 is never used.
 * Threads: none of its own; the caller holds a lock. Signals: calls no function of libc; not reentrant. */
#ifndef HCCT_RUNTIME_STREAM_SPACE_SAVING_H
#define HCCT_RUNTIME_STREAM_SPACE_SAVING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/node.h"

struct hcct_entry {
    uint64_t key;
    uint64_t count;
    uint64_t error;
    hcct_node node;
};

struct hcct_summary;

#define HCCT_NO_PLACE UINT32_MAX

/* Bytes (a multiple of 64) for a summary of `capacity` >= 1 counters, all of it. */
size_t hcct_summary_bytes(uint32_t capacity);
/* Makes an empty summary in `memory`: zeroed, 64-aligned, hcct_summary_bytes(capacity). */
struct hcct_summary *hcct_summary_init(void *memory, uint32_t capacity);

/* Adds `weight` >= 1 to `key` != 0. Sets the entry's node to `node` if that is not 0 and the entry has none.
 * A newcomer to a full summary that cannot weigh more than the floor may be left unmonitored: HCCT_NO_PLACE.
 * Otherwise it takes the place of a counter that is at most N / k, with count = max(victim's count, floor) +
 * weight and error = max(victim's count, floor); the victim's node is then in *evicted, else 0. If `node` was
 * not taken (the entry has one, the same or another; or there is no entry), *unused is `node`, else 0. Both
 * are references that the caller has to release. Returns the entry's place, valid until the next call, for
 * hcct_summary_entry. Amortised O(1); the worst case visits every counter twice, paid by the updates that
 * raised them. */
uint32_t hcct_summary_add(struct hcct_summary *summary, uint64_t key, uint64_t weight, hcct_node node,
                          hcct_node *evicted, hcct_node *unused);

/* Adds weight 1 to each of the keys, faster than one by one where most are not monitored; calls `visit` for
 * each that is monitored then, has no node and was counted twice (count - error >= 2), or has one and a count
 * that is a multiple of `challenge`, a power of two, and as much above its error; and for each that evicted
 * another, with a reference to be released in `evicted`, else 0. */
struct hcct_visitor {
    void (*visit)(void *context, uint64_t key, uint32_t place, hcct_node evicted);
    void *context;
    uint32_t challenge;
};
void hcct_summary_add_ones(struct hcct_summary *summary, const uint64_t *keys, uint32_t count,
                           const struct hcct_visitor *visitor);

/* As hcct_summary_add_ones for keys that were at `places` once (any number), where it looks first. Of those
 * that are still there `visit` is told if their count is such a multiple. */
void hcct_summary_add_found(struct hcct_summary *summary, const uint64_t *keys, const uint32_t *places,
                            uint32_t count, const struct hcct_visitor *visitor);

/* A copy of the entry at `place`; key 0 where there is none. Places are 0 .. hcct_summary_capacity - 1. */
struct hcct_entry hcct_summary_entry(const struct hcct_summary *summary, uint32_t place);
void hcct_summary_set_node(struct hcct_summary *summary, uint32_t place, hcct_node node);

uint32_t hcct_summary_capacity(const struct hcct_summary *summary);
uint32_t hcct_summary_size(const struct hcct_summary *summary);  /* entries now */
uint64_t hcct_summary_total(const struct hcct_summary *summary); /* N */
/* The bound of invariant 2: 0 while nothing was ever evicted. */
uint64_t hcct_summary_floor(const struct hcct_summary *summary);
/* Forgets all counts (floor and total too). Nodes are the caller's to release first. */
void hcct_summary_clear(struct hcct_summary *summary);
/* Whether the structure's own invariants hold; O(capacity). For tests and Debug builds. */
bool hcct_summary_check(const struct hcct_summary *summary);

#endif
