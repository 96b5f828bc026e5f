/* See counter_table.h. */
#include "lab/stream/counter_table.h"
#include "runtime/base/node.h"

enum { ALIGNMENT = 64 };

static size_t align_up(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

static size_t index_heads(uint32_t limit)
{
    size_t heads = 16;
    while (heads < limit)
        heads *= 2;
    return heads;
}

size_t hcct_counter_table_bytes(size_t header_bytes, uint32_t limit)
{
    return align_up(header_bytes) + align_up(limit * sizeof(struct hcct_counter)) +
           index_heads(limit) * sizeof(uint32_t);
}

void hcct_counter_table_init(struct hcct_counter_table *table, void *memory, size_t header_bytes,
                             uint32_t limit)
{
    char *bytes = (char *)memory + align_up(header_bytes);
    table->counters = (struct hcct_counter *)(void *)bytes;
    table->index = (uint32_t *)(void *)(bytes + align_up(limit * sizeof(struct hcct_counter)));
    table->index_mask = (uint32_t)(index_heads(limit) - 1);
    table->limit = limit;
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

uint32_t hcct_counter_table_insert(struct hcct_counter_table *table, uint64_t key, uint64_t hash,
                                   uint64_t seen, uint64_t error, hcct_node node)
{
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

/* Counters with seen = 0 are let go too: nothing is known about them. */
uint64_t hcct_counter_table_purge(struct hcct_counter_table *table, uint64_t threshold)
{
    uint32_t kept = 0, size = table->size;
    uint64_t lost = 0;
    clear_index(table);
    for (uint32_t place = 0; place < size; place++) {
        struct hcct_counter *counter = &table->counters[place];
        if (counter->seen != 0 && counter->seen + counter->error > threshold) {
            table->counters[kept] = *counter;
            enter(table, kept++, hcct_key_hash(counter->key));
            continue;
        }
        lost += counter->seen;
        hcct_prefix_release(counter->node);
    }
    __builtin_memset(table->counters + kept, 0, (size - kept) * sizeof *table->counters);
    table->size = kept;
    return lost;
}

void hcct_counter_table_sweep(struct hcct_counter_table *table)
{
    hcct_counter_table_purge(table, 0);
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

uint32_t hcct_counter_table_places(const struct hcct_summary *summary)
{
    return table_of(summary)->limit;
}

uint32_t hcct_counter_table_size(const struct hcct_summary *summary)
{
    return table_of(summary)->size;
}

uint64_t hcct_counter_table_sum(const struct hcct_summary *summary)
{
    return table_of(summary)->total;
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
