/* Lossy counting with weights. The stream is cut into windows of 1 / epsilon units of weight. The end of each
 * window raises the floor, and lets go counters that may not weigh more, if `capacity` updates came since the
 * last such purge. Windows of weights above 1 have fewer: there counters stay for longer than in the paper.
 *
 * The paper's f is `seen`, its Delta is `error`. A count is reported as f + Delta with the error Delta, so
 * it is never too low, as with the other algorithms.
 *
 * Invariants
 *   1. when a counter's key came in, it had weighed at most `error`, the floor of that moment: nothing, or
 *      what was let go (2). The floor never falls;
 *   2. what was let go weighed at most seen + error, and this was at most the floor. A counter that stays for
 *      longer breaks no bound, and has a smaller count than one made anew. All have seen + error > purged;
 *   3. the floor is the number of whole windows, N / capacity, at the newest update, unless `crowded` is not
 *      0.
 * Guarantee: deterministic, e <= epsilon * N while `crowded` is 0.
 * Memory: the table holds 2 * capacity counters. The algorithm may need capacity * log(N / capacity)
 * (theorem 4.2). A full table is purged. If no more than a sixteenth becomes free, the quarter with the
 * smallest counts is let go early, and raises the floor above the number of windows. Then e <= floor still
 * holds, and the floor is in the profile, but it may be more than epsilon * N.
 * Cost: a hash look-up, and O(1) amortised for purges, whatever the weights. A purge is O(limit), and comes
 * after `capacity` updates, or after limit / 16 newcomers that fill the table.
 * Source: Manku and Motwani, "Approximate Frequency Counts over Data Streams", VLDB 2002, section 4.2. */
#include "lab/stream/algorithm.h"

#include "format/layout.h"
#include "lab/stream/counter_table.h"

struct hcct_summary {
    struct hcct_counter_table table;
    uint64_t floor;
    uint64_t window_end; /* N at which the floor rises */
    uint64_t crowded;
    uint64_t purged;  /* the floor at the last purge */
    uint64_t updates; /* since then */
    uint32_t capacity;
};

static size_t bytes(uint32_t capacity)
{
    return hcct_counter_table_bytes(sizeof(struct hcct_summary), hcct_counter_table_limit(capacity));
}

static void set_floor(struct hcct_summary *summary, uint64_t floor)
{
    summary->floor = floor;
    if (__builtin_mul_overflow(floor + 1, summary->capacity, &summary->window_end))
        summary->window_end = UINT64_MAX;
}

static struct hcct_summary *init(void *memory, const struct hcct_demand *demand)
{
    struct hcct_summary *summary = memory;
    hcct_counter_table_init(&summary->table, memory, sizeof *summary,
                            hcct_counter_table_limit(demand->capacity));
    summary->capacity = demand->capacity;
    set_floor(summary, 0);
    return summary;
}

/* Returns the weight that was let go. */
static uint64_t purge(struct hcct_summary *summary)
{
    summary->purged = summary->floor;
    summary->updates = 0;
    return hcct_counter_table_purge(&summary->table, summary->floor);
}

static __attribute__((noinline)) void end_window(struct hcct_summary *summary)
{
    uint64_t windows = summary->table.total / summary->capacity;
    if (windows > summary->floor) /* not once N has stopped */
        set_floor(summary, windows);
    if (summary->updates >= summary->capacity)
        purge(summary);
}

static __attribute__((noinline)) void make_room(struct hcct_summary *summary)
{
    struct hcct_counter_table *table = &summary->table;
    purge(summary);
    if (table->limit - table->size > table->limit / 16)
        return;
    set_floor(summary, hcct_counter_table_select(table, (table->size + 3) / 4));
    summary->crowded += purge(summary);
}

static uint32_t add(struct hcct_summary *summary, uint64_t key, uint64_t weight, hcct_node node,
                    hcct_node *evicted, hcct_node *unused)
{
    struct hcct_counter_table *table = &summary->table;
    uint64_t hash = hcct_key_hash(key);
    *evicted = 0;
    if (table->total >= summary->window_end)
        end_window(summary);
    summary->updates++;
    weight = hcct_counter_table_total(table, weight);
    uint32_t place = hcct_counter_table_find(table, key, hash);
    if (place != HCCT_NO_PLACE) {
        *unused = hcct_counter_table_hit(table, place, weight, node);
        return place;
    }
    if (weight == 0) {
        *unused = node;
        return HCCT_NO_PLACE;
    }
    if (table->size == table->limit)
        make_room(summary);
    *unused = 0;
    return hcct_counter_table_insert(table, key, hash, weight, summary->floor, node);
}

static uint64_t floor_of(const struct hcct_summary *summary)
{
    return summary->floor;
}

static uint64_t crowded(const struct hcct_summary *summary)
{
    return summary->crowded;
}

static bool check(const struct hcct_summary *summary)
{
    for (uint32_t place = 0; place < summary->table.size; place++) {
        const struct hcct_counter *counter = &summary->table.counters[place];
        if (counter->error > summary->floor || counter->seen + counter->error <= summary->purged)
            return false;
    }
    return summary->purged <= summary->floor &&
           (summary->crowded != 0 || summary->floor <= summary->table.total / summary->capacity) &&
           hcct_counter_table_check(&summary->table);
}

const struct hcct_algorithm hcct_lossy_counting = {
    .number = HCCT_ALGORITHM_LOSSY_COUNTING,
    .guarantee = HCCT_GUARANTEE_DETERMINISTIC,
    .bytes = bytes,
    .init = init,
    .add = add,
    .entry = hcct_counter_table_entry,
    .places = hcct_counter_table_places,
    .size = hcct_counter_table_size,
    .total = hcct_counter_table_sum,
    .floor = floor_of,
    .crowded = crowded,
    .check = check,
};
