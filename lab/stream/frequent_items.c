/* Frequent items, known from the DataSketches libraries. When the table of counters is full, the smallest
 * are let go all at once. A filter stands in front: a cell bounds the weight of the unmonitored keys of its
 * hash. Unlike the paper, a purge subtracts nothing from counters: its threshold is the floor. A newcomer's
 * error is its cell, at most the floor and usually less, so counts are more exact than those of Space Saving
 * in the same memory. The paper takes the threshold from a sample. Here it is exact, so the guarantee is
 * deterministic.
 *
 * Invariants, U = seen + error, F the floor
 *   1. every counter has U > F >= error;
 *   2. while F fits into a cell, a key that is not monitored weighs at most its cell, and a cell is at most
 *      F. Beyond that the filter is not used, and such a key weighs at most F;
 *   3. the sum of (U - F), plus F * capacity, is at most N. An update adds at most its weight to both sums.
 *      A purge that raises F by x takes x from every counter but the limit - capacity smallest.
 * Guarantee: deterministic, e <= F <= N / capacity. By 3 it can be merged like Space Saving
 * (decoder/store/pool.h).
 * Cost: a hash look-up, and a cell for an unmonitored key. A purge is O(limit), once in limit - capacity
 * newcomers, whatever the weights.
 * Memory: 32 bytes for each of 9/8 * capacity counters; 4 for each head of the index, 1 to 2 per counter; 4
 * for each cell, 3 to 6 per counter.
 * Source: Anderson, Bevin, Lang, Liberty, Rhodes and Thaler, "A High-Performance Algorithm for Identifying
 * Frequent Items in Data Streams", IMC 2017; the filter: Homem and Carvalho, "Finding top-k elements in data
 * streams", Information Sciences 2010. */
#include "lab/stream/algorithm.h"

#include "format/layout.h"
#include "lab/stream/counter_table.h"

struct hcct_summary {
    struct hcct_counter_table table;
    uint32_t cell_mask;
    uint32_t capacity;
    uint32_t cells[]; /* [cell_mask + 1], indexed by other bits of the hash than `index` */
};

static uint32_t limit_of(uint32_t capacity)
{
    return capacity + capacity / 8;
}

static size_t cell_count(uint32_t capacity)
{
    size_t cells = 16;
    while (cells < 3 * (size_t)limit_of(capacity))
        cells *= 2;
    return cells;
}

static struct hcct_summary *open(const struct hcct_demand *demand)
{
    size_t cells = cell_count(demand->capacity);
    struct hcct_summary *summary = hcct_summary_memory(sizeof *summary + cells * sizeof *summary->cells);
    hcct_counter_table_open(&summary->table, limit_of(demand->capacity), false);
    summary->cell_mask = (uint32_t)(cells - 1);
    summary->capacity = demand->capacity;
    return summary;
}

static size_t bytes(const struct hcct_summary *summary)
{
    return hcct_counter_table_bytes(summary) + cell_count(summary->capacity) * sizeof *summary->cells;
}

static inline uint32_t *cell_of(struct hcct_summary *summary, uint64_t hash)
{
    return &summary->cells[hash >> 32 & summary->cell_mask];
}

static inline bool filters(const struct hcct_summary *summary)
{
    return summary->table.floor <= UINT32_MAX;
}

/* Adds a newcomer to its cell, if the cell stays at most the floor. Returns whether it did. */
static inline bool absorb(const struct hcct_summary *summary, uint32_t *cell, uint64_t weight)
{
    if (!filters(summary) || weight > summary->table.floor || *cell + weight > summary->table.floor)
        return false;
    *cell += (uint32_t)weight;
    return true;
}

static __attribute__((noinline)) void make_room(struct hcct_summary *summary)
{
    struct hcct_counter_table *table = &summary->table;
    summary->table.floor = hcct_counter_table_select(table, table->limit - summary->capacity + 1);
    for (uint32_t place = 0; filters(summary) && place < table->size; place++) {
        const struct hcct_counter *counter = &table->counters[place];
        uint32_t *cell = cell_of(summary, hcct_key_hash(counter->key));
        uint64_t most = counter->seen + counter->error;
        if (most <= summary->table.floor && most > *cell)
            *cell = (uint32_t)most;
    }
    hcct_counter_table_purge(table, summary->table.floor);
}

static uint32_t add(struct hcct_summary *summary, uint64_t key, uint64_t weight, hcct_node node,
                    hcct_node *evicted, hcct_node *unused)
{
    struct hcct_counter_table *table = &summary->table;
    uint64_t hash = hcct_key_hash(key);
    uint32_t place = hcct_counter_table_find(table, key, hash), *cell = cell_of(summary, hash);
    *evicted = 0;
    weight = hcct_counter_table_total(table, weight);
    if (place != HCCT_NO_PLACE) {
        *unused = hcct_counter_table_hit(table, place, weight, node);
        return place;
    }
    *unused = node;
    if (weight == 0 || absorb(summary, cell, weight))
        return HCCT_NO_PLACE;
    if (table->size == table->limit) {
        make_room(summary);
        if (absorb(summary, cell, weight)) /* the floor rose */
            return HCCT_NO_PLACE;
    }
    *unused = 0;
    return hcct_counter_table_insert(table, key, hash, weight,
                                     filters(summary) ? *cell : summary->table.floor, node);
}

static bool check(const struct hcct_summary *summary)
{
    uint64_t sum = 0, most;
    for (uint32_t place = 0; place < summary->table.size; place++) {
        const struct hcct_counter *counter = &summary->table.counters[place];
        if (counter->error > summary->table.floor || counter->seen + counter->error <= summary->table.floor ||
            __builtin_add_overflow(sum, counter->seen + counter->error - summary->table.floor, &sum))
            return false;
    }
    for (size_t at = 0; filters(summary) && at <= summary->cell_mask; at++)
        if (summary->cells[at] > summary->table.floor)
            return false;
    return !__builtin_mul_overflow(summary->table.floor, summary->capacity, &most) &&
           !__builtin_add_overflow(sum, most, &sum) && sum <= summary->table.total &&
           hcct_counter_table_check(&summary->table);
}

const struct hcct_algorithm hcct_frequent_items = {
    .number = HCCT_ALGORITHM_FREQUENT_ITEMS,
    .guarantee = HCCT_GUARANTEE_DETERMINISTIC,
    .open = open,
    .bytes = bytes,
    .add = add,
    .entry = hcct_counter_table_entry,
    .check = check,
    HCCT_COUNTER_TABLE_FUNCTIONS,
};
