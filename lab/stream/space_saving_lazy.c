/* Space Saving with the lazy priority queue of D'Elia et al.: the counters are an unordered array, and the
 * queue is two numbers, the least count that was found last (`minimum`) and a place (`cursor`). A hit leaves
 * both alone. An eviction looks for the next counter with that count, from the cursor on. If there is none
 * left, it scans all counters for the new minimum.
 *
 * Invariants
 *   1. the sum of all counts is N; count >= minimum >= floor >= error for every counter, once one was
 *      evicted. The floor is the count of the last victim;
 *   2. no counter before the cursor has the count `minimum`. Counts only grow, so a counter that was passed
 *      cannot come back to it.
 * Guarantee: deterministic, e <= N / capacity.
 * Cost: with weights of 1, O(1) amortised: the minimum rises by at least 1 between two scans, which takes
 * `capacity` updates (theorem 4.1). With other weights an eviction is O(capacity) at worst, if all counts
 * differ.
 * Memory: 32 bytes per counter; 4 for each head of the index, 1 to 2 per counter.
 * Source: D'Elia, Demetrescu and Finocchi, "Mining Hot Calling Contexts in Small Space", SPE 2015, section
 * 4.2, algorithm 2. Their counters are in a tree's nodes; ours are in a hash table, as in the other
 * algorithms here. */
#include "lab/stream/algorithm.h"

#include "format/layout.h"
#include "lab/stream/counter_table.h"

struct hcct_summary {
    struct hcct_counter_table table;
    uint64_t minimum;
    uint32_t cursor;
};

static struct hcct_summary *open(const struct hcct_demand *demand)
{
    struct hcct_summary *summary = hcct_summary_memory(sizeof *summary);
    hcct_counter_table_open(&summary->table, demand->capacity, false);
    return summary;
}

static inline uint64_t count_at(const struct hcct_counter_table *table, uint32_t place)
{
    return table->counters[place].seen + table->counters[place].error;
}

/* Finds the minimum, and its first counter. */
static void scan(struct hcct_summary *summary)
{
    uint64_t minimum = UINT64_MAX;
    for (uint32_t place = 0; place < summary->table.size; place++) {
        uint64_t count = count_at(&summary->table, place);
        if (count < minimum) {
            minimum = count;
            summary->cursor = place;
        }
    }
    summary->minimum = minimum;
}

/* The place of a counter with the smallest count. All counters are in use. */
static uint32_t find_minimum(struct hcct_summary *summary)
{
    uint32_t size = summary->table.size, cursor = summary->cursor;
    while (cursor < size && count_at(&summary->table, cursor) != summary->minimum)
        cursor++;
    summary->cursor = cursor;
    if (cursor == size)
        scan(summary);
    return summary->cursor;
}

static uint32_t add_hashed(struct hcct_summary *summary, uint64_t key, uint64_t hash, uint64_t weight,
                           hcct_node node, hcct_node *evicted, hcct_node *unused)
{
    struct hcct_counter_table *table = &summary->table;
    uint32_t place = hcct_counter_table_find(table, key, hash);
    weight = hcct_counter_table_total(table, weight);
    if (place != HCCT_NO_PLACE) {
        *unused = hcct_counter_table_hit(table, place, weight, node);
        return place;
    }
    if (weight == 0) { /* N has stopped */
        *unused = node;
        return HCCT_NO_PLACE;
    }
    if (table->size < table->limit)
        return hcct_counter_table_insert(table, key, hash, weight, 0, node);
    place = find_minimum(summary);
    summary->table.floor = summary->minimum;
    *evicted = table->counters[place].node;
    hcct_counter_table_replace(table, place, key, hash, weight, summary->table.floor, node);
    return place;
}

static uint32_t add(struct hcct_summary *summary, uint64_t key, uint64_t weight, hcct_node node,
                    hcct_node *evicted, hcct_node *unused)
{
    *evicted = *unused = 0;
    return add_hashed(summary, key, hcct_key_hash(key), weight, node, evicted, unused);
}

static bool check(const struct hcct_summary *summary)
{
    const struct hcct_counter_table *table = &summary->table;
    uint64_t sum = 0;
    for (uint32_t place = 0; place < table->size; place++) {
        uint64_t count = count_at(table, place);
        if (count < summary->minimum || table->counters[place].error > summary->table.floor ||
            (place < summary->cursor && count == summary->minimum) ||
            __builtin_add_overflow(sum, count, &sum))
            return false;
    }
    return sum == table->total && summary->table.floor <= summary->minimum &&
           summary->cursor <= table->size && summary->table.floor <= table->total / table->limit &&
           hcct_counter_table_check(table);
}

const struct hcct_algorithm hcct_space_saving_lazy = {
    .number = HCCT_ALGORITHM_SPACE_SAVING_LAZY,
    .guarantee = HCCT_GUARANTEE_DETERMINISTIC,
    .open = open,
    .bytes = hcct_counter_table_bytes,
    .add = add,
    .entry = hcct_counter_table_entry,
    .check = check,
    HCCT_COUNTER_TABLE_FUNCTIONS,
};
