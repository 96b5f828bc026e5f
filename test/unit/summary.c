/* The stream summary (runtime/stream/space_saving.h) against an exact shadow of the same stream, on random
 * and hostile streams with fixed seeds. Blocks of keys are in summary_blocks.c, costs in
 * summary_costs.c. */
#include "runtime/stream/exact.h"
#include "runtime/stream/space_saving.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/key_hash.h"
#include "runtime/stream/space_saving_check.h"
#include "test/unit/check.h"
#include "test/unit/draw.h"
#include "test/unit/summaries.h"

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
static void visit(void *context, const struct hcct_entry *entry, hcct_node evicted)
{
    CHECK(context && entry->key && entry->count >= entry->error);
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

/* When it is full for the first time, it may become smaller: it keeps the largest counts. */
static void shrink(struct hcct_summary *summary)
{
    uint32_t kept = 1 + (uint32_t)draw_below(hcct_space_saving_capacity(summary));
    if (!hcct_space_saving_is_full(summary))
        return;
    hcct_space_saving_shrink(summary, kept, take_back);
    CHECK(hcct_space_saving_capacity(summary) == kept && hcct_space_saving_size(summary) == kept &&
          !hcct_space_saving_is_full(summary) && hcct_space_saving_since(summary) == shadow_total);
    for (uint32_t place = 0; place < kept; place++) {
        struct hcct_entry entry = hcct_space_saving_entry(summary, place);
        CHECK(entry.error == 0 && entry.count >= hcct_space_saving_floor(summary));
    }
}

static void play(struct hcct_summary *summary, const struct stream *stream)
{
    uint64_t floor_before = hcct_space_saving_floor(summary);
    bool shrinks = draw_below(2);

    for (uint32_t at = 0; at < stream->updates; at++) {
        if (shrinks)
            shrink(summary);
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

/* --- special cases ------------------------------------------------------------------------------ */

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

int main(void)
{
    test_random_streams();
    test_crowded_bucket();
    test_capacity_one();
    test_check_notices();
    CHECK_DONE();
}
