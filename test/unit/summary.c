/* The stream summary (runtime/stream/space_saving.h) against an exact shadow of the same stream, on random
 * and hostile streams with fixed seeds; then the cost of an update on streams of several kinds. */
#include "runtime/stream/exact.h"
#include "runtime/stream/space_saving.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/key_hash.h"
#include "runtime/stream/space_saving_check.h"
#include "runtime/stream/space_saving_layout.h"
#include "test/unit/check.h"
#include "test/unit/draw.h"
#include "test/unit/work.h"

/* --- the shadow -------------------------------------------------------------------------------- */

enum {
    SHADOW_KEYS = 512, /* keys of a stream are 1 .. this, spread over 64 bits by key_of */
    MAX_UPDATES = 2000,
    NODES = MAX_UPDATES + 1
};

static uint64_t shadow_weight[SHADOW_KEYS + 1];
static uint64_t shadow_total;
static unsigned char node_returned[NODES];
static hcct_node nodes_handed_in;

static uint64_t key_of(uint64_t number, unsigned shape)
{
    switch (shape) {
    case 0:
        return number;
    case 1:
        return number << 32;
    case 2:
        return number << 52;
    default:
        return number * UINT64_C(0x9E3779B97F4A7C15);
    }
}

static void take_back(hcct_node node)
{
    if (node == 0)
        return;
    CHECK(node <= nodes_handed_in && !node_returned[node]);
    node_returned[node] = 1;
}

/* All promises of summary.h, key by key. */
static void check_against_shadow(const struct hcct_summary *summary, unsigned shape)
{
    uint32_t capacity = hcct_space_saving_capacity(summary);
    uint64_t floor = hcct_space_saving_floor(summary);
    unsigned char monitored[SHADOW_KEYS + 1] = { 0 };
    uint32_t entries = 0;

    for (uint32_t place = 0; place < capacity; place++) {
        struct hcct_entry entry = hcct_space_saving_entry(summary, place);
        uint64_t number = 1;
        if (entry.key == 0)
            continue;
        while (number <= SHADOW_KEYS && key_of(number, shape) != entry.key)
            number++;
        CHECK(number <= SHADOW_KEYS && !monitored[number]);
        if (number > SHADOW_KEYS)
            continue;
        monitored[number] = 1;
        entries++;
        CHECK(entry.error <= entry.count && entry.error <= floor);
        CHECK(entry.count - entry.error <= shadow_weight[number]);
        CHECK(shadow_weight[number] <= entry.count);
    }
    for (uint64_t number = 1; number <= SHADOW_KEYS; number++)
        CHECK(monitored[number] || shadow_weight[number] <= floor);
    CHECK(entries == hcct_space_saving_size(summary) && entries <= capacity);
    CHECK(hcct_space_saving_total(summary) == shadow_total);
    CHECK(floor <= shadow_total / capacity);
    CHECK(hcct_space_saving_check(summary));
}

/* Every node handed in is either an entry's now, or was reported once. */
static void check_nodes(const struct hcct_summary *summary)
{
    unsigned char owned[NODES] = { 0 };

    for (uint32_t place = 0; place < hcct_space_saving_capacity(summary); place++) {
        hcct_node node = hcct_space_saving_entry(summary, place).node;
        CHECK(node <= nodes_handed_in && (node == 0 || !owned[node]));
        owned[node] = 1;
    }
    for (hcct_node node = 1; node <= nodes_handed_in; node++)
        CHECK(owned[node] + node_returned[node] == 1);
}

/* --- random streams ---------------------------------------------------------------------------- */

struct stream {
    unsigned key_shape;
    unsigned key_kind;
    unsigned weight_kind;
    uint64_t keys; /* 1 .. SHADOW_KEYS */
    uint32_t capacity;
    uint32_t updates;
};

static uint64_t stream_number(const struct stream *stream, uint32_t at)
{
    switch (stream->key_kind) {
    case 0:
        return 1 + draw_below(stream->keys);
    case 1:
        return draw_zipf(stream->keys);
    case 2:
        return 1 + at % stream->keys; /* round robin */
    case 3:
        return 1 + at % (stream->capacity + 1); /* always the one just evicted */
    case 4:
        return at % 2 ? 1 + draw_below(4) : 1 + at % stream->keys; /* few hot, the rest a loop */
    default:
        return 1 + at / 8 % stream->keys; /* bursts */
    }
}

static uint64_t stream_weight(const struct stream *stream, uint32_t at)
{
    switch (stream->weight_kind) {
    case 0:
        return 1;
    case 1:
        return 1 + draw_below(100);
    case 2:
        return 1 + (draw() >> (12 + draw_below(52))); /* any magnitude up to 2^52 */
    case 3:
        return (uint64_t)at + 1;
    case 4:
        return UINT64_C(1) << at % 52;
    case 5:
        return stream->updates - at;
    case 6:
        return draw_below(50) ? 1 : UINT64_C(1) << 50;
    default:
        return draw() >> 1 | 1; /* N itself passes 2^64 */
    }
}

/* Sees a key of a block that is monitored. */
static void visit(void *context, uint64_t key, uint32_t place, hcct_node evicted)
{
    struct hcct_entry entry = hcct_space_saving_entry(context, place);
    CHECK(entry.key == key && entry.count >= entry.error);
    take_back(evicted);
}

/* Keys of the stream from `at` on, each with weight 1, in one go. */
static void play_block(struct hcct_summary *summary, const struct stream *stream, uint32_t at)
{
    uint64_t keys[100];
    uint32_t count = (uint32_t)draw_below(101);

    for (uint32_t i = 0; i < count; i++) {
        uint64_t number = stream_number(stream, at + i);
        keys[i] = key_of(number, stream->key_shape);
        if (shadow_total < UINT64_MAX) {
            shadow_weight[number]++;
            shadow_total++;
        }
    }
    hcct_space_saving_add_ones(summary, keys, count,
                               &(struct hcct_visitor){ visit, summary, HCCT_CHALLENGE, 2 });
}

static void play(struct hcct_summary *summary, const struct stream *stream)
{
    uint64_t floor_before = hcct_space_saving_floor(summary);

    for (uint32_t at = 0; at < stream->updates; at++) {
        if (draw_below(20) == 0)
            play_block(summary, stream, at);
        floor_before = hcct_space_saving_floor(summary);
        uint64_t number = stream_number(stream, at);
        uint64_t weight = stream_weight(stream, at);
        uint64_t counted = weight < UINT64_MAX - shadow_total ? weight : UINT64_MAX - shadow_total;
        hcct_node node = draw_below(2) ? ++nodes_handed_in : 0;
        hcct_node evicted = 77;
        hcct_node unused = 77;
        uint32_t place = hcct_space_saving_add(summary, key_of(number, stream->key_shape), weight, node,
                                               &evicted, &unused);

        shadow_weight[number] += counted;
        shadow_total += counted;
        take_back(evicted);
        take_back(unused);
        if (place == HCCT_NO_PLACE) { /* left unmonitored: only below the floor */
            CHECK(unused == node && evicted == 0 &&
                  shadow_weight[number] <= hcct_space_saving_floor(summary));
            continue;
        }
        struct hcct_entry entry = hcct_space_saving_entry(summary, place);
        CHECK(entry.key == key_of(number, stream->key_shape));
        CHECK(node == 0 || unused == node || entry.node == node);
        if (entry.node == 0 && draw_below(4) == 0)
            hcct_space_saving_set_node(summary, place, ++nodes_handed_in);
        CHECK(hcct_space_saving_floor(summary) >= floor_before);
        floor_before = hcct_space_saving_floor(summary);
        if (draw_below(300) == 0)
            check_against_shadow(summary, stream->key_shape);
    }
}

static void forget_shadow(void)
{
    memset(shadow_weight, 0, sizeof(shadow_weight));
    memset(node_returned, 0, sizeof(node_returned));
    nodes_handed_in = 0;
    shadow_total = 0;
}

static struct hcct_summary *new_summary(uint32_t capacity)
{
    size_t bytes = hcct_space_saving_bytes(capacity);
    void *memory = aligned_alloc(64, bytes);

    CHECK(bytes % 64 == 0);
    memset(memory, 0, bytes);
    return hcct_space_saving_init(memory, capacity);
}

static void test_random_streams(void)
{
    for (unsigned seed = 0; seed < 1600; seed++) {
        random_state = seed;
        struct stream stream = {
            .key_shape = seed % 4,
            .key_kind = seed / 4 % 6,
            .weight_kind = seed / 24 % 8,
            .keys = 1 + draw_below(SHADOW_KEYS),
            .capacity = (uint32_t)(seed % 10 == 0 ? 1 : 1 + draw_below(64)),
            .updates = (uint32_t)(1 + draw_below(MAX_UPDATES / 2)),
        };
        struct hcct_summary *summary = new_summary(stream.capacity);

        for (unsigned round = 0; round < 2; round++) { /* the second time in a summary that was cleared */
            forget_shadow();
            play(summary, &stream);
            check_against_shadow(summary, stream.key_shape);
            check_nodes(summary);
            hcct_space_saving_clear(summary);
            CHECK(hcct_space_saving_size(summary) == 0 && hcct_space_saving_total(summary) == 0);
            CHECK(hcct_space_saving_floor(summary) == 0 && hcct_space_saving_entry(summary, 0).key == 0);
            CHECK(hcct_space_saving_check(summary));
        }
        free(summary);
    }
}

/* All keys in one bucket, more than there are counters: none that is monitored may be taken for one that is
 * not. */
static void test_crowded_bucket(void)
{
    enum { CAPACITY = 128, KEYS = 200, BUCKETS = 512 };
    uint64_t keys[KEYS], weights[KEYS] = { 0 }, candidate = 1;
    struct hcct_summary *summary = new_summary(CAPACITY);

    for (uint32_t i = 0; i < KEYS; candidate++)
        if (hcct_key_product(candidate) / (UINT64_MAX / BUCKETS + 1) == 7)
            keys[i++] = candidate;
    random_state = 1;
    for (uint32_t at = 0; at < 20000; at++) {
        uint64_t i = draw_zipf(KEYS) - 1, weight = 1 + draw_below(3);
        hcct_node evicted, unused;
        hcct_space_saving_add(summary, keys[i], weight, 0, &evicted, &unused);
        weights[i] += weight;
    }
    CHECK(hcct_space_saving_check(summary) && hcct_space_saving_size(summary) == CAPACITY);
    for (uint32_t place = 0, seen = 0; place < CAPACITY; place++) {
        struct hcct_entry entry = hcct_space_saving_entry(summary, place);
        for (uint32_t i = 0; i < KEYS; i++)
            if (entry.key == keys[i]) {
                CHECK(entry.count - entry.error <= weights[i] && weights[i] <= entry.count);
                weights[i] = 0; /* a second entry of it would fail */
                seen++;
            }
        CHECK(seen == place + 1);
    }
    for (uint32_t i = 0; i < KEYS; i++)
        CHECK(weights[i] <= hcct_space_saving_floor(summary));
    free(summary);
}

static void ignore_visit(void *context, uint64_t key, uint32_t place, hcct_node evicted)
{
    (void)context, (void)key, (void)place, (void)evicted;
}

/* Keys that are looked for without the lock are found where they are, with a node only, most of them by one
 * look; and what is added to places that were found counts for its keys, also where those have gone meanwhile
 * or the places mean nothing. */
static void test_found(void)
{
    enum { CAPACITY = 100, KEYS = 150, BLOCKS = 300, BLOCK = 20 };
    struct hcct_summary *summary = new_summary(CAPACITY);
    uint64_t keys[BLOCK], weights[KEYS + 1] = { 0 }, total = 0;
    uint32_t places[BLOCK], found = 0, at_once = 0;
    hcct_node ignored;

    random_state = 2;
    for (unsigned block = 0; block < BLOCKS; block++) {
        uint64_t limit = block < BLOCKS / 2 ? CAPACITY : KEYS; /* nothing is evicted in the first half */
        for (uint32_t i = 0; i < BLOCK; i++) {
            uint64_t number = draw_zipf(limit);
            keys[i] = key_of(number, 3);
            places[i] = hcct_space_saving_find(summary, keys[i], 64);
            if (hcct_space_saving_floor(summary) == 0) {
                uint32_t peeked = hcct_space_saving_peek(summary, keys[i]);
                CHECK(peeked == HCCT_NO_PLACE || peeked == places[i]);
                found += places[i] != HCCT_NO_PLACE;
                at_once += peeked != HCCT_NO_PLACE;
            }
            if (places[i] == HCCT_NO_PLACE && i % 2)
                places[i] = (uint32_t)draw();
            else if (places[i] != HCCT_NO_PLACE)
                CHECK(hcct_space_saving_entry(summary, places[i]).key == keys[i] &&
                      hcct_space_saving_entry(summary, places[i]).node);
            weights[number]++;
            total++;
        }
        hcct_space_saving_add_found(summary, keys, places, BLOCK,
                                    &(struct hcct_visitor){ ignore_visit, NULL, HCCT_CHALLENGE, 2 });
        for (uint64_t number = 1; number <= limit; number += 7) { /* some get a node */
            weights[number]++;
            total++;
            hcct_space_saving_add(summary, key_of(number, 3), 1, 1, &ignored, &ignored);
        }
        CHECK(hcct_space_saving_check(summary) && hcct_space_saving_total(summary) == total);
    }
    CHECK(found > 500 && at_once > found / 4 * 3);
    for (uint32_t place = 0; place < CAPACITY; place++) {
        struct hcct_entry entry = hcct_space_saving_entry(summary, place);
        for (uint64_t number = 1; number <= KEYS; number++)
            CHECK(entry.key != key_of(number, 3) ||
                  (entry.count - entry.error <= weights[number] && weights[number] <= entry.count));
    }
    free(summary);
}

/* In one chunk keys take each other's counters, come back, and take them again. A chunk looks at all its keys
 * before it adds the first, so most of what it saw is wrong by then. */
static void test_chunk_of_rivals(void)
{
    enum { CHUNK = 32, MOST = 8, TIMES = 20000 };
    uint32_t taken_over = 0;
    random_state = 9;
    for (unsigned time = 0; time < TIMES; time++) {
        uint32_t capacity = 1 + (uint32_t)draw_below(MOST), rivals = capacity + 1 + (uint32_t)draw_below(3);
        struct hcct_summary *summary = new_summary(capacity);
        uint64_t keys[CHUNK], weights[MOST + 4] = { 0 }, total = 0;
        bool is_monitored[MOST + 4] = { false };
        hcct_node ignored;
        for (uint32_t number = 1; number <= capacity; number++) { /* full, and nothing was evicted */
            weights[number] = 1 + draw_below(3);
            hcct_space_saving_add(summary, key_of(number, 3), weights[number], 0, &ignored, &ignored);
        }
        for (uint32_t i = 0; i < CHUNK; i++) {
            uint64_t number = 1 + draw_below(rivals);
            keys[i] = key_of(number, 3);
            weights[number]++;
        }
        hcct_space_saving_add_ones(summary, keys, CHUNK,
                                   &(struct hcct_visitor){ ignore_visit, NULL, HCCT_CHALLENGE, 2 });
        uint64_t floor = hcct_space_saving_floor(summary);
        for (uint32_t number = 1; number <= rivals; number++) {
            total += weights[number];
            for (uint32_t place = 0; place < capacity; place++) {
                struct hcct_entry entry = hcct_space_saving_entry(summary, place);
                if (entry.key != key_of(number, 3))
                    continue;
                CHECK(entry.count - entry.error <= weights[number] && weights[number] <= entry.count);
                is_monitored[number] = true;
                taken_over += entry.error != 0;
            }
            CHECK(is_monitored[number] || weights[number] <= floor);
        }
        CHECK(hcct_space_saving_check(summary) && hcct_space_saving_total(summary) == total &&
              floor * capacity <= total);
        free(summary);
    }
    CHECK(taken_over > TIMES);
}

static uint64_t evictions;

static void count_evicted(void *context, uint64_t key, uint32_t place, hcct_node evicted)
{
    (void)context, (void)key, (void)place;
    evictions += evicted != 0;
}

/* --- who is visited ------------------------------------------------------------------------------ */

static uint64_t visits_without_node, visits_with_node;

static void count_visit(void *context, uint64_t key, uint32_t place, hcct_node evicted)
{
    struct hcct_entry entry = hcct_space_saving_entry(context, place);
    CHECK(entry.key == key && evicted == 0);
    *(entry.node ? &visits_with_node : &visits_without_node) += 1;
}

/* One key in many blocks: without a node each time from the one on that is `wanted`, with one each
 * `challenge` times. */
static void test_visits(uint32_t challenge, uint32_t wanted)
{
    enum { BLOCK = 10, TIMES = 320 };
    struct hcct_summary *summary = new_summary(100);
    const struct hcct_visitor visitor = { count_visit, summary, challenge, wanted };
    uint64_t keys[BLOCK];
    hcct_node ignored;
    for (uint32_t i = 0; i < BLOCK; i++)
        keys[i] = i + 1;
    visits_without_node = visits_with_node = 0;
    for (uint32_t times = 0; times < TIMES; times++)
        hcct_space_saving_add_ones(summary, keys, BLOCK, &visitor);
    CHECK(visits_without_node == BLOCK * (TIMES - wanted + 1) && visits_with_node == 0);
    for (uint32_t i = 0; i < BLOCK; i++)
        hcct_space_saving_set_node(
            summary, hcct_space_saving_add(summary, keys[i], challenge, 0, &ignored, &ignored), i + 1);
    for (uint32_t times = 0; times < TIMES; times++)
        hcct_space_saving_add_ones(summary, keys, BLOCK, &visitor);
    CHECK(visits_without_node == BLOCK * (TIMES - wanted + 1) &&
          visits_with_node == BLOCK * TIMES / challenge);
    free(summary);
}

/* Where every key is new, the filter pays for a floor that rises ahead of it: hardly one in 100 evicts
 * another, which is what such a stream would cost otherwise; and the floor stays below its bound, and what is
 * hot meanwhile exact. */
static void test_lifted_floor(void)
{
    enum { CAPACITY = 950 /* full at the end of a block */, HOT = 50, BLOCKS = 20000, BLOCK = 100 };
    struct hcct_summary *summary = new_summary(CAPACITY);
    uint64_t keys[BLOCK], fresh = HOT;
    hcct_node ignored;

    evictions = 0;
    for (uint64_t block = 0; block < BLOCKS; block++) {
        for (uint32_t i = 0; i < BLOCK; i++)
            keys[i] = i % 10 ? ++fresh : 1 + (block * BLOCK + i) / 10 % HOT;
        hcct_space_saving_add_ones(summary, keys, BLOCK,
                                   &(struct hcct_visitor){ count_evicted, summary, HCCT_CHALLENGE, 2 });
        for (uint32_t place = 0; place < hcct_space_saving_size(summary); place++)
            hcct_space_saving_set_node(summary, place, 1); /* so that its eviction is told */
    }
    CHECK(hcct_space_saving_check(summary));
    CHECK(evictions > 0 && evictions < fresh / 100);
    CHECK(hcct_space_saving_floor(summary) > BLOCKS * BLOCK / CAPACITY / 3);
    CHECK(hcct_space_saving_floor(summary) <= BLOCKS * BLOCK / CAPACITY);
    for (uint64_t key = 1; key <= HOT; key++) {
        uint32_t place = hcct_space_saving_add(summary, key, 1, 0, &ignored, &ignored);
        CHECK(place != HCCT_NO_PLACE);
        struct hcct_entry entry = hcct_space_saving_entry(summary, place);
        CHECK(entry.count == BLOCKS / HOT * (BLOCK / 10) + 1 && entry.error == 0);
    }
    free(summary);
}

static void test_capacity_one(void)
{
    struct hcct_summary *summary = new_summary(1);
    hcct_node evicted;
    hcct_node unused;

    CHECK(hcct_space_saving_add(summary, 5, 3, 0, &evicted, &unused) == 0 && evicted == 0 && unused == 0);
    CHECK(hcct_space_saving_floor(summary) == 0);
    hcct_space_saving_add(summary, 5, 1, 9, &evicted, &unused); /* the first node that is offered stays */
    hcct_space_saving_add(summary, 5, 1, 9, &evicted, &unused);
    CHECK(unused == 9 && hcct_space_saving_entry(summary, 0).node == 9);
    hcct_space_saving_add(summary, 5, 1, 8, &evicted, &unused);
    CHECK(unused == 8 && evicted == 0 && hcct_space_saving_entry(summary, 0).node == 9);
    hcct_space_saving_add(summary, 6, 10, 7, &evicted, &unused);
    CHECK(evicted == 9 && unused == 0);
    struct hcct_entry entry = hcct_space_saving_entry(summary, 0);
    CHECK(entry.key == 6 && entry.count == 16 && entry.error == 6 && entry.node == 7);
    CHECK(hcct_space_saving_floor(summary) == 6 && hcct_space_saving_total(summary) == 16);
    CHECK(hcct_space_saving_check(summary));
    free(summary);
}

/* hcct_space_saving_check does notice a key or a count that was changed behind its back: every word of the
 * memory that has the value of one is changed for a moment. */
static void test_check_notices(void)
{
    struct hcct_summary *summary = new_summary(4);
    uint64_t *words = (uint64_t *)(void *)summary;
    unsigned changed = 0;
    hcct_node ignored;

    for (uint64_t i = 1; i <= 9; i++)
        hcct_space_saving_add(summary, i << 50 | 12345, i << 40 | 54321, 0, &ignored, &ignored);
    for (uint32_t place = 0; place < 4; place++) {
        struct hcct_entry entry = hcct_space_saving_entry(summary, place);
        for (size_t at = 0; at < hcct_space_saving_bytes(4) / sizeof(uint64_t); at++) {
            uint64_t word = words[at];
            if (word != entry.key && word != entry.count)
                continue;
            changed++;
            words[at] = word ^ UINT64_C(1) << 45;
            CHECK(!hcct_space_saving_check(summary));
            words[at] = word;
        }
    }
    CHECK(changed >= 8 && hcct_space_saving_check(summary));
    free(summary);
}

/* --- cost -------------------------------------------------------------------------------------- */

enum { COSTS_CAPACITY = 50000, COSTS_UPDATES = 1000000 };

static const char *const cost_names[] = {
    "all new, weight 1",      "all new, random weights to 1e6", "all new, growing weights",
    "round robin over k + 1", "round robin, growing weights",   "uniform over 2 k, weights to 1000",
    "Zipf 1 of 1e6",          "Zipf 1 of 45,000: hits",
};

static uint64_t cost_key(unsigned kind, uint64_t at)
{
    switch (kind) {
    case 0:
    case 1:
    case 2:
        return at + 1;
    case 3:
    case 4:
        return at % (COSTS_CAPACITY + 1) + 1;
    case 5:
        return draw_below(2 * COSTS_CAPACITY) + 1;
    case 6:
        return draw_zipf(1000000);
    default:
        return draw_zipf(45000);
    }
}

static uint64_t cost_weight(unsigned kind, uint64_t at)
{
    switch (kind) {
    case 1:
        return 1 + draw_below(1000000);
    case 2:
    case 4:
        return at + 1;
    case 5:
        return 1 + draw_below(1000);
    default:
        return 1;
    }
}

/* In basic blocks, so the same on every machine. A scan of the counters for each eviction would be 50,000. */
static void test_costs(void)
{
    struct hcct_summary *summary = new_summary(COSTS_CAPACITY);
    uint64_t *stream = malloc(2 * COSTS_UPDATES * sizeof(*stream));
    hcct_node ignored;

    printf("%zu bytes for %d counters\n", hcct_space_saving_bytes(COSTS_CAPACITY), COSTS_CAPACITY);
    random_state = 1;
    for (unsigned kind = 0; kind < sizeof(cost_names) / sizeof(*cost_names); kind++) {
        for (size_t at = 0; at < COSTS_UPDATES; at++) {
            stream[2 * at] = cost_key(kind, at) * UINT64_C(0x9E3779B97F4A7C15);
            stream[2 * at + 1] = cost_weight(kind, at);
        }
        uint64_t before = work_blocks;
        for (size_t at = 0; at < COSTS_UPDATES; at++)
            hcct_space_saving_add(summary, stream[2 * at], stream[2 * at + 1], 0, &ignored, &ignored);
        double blocks = (double)(work_blocks - before) / COSTS_UPDATES;
        printf("%-36s %6.1f blocks an update\n", cost_names[kind], blocks);
        CHECK(blocks < 500);
        CHECK(hcct_space_saving_check(summary));
        hcct_space_saving_clear(summary);
    }
    free(stream);
    free(summary);
}

int main(void)
{
    test_random_streams();
    test_crowded_bucket();
    test_found();
    test_visits(HCCT_CHALLENGE, 2);
    test_visits(64, 1);
    test_visits(64, 40);
    test_chunk_of_rivals();
    test_lifted_floor();
    test_capacity_one();
    test_check_notices();
    test_costs();
    CHECK_DONE();
}
