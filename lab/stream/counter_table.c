/* See counter_table.h. */
#include "lab/stream/counter_table.h"

#include <stdlib.h>

#include "lab/stream/algorithm.h"
#include "runtime/stack/prefix.h"

static size_t index_heads(uint32_t limit)
{
    size_t heads = 16;
    while (heads < limit)
        heads *= 2;
    return heads;
}

static void take_memory(struct hcct_counter_table *table, uint32_t limit)
{
    table->counters = hcct_summary_memory(limit * sizeof(struct hcct_counter));
    table->index = hcct_summary_memory(index_heads(limit) * sizeof(uint32_t));
    table->index_mask = (uint32_t)(index_heads(limit) - 1);
    table->limit = limit;
}

void hcct_counter_table_open(struct hcct_counter_table *table, uint32_t limit, bool grows)
{
    take_memory(table, limit);
    table->grows = grows;
}

static void clear_index(struct hcct_counter_table *table)
{
    __builtin_memset(table->index, 0, ((size_t)table->index_mask + 1) * sizeof *table->index);
}

static void enter(struct hcct_counter_table *table, uint32_t place, uint64_t hash)
{
    uint32_t *head = &table->index[hash & table->index_mask];
    table->counters[place].next_in_index = *head;
    *head = place + 1;
}

static __attribute__((noinline)) void grow(struct hcct_counter_table *table)
{
    struct hcct_counter_table old = *table;
    take_memory(table, 2 * old.limit);
    for (uint32_t place = 0; place < old.size; place++) {
        table->counters[place] = old.counters[place];
        enter(table, place, hcct_key_hash(old.counters[place].key));
    }
    free(old.counters);
    free(old.index);
}

uint32_t hcct_counter_table_insert(struct hcct_counter_table *table, uint64_t key, uint64_t hash,
                                   uint64_t seen, uint64_t error, hcct_node node)
{
    if (table->size == table->limit && table->grows)
        grow(table);
    uint32_t place = table->size++;
    table->counters[place] = (struct hcct_counter){ .key = key, .seen = seen, .error = error, .node = node };
    enter(table, place, hash);
    return place;
}

void hcct_counter_table_replace(struct hcct_counter_table *table, uint32_t place, uint64_t key, uint64_t hash,
                                uint64_t seen, uint64_t error, hcct_node node)
{
    struct hcct_counter *counter = &table->counters[place];
    uint32_t *link = &table->index[hcct_key_hash(counter->key) & table->index_mask];
    while (*link != place + 1)
        link = &table->counters[*link - 1].next_in_index;
    *link = counter->next_in_index;
    *counter = (struct hcct_counter){ .key = key, .seen = seen, .error = error, .node = node };
    enter(table, place, hash);
}

void hcct_counter_table_purge(struct hcct_counter_table *table, uint64_t threshold)
{
    uint32_t kept = 0, size = table->size;
    clear_index(table);
    for (uint32_t place = 0; place < size; place++) {
        struct hcct_counter *counter = &table->counters[place];
        if (counter->seen != 0 && counter->seen + counter->error > threshold) {
            table->counters[kept] = *counter;
            enter(table, kept++, hcct_key_hash(counter->key));
            continue;
        }
        hcct_prefix_release(counter->node);
    }
    __builtin_memset(table->counters + kept, 0, (size - kept) * sizeof *table->counters);
    table->size = kept;
}

/* Radix selection, from the highest byte that is used. Each pass counts the values of one byte, among the
 * counters that agree with the result in all higher bytes. */
uint64_t hcct_counter_table_select(const struct hcct_counter_table *table, uint32_t rank)
{
    uint64_t all = 0, prefix = 0;
    for (uint32_t place = 0; place < table->size; place++)
        all |= table->counters[place].seen + table->counters[place].error;
    unsigned shift = (unsigned)(63 - __builtin_clzll(all | 1)) / 8 * 8;
    for (;; shift -= 8) {
        uint32_t counts[256] = { 0 }, byte = 0;
        for (uint32_t place = 0; place < table->size; place++) {
            uint64_t value = table->counters[place].seen + table->counters[place].error;
            if ((value ^ prefix) >> shift < 256)
                counts[value >> shift & 255]++;
        }
        while (rank > counts[byte])
            rank -= counts[byte++];
        prefix |= (uint64_t)byte << shift;
        if (shift == 0)
            return prefix;
    }
}

static const struct hcct_counter_table *table_of(const struct hcct_summary *summary)
{
    return (const void *)summary;
}

struct hcct_entry hcct_counter_table_entry(const struct hcct_summary *summary, uint32_t place)
{
    const struct hcct_counter *counter = &table_of(summary)->counters[place];
    return (struct hcct_entry){ counter->key, counter->seen + counter->error, counter->error, counter->node };
}

void hcct_counter_table_close(struct hcct_summary *summary)
{
    free(table_of(summary)->counters);
    free(table_of(summary)->index);
    free(summary);
}

size_t hcct_counter_table_bytes(const struct hcct_summary *summary)
{
    uint32_t limit = table_of(summary)->limit;
    return limit * sizeof(struct hcct_counter) + index_heads(limit) * sizeof(uint32_t);
}

uint32_t hcct_counter_table_size(const struct hcct_summary *summary)
{
    return table_of(summary)->size;
}

uint64_t hcct_counter_table_sum(const struct hcct_summary *summary)
{
    return table_of(summary)->total;
}

uint64_t hcct_counter_table_floor(const struct hcct_summary *summary)
{
    return table_of(summary)->floor;
}

bool hcct_counter_table_check(const struct hcct_counter_table *table)
{
    uint32_t links = 0;
    for (uint32_t place = 0; place < table->limit; place++) {
        const struct hcct_counter *counter = &table->counters[place];
        if (place >= table->size ? counter->key != 0 || counter->node != 0
                                 : counter->key == 0 || counter->seen == 0 || counter->seen > table->total)
            return false;
    }
    for (size_t head = 0; head <= table->index_mask; head++)
        for (uint32_t link = table->index[head]; link != 0; link = table->counters[link - 1].next_in_index) {
            if (link > table->size || ++links > table->size)
                return false;
            uint64_t key = table->counters[link - 1].key, hash = hcct_key_hash(key);
            if ((hash & table->index_mask) != head || hcct_counter_table_find(table, key, hash) != link - 1)
                return false;
        }
    return links == table->size && table->size <= table->limit;
}
