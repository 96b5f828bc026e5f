/* Sticky sampling (Manku and Motwani, "Approximate Frequency Counts over Data Streams", VLDB 2002, section
 * 4.1), with weights: a key that is not monitored comes in with a probability of 1 / rate for each unit of
 * its weight, and from then on every unit of it is counted. The rate doubles as the stream grows.
 *
 * A unit of weight is one element of the paper's stream. The number of units until the next that is sampled
 * is drawn at once (it is geometric, and has no memory, so that one number serves all keys). When the rate
 * doubles, each counter is brought to where it would be, had the rate been the new one from the start: its
 * first unit stays with probability 1/2; if not, what follows is sampled anew by the new rate (Gibbons and
 * Matias, "New Sampling-Based Summary Statistics for Improving Approximate Query Answers", SIGMOD 1998,
 * section 4; the paper above tosses the first coin for all of them, which loses more).
 *
 * What a key weighed before it came in is more than x with probability (1 - 1/rate)^x, so more than the
 * floor = rate * ln(1 / (phi * delta)) with phi * delta at the most: count = seen + floor, error = floor.
 *
 * Invariants
 *   1. the rate is a power of 2, and at most N / t where it is above 1, t = capacity * ln(1 / (phi * delta)),
 *      unless crowded; so floor <= N / capacity;
 *   2. error = 0 in the table's counters: it is the same for all, and is added when they are read.
 * Guarantee: probabilistic; count - error <= w always, w <= count as algorithm.h tells, delta being DELTA.
 * The generator begins with the same state in every run, so that runs can be repeated.
 * Memory: 2 t counters are expected at the most, which may be 28 times the capacity at the defaults; the
 * table holds twice the capacity. Where more would be needed, the rate doubles early: then the floor, which
 * is in the profile, still holds, but may be more than epsilon * N.
 * Cost: a hash look-up; doubling is O(size), and there are at most 64 by the stream, and by crowding about
 * one each time that N doubles. */
#include "runtime/stream/algorithm.h"

#include "hcct/format.h"
#include "runtime/stream/counter_table.h"

/* Logarithms are integers, as the runtime computes with nothing else (real.h). */
enum { DELTA = HCCT_DELTA_ONE / 100, FIXED_BITS = 58 };
#define LOGARITHM_OF_2 UINT64_C(199786072581291494)

struct hcct_summary {
    struct hcct_counter_table table;
    uint64_t random;
    uint64_t skip; /* units of keys that are not monitored, until the next that is sampled */
    uint64_t crowded;
    uint64_t floor_now; /* N may be smaller */
    uint64_t rate_end;  /* N at which the rate doubles; UINT64_MAX: never */
    uint64_t logarithm; /* ln(1 / (phi * delta)), times 2^FIXED_BITS: below 64 */
    uint64_t failure;   /* -ln(1 - 1/rate) * rate, times that: 1 to 1.39 */
    uint32_t capacity;
    uint32_t rate_log2;
};

static uint64_t draw(struct hcct_summary *summary) /* splitmix64 */
{
    uint64_t z = summary->random += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* -ln(fraction / 2^64) for a fraction above 0, by ln(x) = 2 artanh((x - 1) / (x + 1)) of 1/2 <= x < 1: to 16
 * digits behind the point. */
static uint64_t negative_logarithm(uint64_t fraction)
{
    enum { BITS = 62 };
    int shift = __builtin_clzll(fraction);
    unsigned __int128 one = (unsigned __int128)1 << 64, x = fraction << shift;
    uint64_t s = (uint64_t)(((one - x) << BITS) / (one + x)),
             square = (uint64_t)((unsigned __int128)s * s >> BITS), sum = 0;
    for (uint64_t k = 1, power = s; power;
         k += 2, power = (uint64_t)((unsigned __int128)power * square >> BITS))
        sum += power / k;
    return (sum >> (BITS - FIXED_BITS - 1)) + (uint64_t)shift * LOGARITHM_OF_2;
}

/* -ln(1 - 1/rate) * rate, by its series. */
static uint64_t logarithm_of_failure(uint32_t rate_log2)
{
    uint64_t sum = 0, k = 1;
    for (uint64_t power = UINT64_C(1) << FIXED_BITS; power && rate_log2; power >>= rate_log2)
        sum += power / k++;
    return sum;
}

/* Failures in front of the first success, with probability 2^-rate_log2. */
static uint64_t draw_failures(struct hcct_summary *summary)
{
    if (summary->rate_log2 == 0)
        return 0;
    /* the middle of one of 2^53 parts of 0 to 1 */
    uint64_t uniform = draw(summary) >> 11 << 11 | UINT64_C(1) << 10;
    unsigned __int128 drawn =
        ((unsigned __int128)negative_logarithm(uniform) << summary->rate_log2) / summary->failure;
    return drawn >> 62 ? UINT64_C(1) << 62 : (uint64_t)drawn;
}

static size_t bytes(uint32_t capacity)
{
    return hcct_counter_table_bytes(sizeof(struct hcct_summary), hcct_counter_table_limit(capacity));
}

static uint64_t saturated(unsigned __int128 value)
{
    return value >> 64 ? UINT64_MAX : (uint64_t)value;
}

static void set_rate(struct hcct_summary *summary, uint32_t rate_log2)
{
    enum { SHIFT = FIXED_BITS - 1 };
    unsigned __int128 product = (unsigned __int128)summary->logarithm * summary->capacity; /* 96 bits */
    summary->rate_log2 = rate_log2;
    summary->failure = logarithm_of_failure(rate_log2);
    summary->floor_now =
        rate_log2 == 0 ? 0 : saturated((unsigned __int128)summary->logarithm << rate_log2 >> FIXED_BITS);
    summary->rate_end =
        saturated(rate_log2 < SHIFT ? product >> (SHIFT - rate_log2) : product << (rate_log2 - SHIFT));
    summary->rate_end += summary->rate_end < UINT64_MAX; /* it was rounded down */
    summary->skip = draw_failures(summary);
}

static struct hcct_summary *init(void *memory, const struct hcct_demand *demand)
{
    struct hcct_summary *summary = memory;
    hcct_counter_table_init(&summary->table, memory, sizeof *summary,
                            hcct_counter_table_limit(demand->capacity));
    summary->capacity = demand->capacity;
    uint64_t phi = hcct_real_times(demand->phi, UINT64_MAX),
             delta = (uint64_t)(((unsigned __int128)DELTA << 64) / HCCT_DELTA_ONE);
    summary->logarithm = negative_logarithm(phi ? phi : 1) + negative_logarithm(delta);
    set_rate(summary, 0);
    return summary;
}

/* Returns what is not counted any more. */
static __attribute__((noinline)) uint64_t double_rate(struct hcct_summary *summary)
{
    struct hcct_counter_table *table = &summary->table;
    uint64_t lost = 0;
    if (summary->rate_log2 == 62)
        return 0;
    set_rate(summary, summary->rate_log2 + 1);
    for (uint32_t place = 0; place < table->size; place++) {
        struct hcct_counter *counter = &table->counters[place];
        if (draw(summary) >> 63)
            continue;
        uint64_t failures = 1 + draw_failures(summary);
        failures = failures < counter->seen ? failures : counter->seen;
        counter->seen -= failures;
        lost += failures;
    }
    hcct_counter_table_sweep(table);
    return lost;
}

/* Half of those that were seen once go each time, so it ends; at the last rate they stay, and newcomers do
 * not come in. */
static void make_room(struct hcct_summary *summary)
{
    while (summary->table.size == summary->table.limit && summary->rate_log2 < 62)
        summary->crowded += double_rate(summary);
}

/* Whether a unit of the weight of a key that is not monitored is sampled; then that and what follows is left
 * in *weight. */
static bool sample(struct hcct_summary *summary, uint64_t *weight)
{
    if (summary->skip >= *weight) {
        summary->skip -= *weight;
        return false;
    }
    *weight -= summary->skip;
    summary->skip = draw_failures(summary);
    return true;
}

static uint32_t add(struct hcct_summary *summary, uint64_t key, uint64_t weight, hcct_node node,
                    hcct_node *evicted, hcct_node *unused)
{
    struct hcct_counter_table *table = &summary->table;
    uint64_t hash = hcct_key_hash(key);
    *evicted = 0;
    while (table->total >= summary->rate_end && summary->rate_end < UINT64_MAX)
        double_rate(summary);
    weight = hcct_counter_table_total(table, weight);
    uint32_t place = hcct_counter_table_find(table, key, hash);
    if (place != HCCT_NO_PLACE) {
        *unused = hcct_counter_table_hit(table, place, weight, node);
        return place;
    }
    *unused = node;
    if (table->size == table->limit)
        make_room(summary);
    if (table->size == table->limit || !sample(summary, &weight))
        return HCCT_NO_PLACE;
    *unused = 0;
    return hcct_counter_table_insert(table, key, hash, weight, 0, node);
}

HCCT_ADD_EACH(add_ones)

/* No context weighs more than N. */
static uint64_t floor_of(const struct hcct_summary *summary)
{
    return summary->floor_now < summary->table.total ? summary->floor_now : summary->table.total;
}

static struct hcct_entry entry(const struct hcct_summary *summary, uint32_t place)
{
    const struct hcct_counter *counter = &summary->table.counters[place];
    uint64_t most = summary->table.total - counter->seen, error = floor_of(summary);
    if (counter->key == 0)
        return (struct hcct_entry){ 0 };
    error = error < most ? error : most;
    return (struct hcct_entry){ counter->key, counter->seen + error, error, counter->node };
}

static uint64_t crowded(const struct hcct_summary *summary)
{
    return summary->crowded;
}

static void clear(struct hcct_summary *summary)
{
    hcct_counter_table_clear(&summary->table);
    summary->crowded = 0;
    set_rate(summary, 0);
}

static bool check(const struct hcct_summary *summary)
{
    for (uint32_t place = 0; place < summary->table.size; place++)
        if (summary->table.counters[place].error != 0)
            return false;
    return (summary->crowded != 0 || floor_of(summary) <= summary->table.total / summary->capacity) &&
           hcct_counter_table_check(&summary->table);
}

const struct hcct_algorithm hcct_sticky_sampling = {
    .name = "sticky-sampling",
    .number = HCCT_ALGORITHM_STICKY_SAMPLING,
    .guarantee = HCCT_GUARANTEE_PROBABILISTIC,
    .delta = DELTA,
    .bytes = bytes,
    .init = init,
    .add = add,
    .add_ones = add_ones,
    .entry = entry,
    .set_node = hcct_counter_table_set_node,
    .places = hcct_counter_table_places,
    .size = hcct_counter_table_size,
    .total = hcct_counter_table_sum,
    .floor = floor_of,
    .crowded = crowded,
    .clear = clear,
    .check = check,
};
