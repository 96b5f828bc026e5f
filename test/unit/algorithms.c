/* Every streaming algorithm (lab/stream/algorithm.h) against an exact oracle of the same stream:
 * random, skewed and hostile streams with weights and fixed seeds. What is certain is checked for every key;
 * what is probable, by how often it fails. */
#include "format/names.h"
#include "lab/stream/algorithm.h"
#include "lab/stream/counter_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/layout.h"
#include "runtime/count/settings.h"
#include "test/unit/check.h"
#include "test/unit/draw.h"
#include "test/unit/work.h"

enum { KEYS = 4096, NODES = 1 << 16 };

/* --- the oracle -------------------------------------------------------------------------------- */

/* Keys of a stream are 1 .. KEYS, multiplied to spread. */
#define SPREAD UINT64_C(0x9E3779B97F4A7C15)
#define SPREAD_INVERSE UINT64_C(0xF1DE83E19937733D)

static uint64_t weights[KEYS + 1], total;
static unsigned char node_returned[NODES];
static hcct_node node_count;

static void take_back(hcct_node node)
{
    if (node == 0)
        return;
    CHECK(node <= node_count && !node_returned[node]);
    node_returned[node] = 1;
}

/* The runtime's, called by algorithms for what they let go. */
void hcct_prefix_release(hcct_node node);
void hcct_prefix_release(hcct_node node)
{
    take_back(node);
}

struct run {
    const struct hcct_algorithm *algorithm;
    struct hcct_summary *summary;
    struct hcct_demand demand;
};

static struct run open_run(const struct hcct_algorithm *algorithm, uint32_t capacity, double phi)
{
    struct run run = { algorithm, NULL, { capacity, phi } };
    run.summary = algorithm->open(&run.demand);
    memset(weights, 0, sizeof weights);
    memset(node_returned, 0, sizeof node_returned);
    node_count = 0;
    total = 0;
    return run;
}

static void add(const struct run *run, uint64_t number, uint64_t weight)
{
    hcct_node node = node_count + 1 < NODES && draw_below(2) ? ++node_count : 0, evicted = 77, unused = 77;
    uint32_t place = run->algorithm->add(run->summary, number * SPREAD, weight, node, &evicted, &unused);
    weight = weight < UINT64_MAX - total ? weight : UINT64_MAX - total;
    weights[number] += weight;
    total += weight;
    take_back(evicted);
    take_back(unused);
    if (place == HCCT_NO_PLACE) {
        CHECK(unused == node);
        return;
    }
    struct hcct_entry entry = run->algorithm->entry(run->summary, place);
    CHECK(entry.key == number * SPREAD && (node == 0 || unused == node || entry.node == node));
}

/* --- what is promised -------------------------------------------------------------------------- */

/* Of a probabilistic algorithm: keys, and those for which w <= count or w <= floor failed; the same for
 * streams, of the keys with w >= phi * N. */
static uint64_t tried_keys, failed_keys, tried_streams, failed_streams;

/* The part that is never a matter of chance; writes down each key's count, the floor where it is not
 * monitored. */
static void check_certain(const struct run *run, uint64_t *counts)
{
    const struct hcct_algorithm *algorithm = run->algorithm;
    uint64_t floor = algorithm->floor(run->summary);
    uint32_t entries = 0;
    static unsigned char monitored[KEYS + 1];
    memset(monitored, 0, sizeof monitored);
    for (uint64_t number = 1; number <= KEYS; number++)
        counts[number] = floor;
    for (uint32_t place = 0; place < algorithm->size(run->summary); place++) {
        struct hcct_entry entry = algorithm->entry(run->summary, place);
        uint64_t number = entry.key * SPREAD_INVERSE;
        CHECK(number <= KEYS && !monitored[number]);
        if (number > KEYS)
            continue;
        monitored[number] = 1;
        counts[number] = entry.count;
        entries++;
        CHECK(entry.error <= entry.count && entry.error <= floor);
        CHECK(entry.count - entry.error <= weights[number]);
        CHECK(entry.count <= total);
    }
    CHECK(entries == algorithm->size(run->summary) && algorithm->total(run->summary) == total);
    CHECK(algorithm->check(run->summary));
    CHECK(floor <= total / run->demand.capacity);
}

static void check_run(const struct run *run)
{
    static uint64_t counts[KEYS + 1];
    bool failed = false;
    check_certain(run, counts);
    for (uint64_t number = 1; number <= KEYS; number++) {
        bool holds = weights[number] <= counts[number];
        if (run->algorithm->guarantee == HCCT_GUARANTEE_DETERMINISTIC) {
            CHECK(holds);
            continue;
        }
        tried_keys += weights[number] != 0;
        failed_keys += !holds;
        failed = failed || (!holds && (double)weights[number] >= run->demand.phi * (double)total);
    }
    tried_streams++;
    failed_streams += failed;
}

/* Every node that was handed in is either an entry's now, or came back once. */
static void check_nodes(const struct run *run)
{
    static unsigned char owned[NODES];
    memset(owned, 0, sizeof owned);
    for (uint32_t place = 0; place < run->algorithm->size(run->summary); place++) {
        hcct_node node = run->algorithm->entry(run->summary, place).node;
        CHECK(node <= node_count && (node == 0 || !owned[node]));
        owned[node] = 1;
    }
    for (hcct_node node = 1; node <= node_count; node++)
        CHECK(owned[node] + node_returned[node] == 1);
}

/* --- streams ----------------------------------------------------------------------------------- */

static uint64_t stream_number(unsigned kind, uint32_t at, uint32_t capacity)
{
    switch (kind) {
    case 0:
        return 1 + draw_below(KEYS);
    case 1:
        return draw_zipf(KEYS);
    case 2:
        return 1 + at % KEYS; /* all distinct, while it is new */
    case 3:
        return 1 + at % (capacity + 1); /* always the one just let go */
    case 4:
        return at % 2 ? 1 + draw_below(4) : 1 + at % KEYS; /* few hot, the rest distinct */
    case 5:
        return 1 + at / 8 % KEYS; /* bursts */
    default:
        return at % (2 * capacity) < capacity ? 1 + at % capacity : 1 + at % KEYS;
    }
}

static uint64_t stream_weight(unsigned kind, uint32_t at)
{
    switch (kind) {
    case 0:
        return 1;
    case 1:
        return 1 + draw_below(100);
    case 2:
        return 1 + (draw() >> (12 + draw_below(52))); /* any magnitude up to 2^52 */
    case 3:
        return (uint64_t)at + 1;
    case 4:
        return UINT64_C(1) << at % 45;
    case 5:
        return draw_below(50) ? 1 : UINT64_C(1) << 40;
    default:
        return draw() >> 1 | 1; /* N itself passes 2^64 */
    }
}

static void play(struct run *run, unsigned key_kind, unsigned weight_kind, uint32_t updates)
{
    uint64_t floor = 0;
    for (uint32_t at = 0; at < updates; at++) {
        add(run, stream_number(key_kind, at, run->demand.capacity), stream_weight(weight_kind, at));
        CHECK(run->algorithm->floor(run->summary) >= floor);
        floor = run->algorithm->floor(run->summary);
        if (draw_below(1000) == 0)
            check_run(run);
    }
}

static void test_streams(const struct hcct_algorithm *algorithm)
{
    tried_keys = failed_keys = tried_streams = failed_streams = 0;
    for (unsigned seed = 0; seed < 980; seed++) {
        random_state = seed;
        uint32_t capacity = (uint32_t)(seed % 10 == 0 ? 1 + seed / 10 % 2 : 1 + draw_below(200));
        struct run run = open_run(algorithm, capacity, 5.0 / (5 + capacity));
        play(&run, seed % 7, seed / 7 % 7, (uint32_t)draw_below(3000));
        check_run(&run);
        check_nodes(&run);
        run.algorithm->close(run.summary);
    }
    if (algorithm->guarantee != HCCT_GUARANTEE_PROBABILISTIC)
        return;
    printf("%s: %g of %g keys, %g of %g streams failed\n", hcct_algorithm_names[algorithm->number],
           (double)failed_keys, (double)tried_keys, (double)failed_streams, (double)tried_streams);
    double delta = (double)algorithm->delta / HCCT_DELTA_ONE;
    CHECK(delta > 0 && (double)failed_streams <= delta * (double)tried_streams);
    CHECK((double)failed_keys <= delta * (double)tried_keys); /* phi <= 1 */
}

/* Ordinary streams long enough for many windows, rates and purges: hot keys are found, and false positives
 * are bounded. */
static void test_long(const struct hcct_algorithm *algorithm, unsigned kind)
{
    enum { CAPACITY = 250, UPDATES = 300000 };
    const double phi = 0.02; /* epsilon is a fifth of it */
    static uint64_t counts[KEYS + 1];
    random_state = kind;
    struct run run = open_run(algorithm, CAPACITY, phi);
    for (uint32_t at = 0; at < UPDATES; at++)
        add(&run, stream_number(kind, at, CAPACITY), kind == 1 && at % 3 == 0 ? 1 + draw_below(9) : 1);
    check_run(&run);
    check_certain(&run, counts);
    for (uint64_t number = 1; number <= KEYS; number++)
        if ((double)counts[number] >= phi * (double)total && counts[number] != algorithm->floor(run.summary))
            CHECK((double)weights[number] >= 0.8 * phi * (double)total);
    run.algorithm->close(run.summary);
}

/* Windows in which ever more keys come just often enough to stay to the end: nearly as many counters as
 * theorem 4.2 has at the most, the sum of CAPACITY / weight. */
static void test_lossy_memory(void)
{
    enum { CAPACITY = 100, WINDOWS = 100 };
    uint64_t number = 0;
    struct run run = open_run(&hcct_lossy_counting, CAPACITY, 0.05);
    random_state = 3;
    for (uint64_t weight = WINDOWS; weight > 0; weight--)
        for (uint64_t filled = weight; filled <= CAPACITY; filled += weight)
            add(&run, ++number, weight);
    CHECK(number > 4 * CAPACITY && run.algorithm->size(run.summary) > 4 * CAPACITY);
    check_run(&run);
    check_nodes(&run);
    run.algorithm->close(run.summary);
}

/* A small stream that can be followed by hand; see each algorithm. */
static void test_by_hand(const struct hcct_algorithm *algorithm)
{
    struct run run = open_run(algorithm, 2, 0.5);
    random_state = 1;
    for (int i = 0; i < 7; i++)
        add(&run, 1, 1);
    uint32_t found = 0;
    for (uint32_t place = 0; place < algorithm->size(run.summary); place++) {
        struct hcct_entry entry = algorithm->entry(run.summary, place);
        if (entry.key != SPREAD)
            continue;
        CHECK(entry.count == 7 && entry.error == 0); /* nothing else came: it is exact */
        found++;
    }
    CHECK(found == 1);
    run.algorithm->close(run.summary);
}

static struct hcct_entry find(const struct run *run, uint64_t number)
{
    for (uint32_t place = 0; place < run->algorithm->size(run->summary); place++) {
        struct hcct_entry entry = run->algorithm->entry(run->summary, place);
        if (entry.key == number * SPREAD)
            return entry;
    }
    return (struct hcct_entry){ 0 };
}

/* Windows of 4: keys that come once in each of two windows go, one that comes twice stays, with its Delta. */
static void test_lossy_windows(void)
{
    static const uint64_t numbers[] = {
        1, 1, 2, 3, /* 1: f = 2 */ 4, 4, 4, 2, /* 1 goes, f + Delta = 2; so does 2 */ 5
    };
    struct run run = open_run(&hcct_lossy_counting, 4, 0.5);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        add(&run, numbers[i], 1);
    CHECK(run.algorithm->floor(run.summary) == 2 && run.algorithm->size(run.summary) == 2);
    CHECK(find(&run, 1).key == 0 && find(&run, 2).key == 0 && find(&run, 3).key == 0);
    CHECK(find(&run, 4).count == 4 &&
          find(&run, 4).error == 1); /* f = 3 and Delta = 1, of the window in front */
    CHECK(find(&run, 5).count == 3 && find(&run, 5).error == 2);
    run.algorithm->close(run.summary);
}

/* A victim is one with the smallest count, and the newcomer takes over its count as error. */
static void test_bucket_order(void)
{
    struct run run = open_run(&hcct_space_saving_bucket, 3, 0.5);
    add(&run, 1, 5);
    add(&run, 2, 3);
    add(&run, 3, 4);
    add(&run, 2, 9); /* 12: from the first bucket to the last */
    add(&run, 4, 1); /* in the place of 3 */
    CHECK(find(&run, 3).key == 0 && find(&run, 4).count == 5 && find(&run, 4).error == 4);
    add(&run, 1, 1); /* 6; was in one bucket with 4 */
    add(&run, 5, 2); /* in the place of 4 */
    CHECK(find(&run, 4).key == 0 && find(&run, 5).count == 7 && find(&run, 5).error == 5);
    CHECK(find(&run, 1).count == 6 && find(&run, 2).count == 12 && run.algorithm->floor(run.summary) == 5);
    check_run(&run);
    run.algorithm->close(run.summary);
}

/* The lazy queue: victims are the counters of the least count by place, up to the end; then the next least
 * count is looked for from the start. */
static void test_lazy_order(void)
{
    struct run run = open_run(&hcct_space_saving_lazy, 4, 0.5);
    add(&run, 1, 2);
    add(&run, 2, 1);
    add(&run, 3, 1);
    add(&run, 4, 1);
    add(&run, 5, 1); /* the least is 1, of 2, 3 and 4: in the place of 2 */
    CHECK(find(&run, 2).key == 0 && find(&run, 5).count == 2 && find(&run, 5).error == 1);
    add(&run, 3, 1); /* 2: it is passed */
    add(&run, 6, 3); /* in the place of 4 */
    CHECK(find(&run, 4).key == 0 && find(&run, 6).count == 4 && find(&run, 6).error == 1);
    CHECK(run.algorithm->floor(run.summary) == 1);
    add(&run, 7, 1); /* no 1 is left: a scan finds 2, of 1, 5 and 3; in the place of 1 */
    CHECK(find(&run, 1).key == 0 && find(&run, 7).count == 3 && find(&run, 7).error == 2);
    CHECK(find(&run, 5).count == 2 && find(&run, 3).count == 2 && find(&run, 6).count == 4);
    CHECK(run.algorithm->floor(run.summary) == 2);
    check_run(&run);
    run.algorithm->close(run.summary);
}

/* What sticky sampling keeps of a stream of distinct keys is what its rate says, and it counts from then
 * on. */
static void test_sticky_rate(void)
{
    struct run run = open_run(&hcct_sticky_sampling, 20, 0.1);
    double delta = (double)hcct_sticky_sampling.delta / HCCT_DELTA_ONE, t = 20 * log(1 / (0.1 * delta));
    uint32_t updates = (uint32_t)(2 * t); /* rate 1 so far */
    CHECK(updates < KEYS / 10);
    for (uint32_t at = 0; at < updates; at++)
        add(&run, at + 1, 1);
    CHECK(run.algorithm->size(run.summary) == updates && run.algorithm->floor(run.summary) == 0);
    for (uint32_t at = updates; at < KEYS; at++)
        add(&run, at + 1, 1);
    uint32_t rate = 1, size = run.algorithm->size(run.summary);
    while (KEYS >= 2 * rate * t)
        rate *= 2;
    CHECK(size > KEYS / rate / 2 &&
          size < KEYS / rate * 3 / 2); /* 256 are expected, with a deviation of 16 */
    CHECK(run.algorithm->floor(run.summary) == (uint64_t)(rate * log(1 / (0.1 * delta))));
    check_run(&run);
    run.algorithm->close(run.summary);
}

static size_t bytes_of(const struct hcct_algorithm *algorithm, uint32_t capacity)
{
    struct hcct_summary *summary = algorithm->open(&(struct hcct_demand){ capacity, 5.0 / capacity });
    size_t bytes = algorithm->bytes(summary);
    algorithm->close(summary);
    return bytes;
}

/* epsilon is 2e-5 by default, and 1e-6 at the least. Lossy counting and sticky sampling grow. */
static void test_memory(const struct hcct_algorithm *algorithm)
{
    size_t bytes[] = { bytes_of(algorithm, 50000), bytes_of(algorithm, 1000000) };
    printf("%-20s %8zu bytes at the default epsilon, %9zu at the smallest\n",
           hcct_algorithm_names[algorithm->number], bytes[0], bytes[1]);
    CHECK(bytes[0] <= 4000000 && bytes[1] <= 64000000);
}

/* Where the keys are. All but two algorithms begin with a counter table. */
static uint64_t *memory_of(const struct run *run, size_t *words)
{
    const struct hcct_counter_table *table = (void *)run->summary;
    bool is_table = run->algorithm != &hcct_space_saving && run->algorithm != &hcct_space_saving_bucket;
    size_t bytes = is_table ? table->size * sizeof *table->counters : run->algorithm->bytes(run->summary);
    *words = bytes / sizeof(uint64_t);
    return is_table ? (void *)table->counters : (void *)run->summary;
}

/* Damage: every word of the memory that has the value of a key is changed for a moment. */
static void test_check_notices(const struct hcct_algorithm *algorithm)
{
    struct run run = open_run(algorithm, 8, 0.5);
    size_t words;
    unsigned changed = 0;
    random_state = 9;
    for (uint64_t number = 1; number <= 8; number++)
        add(&run, number, 1000 + number);
    uint64_t *memory = memory_of(&run, &words);
    for (uint32_t place = 0; place < algorithm->size(run.summary); place++) {
        uint64_t key = algorithm->entry(run.summary, place).key;
        for (size_t at = 0; at < words; at++) {
            uint64_t word = memory[at];
            if (word != key)
                continue;
            changed++;
            memory[at] = word ^ 1;
            CHECK(!algorithm->check(run.summary));
            memory[at] = word;
        }
    }
    CHECK(changed >= 4 && algorithm->check(run.summary));
    run.algorithm->close(run.summary);
}

/* --- errors and cost --------------------------------------------------------------------------- */

/* The same memory for all, but for what two of them grow by, and a stream with a long tail. Cost in basic
 * blocks, so the same on every machine: fails where it is of another order. */
static void test_cost(const struct hcct_algorithm *algorithm, uint32_t skew)
{
    enum { UPDATES = 1000000 };
    size_t budget = bytes_of(&hcct_space_saving, 5000);
    uint32_t capacity = 16;
    uint64_t *keys = malloc(UPDATES * sizeof *keys);
    while (bytes_of(algorithm, capacity + capacity / 64 + 1) <= budget)
        capacity += capacity / 64 + 1;
    struct run run = open_run(algorithm, capacity, 1e-3);
    random_state = 1;
    for (uint32_t at = 0; at < UPDATES; at++)
        keys[at] = (skew ? draw_zipf(1000000) : at + 1) * SPREAD;
    hcct_node ignored;
    uint64_t before = work_blocks;
    for (uint32_t at = 0; at < UPDATES; at++)
        algorithm->add(run.summary, keys[at], 1, 0, &ignored, &ignored);
    double blocks = (double)(work_blocks - before) / UPDATES;
    printf("%-20s %s: capacity %5u in %zu bytes, floor %6.1f of a million, %5.1f blocks an update\n",
           hcct_algorithm_names[algorithm->number], skew ? "Zipf   " : "all new", capacity,
           algorithm->bytes(run.summary), (double)algorithm->floor(run.summary) * 1e6 / UPDATES, blocks);
    CHECK(blocks < 500);
    free(keys);
    run.algorithm->close(run.summary);
}

/* Weights such as sizes of blocks: each update is more than a whole window of 1 / epsilon. The bounds hold,
 * and an update takes no walk over all counters. The queues that are slow with weights say so themselves. */
static void test_large_weights(const struct hcct_algorithm *algorithm, unsigned kind)
{
    enum { CAPACITY = 1000, UPDATES = 50000 };
    uint64_t work = 0;
    random_state = kind;
    struct run run = open_run(algorithm, CAPACITY, 5e-3);
    for (uint32_t at = 0; at < UPDATES; at++) {
        uint64_t number = stream_number(kind, at, CAPACITY), weight = CAPACITY + draw_below(1000000);
        hcct_node ignored;
        uint64_t before = work_blocks;
        algorithm->add(run.summary, number * SPREAD, weight, 0, &ignored, &ignored);
        work += work_blocks - before;
        weights[number] += weight;
        total += weight;
        if (at % 5000 == 0)
            check_run(&run);
    }
    check_run(&run);
    printf("%-20s large weights, stream %u: %5.1f blocks an update\n",
           hcct_algorithm_names[algorithm->number], kind, (double)work / UPDATES);
    if (algorithm != &hcct_space_saving_lazy && algorithm != &hcct_space_saving_bucket &&
        algorithm != &hcct_lossy_counting)
        CHECK(work < UINT64_C(100) * UPDATES);
    run.algorithm->close(run.summary);
}

static void test_names(void)
{
    for (const struct hcct_algorithm *const *at = hcct_algorithms; *at; at++) {
        CHECK(hcct_algorithm_of((*at)->number) == *at);
        for (const struct hcct_algorithm *const *other = hcct_algorithms; other < at; other++)
            CHECK((*other)->number != (*at)->number);
    }
    CHECK(hcct_algorithms[0] == &hcct_space_saving && hcct_algorithm_of(HCCT_ALGORITHM_SEVERAL) == NULL);
}

int main(void)
{
    for (const struct hcct_algorithm *const *at = hcct_algorithms; *at; at++) {
        test_memory(*at);
        test_by_hand(*at);
        test_streams(*at);
        for (unsigned kind = 0; kind < 7; kind++)
            test_long(*at, kind), test_large_weights(*at, kind);
        test_check_notices(*at);
        test_cost(*at, 0);
        test_cost(*at, 1);
    }
    test_lossy_windows();
    test_lossy_memory();
    test_bucket_order();
    test_lazy_order();
    test_sticky_rate();
    test_names();
    CHECK_DONE();
}
