/* Blocks of keys that are added to the stream summary (runtime/stream/space_saving.h) in one go: which are
 * found, visited or evicted, and that no count is lost. */
#include "runtime/stream/exact.h"
#include "runtime/stream/space_saving.h"

#include <stdlib.h>

#include "runtime/stream/space_saving_check.h"
#include "runtime/stream/space_saving_layout.h"
#include "test/unit/check.h"
#include "test/unit/draw.h"
#include "test/unit/summaries.h"

static void ignore_visit(void *context, const struct hcct_entry *entry, hcct_node evicted)
{
    (void)context, (void)entry, (void)evicted;
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
        const struct hcct_visitor visitor = { ignore_visit, NULL, HCCT_CHALLENGE, 2 };
        for (uint32_t added = 0; added < BLOCK; added++) {
            added += hcct_space_saving_add_found(summary, keys + added, places + added, BLOCK - added,
                                                 &visitor, block % 2);
            CHECK(added <= BLOCK);
            hcct_space_saving_add_ones(summary, keys + added, added < BLOCK, &visitor);
        }
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

static void count_evicted(void *context, const struct hcct_entry *entry, hcct_node evicted)
{
    (void)context, (void)entry;
    evictions += evicted != 0;
}

/* --- who is visited ------------------------------------------------------------------------------ */

static uint64_t visits_without_node, visits_with_node;

static void count_visit(void *context, const struct hcct_entry *entry, hcct_node evicted)
{
    CHECK(context && entry->key && evicted == 0);
    *(entry->node ? &visits_with_node : &visits_without_node) += 1;
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

int main(void)
{
    test_found();
    test_visits(HCCT_CHALLENGE, 2);
    test_visits(64, 1);
    test_visits(64, 40);
    test_chunk_of_rivals();
    test_lifted_floor();
    CHECK_DONE();
}
