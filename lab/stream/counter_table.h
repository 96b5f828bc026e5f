/* A hash table of counters that is purged from time to time: the common part of lossy counting, sticky
 * sampling and frequent-items; and of the lazy Space Saving, which replaces counters one by one. A counter
 * has the weight that it saw itself (`seen`), and a bound of its key's weight before (`error`).
 *
 * Invariants
 *   1. counters are dense, in places 0 .. size - 1; size <= limit. A purge moves them. A table that grows
 *      has twice as many places when it is full;
 *   2. every counter is once in the index chain of its key's hash. Links are place + 1, and 0 ends a chain.
 *      So zeroed memory is an empty table, and untouched pages stay untouched;
 *   3. seen + error is at most 2^64 - 1, if the caller adds only weights that hcct_counter_table_total
 *      returned.
 * Cost: a look-up takes two cache lines; a purge takes O(size), so callers make it rare.
 * Memory: 32 bytes for each counter, and 4 for each head of the index. Heads are a power of two, 1 to 2 per
 * counter. */
#ifndef HCCT_LAB_STREAM_COUNTER_TABLE_H
#define HCCT_LAB_STREAM_COUNTER_TABLE_H

#include "runtime/base/key_hash.h"
#include "runtime/stream/space_saving.h"

struct hcct_counter {
    uint64_t key;
    uint64_t seen;
    uint64_t error; /* the most that the key weighed before, beyond `seen` */
    uint32_t next_in_index;
    hcct_node node;
};

struct hcct_counter_table {
    uint64_t total; /* N; stops at 2^64 - 1 */
    uint64_t floor; /* see algorithm.h */
    struct hcct_counter *counters;
    uint32_t *index; /* [index_mask + 1] */
    uint32_t index_mask, limit, size;
    bool grows;
};

/* Makes a table with that many places. One that `grows` is never full. */
void hcct_counter_table_open(struct hcct_counter_table *table, uint32_t limit, bool grows);
/* Inserts a key that is not in the table, which is not full. Returns its place. */
uint32_t hcct_counter_table_insert(struct hcct_counter_table *table, uint64_t key, uint64_t hash,
                                   uint64_t seen, uint64_t error, hcct_node node);
/* Puts another key, which is not in the table, into the place of a counter. Its node is the caller's. */
void hcct_counter_table_replace(struct hcct_counter_table *table, uint32_t place, uint64_t key, uint64_t hash,
                                uint64_t seen, uint64_t error, hcct_node node);
/* Removes all counters with seen = 0, or seen + error <= threshold, and releases their nodes. */
void hcct_counter_table_purge(struct hcct_counter_table *table, uint64_t threshold);
/* The value of seen + error with the given rank; rank 1 is the smallest, 1 <= rank <= size. O(8 * size),
 * without memory. */
uint64_t hcct_counter_table_select(const struct hcct_counter_table *table, uint32_t rank);
bool hcct_counter_table_check(const struct hcct_counter_table *table);

/* Of an algorithm.h's table, for those whose struct hcct_summary begins with its counter table. */
struct hcct_entry hcct_counter_table_entry(const struct hcct_summary *summary, uint32_t place);
void hcct_counter_table_close(struct hcct_summary *summary); /* and frees the summary */
size_t hcct_counter_table_bytes(const struct hcct_summary *summary);
uint32_t hcct_counter_table_size(const struct hcct_summary *summary);
uint64_t hcct_counter_table_sum(const struct hcct_summary *summary);
uint64_t hcct_counter_table_floor(const struct hcct_summary *summary);
#define HCCT_COUNTER_TABLE_FUNCTIONS                                                                         \
    .close = hcct_counter_table_close, .size = hcct_counter_table_size, .total = hcct_counter_table_sum,     \
    .floor = hcct_counter_table_floor

/* Adds `weight` to N and returns the part of it that is to be counted: N stops at 2^64 - 1. */
static inline uint64_t hcct_counter_table_total(struct hcct_counter_table *table, uint64_t weight)
{
    if (__builtin_expect(weight > UINT64_MAX - table->total, 0))
        weight = UINT64_MAX - table->total;
    table->total += weight;
    return weight;
}

/* The place of `key`, or HCCT_NO_PLACE. */
static inline uint32_t hcct_counter_table_find(const struct hcct_counter_table *table, uint64_t key,
                                               uint64_t hash)
{
    uint32_t link = table->index[hash & table->index_mask];
    while (link != 0 && table->counters[link - 1].key != key)
        link = table->counters[link - 1].next_in_index;
    return link - 1; /* 0 - 1 is HCCT_NO_PLACE */
}

/* Adds to an existing counter, as hcct_space_saving_add does. Returns the node that was not used, or 0. */
static inline hcct_node hcct_counter_table_hit(struct hcct_counter_table *table, uint32_t place,
                                               uint64_t weight, hcct_node node)
{
    struct hcct_counter *counter = &table->counters[place];
    counter->seen += weight;
    if (node == 0 || counter->node != 0)
        return node;
    counter->node = node;
    return 0;
}

#endif
