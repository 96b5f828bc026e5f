/* Sticky sampling as published, with weights: each unit of weight of an unmonitored key is sampled with
 * probability 1 / rate. From the sampled unit on, the key is monitored, and every unit is counted. The rate
 * doubles as the stream grows; then a coin is tossed for each counter until it shows heads, and each tails
 * takes a unit from it.
 *
 * The number of units until the next sample is geometric. It has no memory, so one number, drawn in advance,
 * serves all keys. A key's weight before it came in exceeds x with probability (1 - 1/rate)^x at most. So it
 * exceeds floor = rate * ln(1 / (phi * delta)) with probability phi * delta at most. The paper's estimate f
 * is `seen`. Here count = seen + floor, error = floor. hcct-lab metrics --low takes f.
 *
 * Invariants
 *   1. the rate is a power of 2. Above 1 it is at most N / t, t = capacity * ln(1 / (phi * delta)). So floor
 *      <= N / capacity;
 *   2. error = 0 in the table's counters. The error is the same for all, and is added when they are read.
 * Guarantee: probabilistic. count - error <= w always; w <= count as in algorithm.h, with delta = DELTA.
 * Memory: the table grows. 2 t counters are expected at most, which is 28 * capacity at the defaults.
 * Cost: a hash look-up. Doubling is O(size), at most 64 times.
 * Source: Manku and Motwani, "Approximate Frequency Counts over Data Streams", VLDB 2002, section 4.1. */
#include "lab/stream/algorithm.h"

#include <math.h>

#include "format/layout.h"
#include "lab/stream/counter_table.h"

enum { DELTA = HCCT_DELTA_ONE / 100, RATE_LOG2_MOST = 62 };

struct hcct_summary {
    struct hcct_counter_table table;
    uint64_t random;
    uint64_t skip;    /* units of unmonitored keys before the next sample */
    double logarithm; /* ln(1 / (phi * delta)) */
    double rate_end;  /* N at which the rate doubles */
    uint32_t capacity;
    int rate_log2;
};

/* splitmix64. The first state is the same in every run, so runs can be repeated */
static uint64_t draw(struct hcct_summary *summary)
{
    uint64_t z = summary->random += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* The number of failures before the first success, which has probability 1 / rate. */
static uint64_t draw_failures(struct hcct_summary *summary)
{
    double uniform = ((double)(draw(summary) >> 11) + 0.5) * 0x1p-53;
    double failures = summary->rate_log2 ? log(uniform) / log1p(-ldexp(1, -summary->rate_log2)) : 0;
    return failures < 0x1p62 ? (uint64_t)failures : UINT64_C(1) << 62;
}

static void set_rate(struct hcct_summary *summary, int rate_log2)
{
    summary->rate_log2 = rate_log2;
    summary->rate_end = ldexp(summary->logarithm * summary->capacity, rate_log2 + 1);
    summary->skip = draw_failures(summary);
}

static struct hcct_summary *open(const struct hcct_demand *demand)
{
    struct hcct_summary *summary = hcct_summary_memory(sizeof *summary);
    hcct_counter_table_open(&summary->table, demand->capacity, true);
    summary->capacity = demand->capacity;
    summary->logarithm = -log(demand->phi * DELTA / HCCT_DELTA_ONE);
    set_rate(summary, 0);
    return summary;
}

static __attribute__((noinline)) void double_rate(struct hcct_summary *summary)
{
    struct hcct_counter_table *table = &summary->table;
    set_rate(summary, summary->rate_log2 + 1);
    table->floor = (uint64_t)ldexp(summary->logarithm, summary->rate_log2);
    for (uint32_t place = 0; place < table->size; place++) {
        struct hcct_counter *counter = &table->counters[place];
        uint64_t tails = (uint64_t)__builtin_ctzll(draw(summary) | UINT64_C(1) << 63);
        counter->seen -= tails < counter->seen ? tails : counter->seen;
    }
    hcct_counter_table_purge(table, 0);
}

static uint32_t add(struct hcct_summary *summary, uint64_t key, uint64_t weight, hcct_node node,
                    hcct_node *evicted, hcct_node *unused)
{
    struct hcct_counter_table *table = &summary->table;
    uint64_t hash = hcct_key_hash(key);
    *evicted = 0;
    while ((double)table->total >= summary->rate_end && summary->rate_log2 < RATE_LOG2_MOST)
        double_rate(summary);
    weight = hcct_counter_table_total(table, weight);
    uint32_t place = hcct_counter_table_find(table, key, hash);
    if (place != HCCT_NO_PLACE) {
        *unused = hcct_counter_table_hit(table, place, weight, node);
        return place;
    }
    *unused = node;
    if (summary->skip >= weight) {
        summary->skip -= weight;
        return HCCT_NO_PLACE;
    }
    weight -= summary->skip; /* the sampled unit, and those behind it */
    summary->skip = draw_failures(summary);
    *unused = 0;
    return hcct_counter_table_insert(table, key, hash, weight, 0, node);
}

static struct hcct_entry entry(const struct hcct_summary *summary, uint32_t place)
{
    const struct hcct_counter *counter = &summary->table.counters[place];
    uint64_t most = summary->table.total - counter->seen, error = summary->table.floor;
    error = error < most ? error : most;
    return (struct hcct_entry){ counter->key, counter->seen + error, error, counter->node };
}

static bool check(const struct hcct_summary *summary)
{
    const struct hcct_counter_table *table = &summary->table;
    for (uint32_t place = 0; place < table->size; place++)
        if (table->counters[place].error != 0 || table->counters[place].seen == 0)
            return false;
    return table->floor <= table->total / summary->capacity && hcct_counter_table_check(table);
}

const struct hcct_algorithm hcct_sticky_sampling = {
    .number = HCCT_ALGORITHM_STICKY_SAMPLING,
    .guarantee = HCCT_GUARANTEE_PROBABILISTIC,
    .delta = DELTA,
    .open = open,
    .bytes = hcct_counter_table_bytes,
    .add = add,
    .entry = entry,
    .check = check,
    HCCT_COUNTER_TABLE_FUNCTIONS,
};
