/* Sticky sampling with weights: each unit of weight of an unmonitored key is sampled with probability 1 /
 * rate. From the sampled unit on, the key is monitored, and every unit is counted. The rate doubles as the
 * stream grows.
 *
 * The number of units until the next sample is geometric. It has no memory, so one number, drawn in advance,
 * serves all keys. When the rate doubles, each counter is adjusted as if the new rate had held from the
 * start. Its first unit stays with probability 1/2. If not, the following units are sampled again at the new
 * rate (Gibbons and Matias). The paper tosses the first coin for all units, which loses more. A key's weight
 * before it came in exceeds x with probability (1 - 1/rate)^x. So it exceeds floor = rate * ln(1 / (phi *
 * delta)) with probability phi * delta at most. Hence count = seen + floor, error = floor.
 *
 * Invariants
 *   1. the rate is a power of 2. Above 1 it is at most N / t, t = capacity * ln(1 / (phi * delta)), unless
 *      `crowded` is not 0. So floor <= N / capacity;
 *   2. error = 0 in the table's counters. The error is the same for all, and is added when they are read.
 * Guarantee: probabilistic. count - error <= w always; w <= count as in algorithm.h, with delta = DELTA.
 * Memory: the table holds 2 * capacity counters. The algorithm may need 2 t, which is 28 * capacity at the
 * defaults. When the table is full, the rate doubles early. Then the floor, which is in the profile, may be
 * more than epsilon * N.
 * Cost: a hash look-up. Doubling is O(size), at most 64 times, and when crowded about once for each doubling
 * of N.
 * Source: Manku and Motwani, "Approximate Frequency Counts over Data Streams", VLDB 2002, section 4.1;
 * Gibbons and Matias, "New Sampling-Based Summary Statistics for Improving Approximate Query Answers",
 * SIGMOD 1998, section 4. */
#include "lab/stream/algorithm.h"

#include "format/divide.h"
#include "format/layout.h"
#include "lab/stream/counter_table.h"

/* Logarithms are integers in fixed point: the runtime uses no floating-point instructions (real.h). */
enum { DELTA = HCCT_DELTA_ONE / 100, FIXED_BITS = 58 };
#define LOGARITHM_OF_2 UINT64_C(199786072581291494)

struct hcct_summary {
    struct hcct_counter_table table;
    uint64_t random;
    uint64_t skip; /* units of unmonitored keys before the next sample */
    uint64_t crowded;
    uint64_t floor_now; /* may exceed N; floor_of limits it */
    uint64_t rate_end;  /* N at which the rate doubles; UINT64_MAX: never */
    uint64_t logarithm; /* ln(1 / (phi * delta)) * 2^FIXED_BITS: below 64 * 2^FIXED_BITS */
    uint64_t failure;   /* -ln(1 - 1/rate) * rate * 2^FIXED_BITS: 1 to 1.39 times 2^FIXED_BITS */
    uint32_t capacity;
    uint32_t rate_log2;
};

/* splitmix64. The first state is the same in every run, so runs can be repeated */
static uint64_t draw(struct hcct_summary *summary)
{
    uint64_t z = summary->random += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* -ln(fraction / 2^64) * 2^FIXED_BITS for a fraction above 0, to 16 decimal digits. It uses ln(x) = 2
 * artanh((x - 1) / (x + 1)) with 1/2 <= x < 1. */
static uint64_t negative_logarithm(uint64_t fraction)
{
    enum { BITS = 62 };
    int shift = __builtin_clzll(fraction);
    unsigned __int128 one = (unsigned __int128)1 << 64, x = fraction << shift;
    uint64_t s = (uint64_t)hcct_quotient((one - x) << BITS, one + x),
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

/* The number of failures before the first success, which has probability 2^-rate_log2. */
static uint64_t draw_failures(struct hcct_summary *summary)
{
    if (summary->rate_log2 == 0)
        return 0;
    /* the middle of one of 2^53 parts of the range 0 to 1 */
    uint64_t uniform = draw(summary) >> 11 << 11 | UINT64_C(1) << 10;
    unsigned __int128 drawn =
        hcct_quotient((unsigned __int128)negative_logarithm(uniform) << summary->rate_log2, summary->failure);
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
             delta = (uint64_t)hcct_quotient((unsigned __int128)DELTA << 64, HCCT_DELTA_ONE);
    summary->logarithm = negative_logarithm(phi ? phi : 1) + negative_logarithm(delta);
    set_rate(summary, 0);
    return summary;
}

/* Doubles the rate. Returns the weight that is no longer counted. */
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

/* Doubles the rate until a counter is free. It ends, because each time half of the counters with seen = 1
 * go. At the last rate counters stay, and newcomers are left out. */
static void make_room(struct hcct_summary *summary)
{
    while (summary->table.size == summary->table.limit && summary->rate_log2 < 62)
        summary->crowded += double_rate(summary);
}

/* Whether one of the units in *weight, which are an unmonitored key's, is sampled. Then *weight becomes that
 * unit and the units after it. */
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

/* The floor is at most N, as no context weighs more. */
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

static bool check(const struct hcct_summary *summary)
{
    for (uint32_t place = 0; place < summary->table.size; place++)
        if (summary->table.counters[place].error != 0)
            return false;
    return (summary->crowded != 0 || floor_of(summary) <= summary->table.total / summary->capacity) &&
           hcct_counter_table_check(&summary->table);
}

const struct hcct_algorithm hcct_sticky_sampling = {
    .number = HCCT_ALGORITHM_STICKY_SAMPLING,
    .guarantee = HCCT_GUARANTEE_PROBABILISTIC,
    .delta = DELTA,
    .bytes = bytes,
    .init = init,
    .add = add,
    .entry = entry,
    .places = hcct_counter_table_places,
    .size = hcct_counter_table_size,
    .total = hcct_counter_table_sum,
    .floor = floor_of,
    .crowded = crowded,
    .check = check,
};
