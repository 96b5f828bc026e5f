/* Space Saving with weighted updates: the hot items of a stream in bounded memory (Metwally, Agrawal and El
 * Abbadi, ICDT 2005; D'Elia, Demetrescu and Finocchi, SPE 2015, section 4.2), and the exact table of
 * mode=cct.
 *
 * Invariants, for every key with true weight w, N the sum of all weights, k the capacity
 *   1. a monitored key has count - error <= w <= count, and error <= floor at the time it came in;
 *   2. a key that is not monitored has w <= floor;
 *   3. floor <= N / k; it is 0 until something was evicted, and never falls;
 *   4. key 0 is never used.
 * Threads: none of its own; the caller holds a lock. Signals: calls no function of libc; not reentrant. */
#ifndef HCCT_RUNTIME_COUNT_STREAM_SPACE_SAVING_H
#define HCCT_RUNTIME_COUNT_STREAM_SPACE_SAVING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/key_hash.h"

/* What an entry is for its owner; 0: nothing yet. */
typedef uint32_t hcct_node;

struct hcct_entry {
    uint64_t key;
    uint64_t count;
    uint64_t error;
    hcct_node node;
};

struct hcct_summary;

#define HCCT_NO_PLACE UINT32_MAX

/* A key is looked at when its count is a multiple of this, or of 2, 4 or 8 times that: whether it should have
 * a slot (miss.c). */
#define HCCT_CHALLENGE 8
/* mode=cct. DUE: in place, and its count is such a multiple. */
enum hcct_in_place { HCCT_NOT_IN_PLACE, HCCT_IN_PLACE, HCCT_DUE };

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

/* --- the exact table --------------------------------------------------------------------------- */

/* Every key with its exact weight, growing through hcct_memory_map (runtime/base/memory.h). */
struct hcct_exact {
    struct hcct_exact_slot *slots; /* open addressing, linear probing, power of two, at most 3/4 full */
    size_t slot_count;
    size_t size;
    uint64_t total;                 /* weights that were added */
    uint64_t dropped;               /* weights that were not, for want of memory */
    uint64_t refused, refused_next; /* newcomers, since memory was short; at how many it is asked for again */
};

struct hcct_exact_slot {
    uint64_t key; /* 0: free */
    uint64_t count;
    hcct_node node;
    uint32_t reserved;
};

/* Adds; a zeroed struct hcct_exact is an empty table. *unused as in hcct_summary_add. Returns false if the
 * key is new and memory is short: the weight is then in `dropped`. */
bool hcct_exact_add(struct hcct_exact *table, uint64_t key, uint64_t weight, hcct_node node,
                    hcct_node *unused);
/* The slot of `key`, or NULL. */
const struct hcct_exact_slot *hcct_exact_find(const struct hcct_exact *table, uint64_t key);
/* Counts to zero; keys, nodes and memory kept. */
void hcct_exact_reset(struct hcct_exact *table);
bool hcct_exact_check(const struct hcct_exact *table);

/* The slot of `key`, or the free slot where it belongs. The table must have slots. */
static inline struct hcct_exact_slot *hcct_exact_probe(struct hcct_exact_slot *slots, size_t slot_count,
                                                       uint64_t key)
{
    size_t mask = slot_count - 1;
    size_t at = (size_t)hcct_key_hash(key ^ slot_count) & mask;

    while (slots[at].key != key && slots[at].key != 0)
        at = (at + 1) & mask;
    return &slots[at];
}

/* hcct_exact_add with weight 1, if the key is there and has a node. The table must have slots. */
static inline __attribute__((always_inline)) enum hcct_in_place
hcct_exact_add_in_place(struct hcct_exact *table, uint64_t key)
{
    struct hcct_exact_slot *slot = hcct_exact_probe(table->slots, table->slot_count, key);
    if (slot->key != key || slot->node == 0)
        return HCCT_NOT_IN_PLACE;
    table->total++;
    return ++slot->count % HCCT_CHALLENGE == 0 ? HCCT_DUE : HCCT_IN_PLACE;
}

#endif
