/* Counters in a hash table that is purged now and then: what lossy counting, sticky sampling and
 * frequent-items have in common. A counter has the weight that it saw itself, and what its key may have
 * weighed before.
 *
 * Invariants
 *   1. counters are dense, places 0 .. size - 1; size <= limit; a purge moves them;
 *   2. every one is in the index chain of its key's hash, once; links are place + 1, 0 ends a chain: zeroed
 *      memory is an empty table, and untouched pages stay untouched;
 *   3. seen + error never passes 2^64 - 1, if the caller adds weights by hcct_counter_table_total only.
 * Cost: a look-up, two cache lines; a purge, O(size), which its caller has to make rare.
 * Memory: 32 bytes a counter, and 4 bytes for each head, a power of two, 1 to 2 per counter. */
#ifndef HCCT_RUNTIME_STREAM_COUNTER_TABLE_H
#define HCCT_RUNTIME_STREAM_COUNTER_TABLE_H

#include "runtime/base/key_hash.h"
#include "runtime/stream/space_saving.h"

struct hcct_counter {
    uint64_t key;
    uint64_t seen;
    uint64_t error; /* by which it may have weighed more than `seen` */
    uint32_t next_in_index;
    hcct_node node;
};

struct hcct_counter_table {
    uint64_t total; /* N; stops at 2^64 - 1 */
    struct hcct_counter *counters;
    uint32_t *index; /* [index_mask + 1] */
    uint32_t index_mask, limit, size;
};

/* Bytes behind a header of `header_bytes`, that included. */
size_t hcct_counter_table_bytes(size_t header_bytes, uint32_t limit);
/* Makes an empty table of the zeroed memory that begins with the header, in which `table` stands. */
void hcct_counter_table_init(struct hcct_counter_table *table, void *memory, size_t header_bytes,
                             uint32_t limit);
/* Forgets everything. Nodes are the caller's to release first. */
void hcct_counter_table_clear(struct hcct_counter_table *table);
/* For a key that is not there, when size < limit. Returns the place. */
uint32_t hcct_counter_table_insert(struct hcct_counter_table *table, uint64_t key, uint64_t hash,
                                   uint64_t seen, uint64_t error, hcct_node node);
/* Lets go of all counters with seen + error <= threshold, and of their nodes; returns what they saw. */
uint64_t hcct_counter_table_purge(struct hcct_counter_table *table, uint64_t threshold);
/* After counters were changed to seen = 0: lets go of those, and of their nodes. */
void hcct_counter_table_sweep(struct hcct_counter_table *table);
/* The seen + error of rank `rank`, 1 the smallest. 1 <= rank <= size. O(8 * size), without memory. */
uint64_t hcct_counter_table_select(const struct hcct_counter_table *table, uint32_t rank);
bool hcct_counter_table_check(const struct hcct_counter_table *table);

/* Of an algorithm.h's table, for those whose struct hcct_summary begins with its counter table. */
struct hcct_entry hcct_counter_table_entry(const struct hcct_summary *summary, uint32_t place);
void hcct_counter_table_set_node(struct hcct_summary *summary, uint32_t place, hcct_node node);
uint32_t hcct_counter_table_places(const struct hcct_summary *summary);
uint32_t hcct_counter_table_size(const struct hcct_summary *summary);
uint64_t hcct_counter_table_sum(const struct hcct_summary *summary);

/* Counters for those that may need more than 1 / epsilon: twice as many while that takes less than 60 MB. */
static inline uint32_t hcct_counter_table_limit(uint32_t capacity)
{
    const uint32_t most = 1500000;
    return capacity < most / 2 ? 2 * capacity : capacity < most ? most : capacity;
}

/* The weight that is to be counted of `weight`: N stops at 2^64 - 1. */
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

/* Adds to a counter that is there, as hcct_summary_add does: returns what is `unused`. */
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
