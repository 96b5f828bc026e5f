/* The exact table of mode=cct: every key with its exact weight. It grows by hcct_memory_map.
 * Threads: one at a time, with a lock, but for hcct_exact_peek and for additions to a slot that
 * hcct_exact_probe has found: these may go on while others do the same, and while the one with the lock adds
 * a key, unless the table grows (hcct_exact_is_full). */
#ifndef HCCT_RUNTIME_STREAM_EXACT_H
#define HCCT_RUNTIME_STREAM_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/key_hash.h"
#include "runtime/base/node.h"

/* A key is due to challenge its slot when its count is a multiple of this, or of 2, 4 or 8 times this
 * (count/challenge.h). */
#define HCCT_CHALLENGE 8
/* The result of hcct_exact_add_in_place. DUE: added, and the count is a multiple of HCCT_CHALLENGE. */
enum hcct_in_place { HCCT_NOT_IN_PLACE, HCCT_IN_PLACE, HCCT_DUE };

struct hcct_exact {
    struct hcct_exact_slot *slots; /* open addressing, linear probing, power of two, at most 3/4 full */
    size_t slot_count;
    size_t size;
    uint64_t total;   /* the sum of weights that were added */
    uint64_t dropped; /* the sum of weights that had no memory */
    /* newcomers without memory since the last success; how many lead to the next try */
    uint64_t refused, refused_next;
    uint64_t factor; /* hcct_key_factor(slot_count) */
    /* The last member: slots and slot_count in one word, for hcct_exact_peek. The slots' address plus the
     * logarithm of slot_count; 0: there are none. */
    uintptr_t view;
};

struct hcct_exact_slot {
    uint64_t key; /* 0: free */
    uint64_t count;
    hcct_node node;
    uint32_t reserved;
};

/* Adds `weight` to `key`. A zeroed struct hcct_exact is an empty table. *unused as in hcct_space_saving_add.
 * Returns false if the key is new and memory is short: then the weight is in `dropped`. */
bool hcct_exact_add(struct hcct_exact *table, uint64_t key, uint64_t weight, hcct_node node,
                    hcct_node *unused);
/* Gives an empty table its first slots. False if memory is short. */
bool hcct_exact_reserve(struct hcct_exact *table);
/* Whether the next newcomer makes it grow. */
bool hcct_exact_is_full(const struct hcct_exact *table);
/* The slot of `key`, or NULL. */
const struct hcct_exact_slot *hcct_exact_find(const struct hcct_exact *table, uint64_t key);
/* Sets all counts to zero. Keys, nodes and memory stay. */
void hcct_exact_reset(struct hcct_exact *table);
bool hcct_exact_check(const struct hcct_exact *table);
/* *table becomes what *from is, under the eyes of other threads (hcct_exact_peek). */
void hcct_exact_switch(struct hcct_exact *table, const struct hcct_exact *from);

/* From now on other threads may call hcct_exact_peek while a table changes. So a table that grows keeps the
 * addresses of its old slots, which lose their memory. */
void hcct_exact_share(void);
extern __attribute__((visibility("hidden"))) bool hcct_exact_is_shared;

/* The slot of `key`, or the free slot where it belongs. The table must have slots. */
static inline struct hcct_exact_slot *hcct_exact_probe(const struct hcct_exact *table, uint64_t key)
{
    struct hcct_exact_slot *slots = table->slots;
    size_t mask = table->slot_count - 1;
    size_t at = (size_t)hcct_key_fold(key, table->factor) & mask;

    for (;; at = (at + 1) & mask) {
        /* pairs with the store in add_newcomer */
        uint64_t found = __atomic_load_n(&slots[at].key, __ATOMIC_ACQUIRE);
        if (found == key || found == 0)
            return &slots[at];
    }
}

/* For a key that will be added soon. The table must have slots. */
static inline void hcct_exact_prefetch(const struct hcct_exact *table, uint64_t key)
{
    __builtin_prefetch(&table->slots[hcct_key_fold(key, table->factor) & (table->slot_count - 1)], 1);
}

enum { HCCT_EXACT_LOG2_BITS = 63 }; /* of a view: below a page */

/* The node of `key`, found while another thread may be changing the table; 0: not found, or it has no node.
 * Once a key is found, it always is, but while the table grows. After hcct_exact_share. */
static inline __attribute__((always_inline)) hcct_node hcct_exact_peek(const struct hcct_exact *table,
                                                                       uint64_t key)
{
    /* pairs with the stores in grow and hcct_exact_switch: what the slots had then is there */
    const uintptr_t view = __atomic_load_n(&table->view, __ATOMIC_ACQUIRE);
    const struct hcct_exact_slot *slots =
        (const struct hcct_exact_slot *)(view & ~(uintptr_t)HCCT_EXACT_LOG2_BITS);
    const size_t slot_count = (size_t)1 << (view & HCCT_EXACT_LOG2_BITS), mask = slot_count - 1;
    if (!view)
        return 0;
    for (size_t at = (size_t)hcct_key_fold(key, hcct_key_factor(slot_count)) & mask;; at = (at + 1) & mask) {
        /* pairs with the store in add_newcomer: a key that is found has its node */
        uint64_t found = __atomic_load_n(&slots[at].key, __ATOMIC_ACQUIRE);
        if (found == key)
            return __atomic_load_n(&slots[at].node, __ATOMIC_RELAXED);
        if (!found)
            return 0;
    }
}

/* hcct_exact_add with weight 1 for a key that is in the table with a node. Any other key: HCCT_NOT_IN_PLACE.
 * The table must have slots. */
static inline __attribute__((always_inline)) enum hcct_in_place
hcct_exact_add_in_place(struct hcct_exact *table, uint64_t key)
{
    struct hcct_exact_slot *slot = hcct_exact_probe(table, key);
    if (slot->key != key || slot->node == 0)
        return HCCT_NOT_IN_PLACE;
    table->total++;
    return ++slot->count % HCCT_CHALLENGE == 0 ? HCCT_DUE : HCCT_IN_PLACE;
}

#endif
