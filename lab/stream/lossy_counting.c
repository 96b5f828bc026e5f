/* Lossy counting as published. The stream is cut into windows of 1 / epsilon units of weight. The end of each
 * window raises the floor, and lets go the counters that may not weigh more.
 *
 * The paper's f is `seen`, its Delta is `error`. A count is reported as f + Delta with the error Delta, so
 * it is never too low, as with the other algorithms. hcct-lab metrics --low takes f, as the paper does.
 *
 * Invariants
 *   1. when a counter's key came in, it had weighed at most `error`, the floor of that moment: nothing, or
 *      what was let go (2). The floor never falls;
 *   2. what was let go weighed at most seen + error, and this was at most the floor. So all that is left has
 *      seen + error > floor, or came after the last window;
 *   3. the floor is the number of whole windows, N / capacity, at the newest update.
 * Guarantee: deterministic, e <= epsilon * N.
 * Memory: the table grows. By theorem 4.2 it has at most capacity * log(N / capacity) counters.
 * Cost: a hash look-up; and the end of a window is O(size), so O(1) amortised with weights of 1. With large
 * weights each update may end one.
 * Source: Manku and Motwani, "Approximate Frequency Counts over Data Streams", VLDB 2002, section 4.2. */
#include "lab/stream/algorithm.h"

#include "format/layout.h"
#include "lab/stream/counter_table.h"

struct hcct_summary {
    struct hcct_counter_table table;
    uint64_t window_end; /* N at which the floor rises */
    uint32_t capacity;
};

static struct hcct_summary *open(const struct hcct_demand *demand)
{
    struct hcct_summary *summary = hcct_summary_memory(sizeof *summary);
    hcct_counter_table_open(&summary->table, demand->capacity, true);
    summary->capacity = demand->capacity;
    summary->window_end = demand->capacity;
    return summary;
}

static __attribute__((noinline)) void end_window(struct hcct_summary *summary)
{
    struct hcct_counter_table *table = &summary->table;
    table->floor = table->total / summary->capacity;
    if (__builtin_mul_overflow(table->floor + 1, summary->capacity, &summary->window_end))
        summary->window_end = UINT64_MAX;
    hcct_counter_table_purge(table, table->floor);
}

static uint32_t add(struct hcct_summary *summary, uint64_t key, uint64_t weight, hcct_node node,
                    hcct_node *evicted, hcct_node *unused)
{
    struct hcct_counter_table *table = &summary->table;
    uint64_t hash = hcct_key_hash(key);
    *evicted = 0;
    if (table->total >= summary->window_end)
        end_window(summary);
    weight = hcct_counter_table_total(table, weight);
    uint32_t place = hcct_counter_table_find(table, key, hash);
    if (place != HCCT_NO_PLACE) {
        *unused = hcct_counter_table_hit(table, place, weight, node);
        return place;
    }
    *unused = weight == 0 ? node : 0; /* 0: N has stopped */
    return weight == 0 ? HCCT_NO_PLACE
                       : hcct_counter_table_insert(table, key, hash, weight, table->floor, node);
}

static bool check(const struct hcct_summary *summary)
{
    const struct hcct_counter_table *table = &summary->table;
    for (uint32_t place = 0; place < table->size; place++) {
        const struct hcct_counter *counter = &table->counters[place];
        if (counter->error > table->floor || counter->seen + counter->error <= table->floor)
            return false;
    }
    return table->floor <= table->total / summary->capacity && hcct_counter_table_check(table);
}

const struct hcct_algorithm hcct_lossy_counting = {
    .number = HCCT_ALGORITHM_LOSSY_COUNTING,
    .guarantee = HCCT_GUARANTEE_DETERMINISTIC,
    .open = open,
    .bytes = hcct_counter_table_bytes,
    .add = add,
    .entry = hcct_counter_table_entry,
    .check = check,
    HCCT_COUNTER_TABLE_FUNCTIONS,
};
