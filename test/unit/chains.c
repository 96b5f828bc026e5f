/* Notes (runtime/count/slots.h), and the rule by which a hot context has its chain in time (chains.h): the
 * sum that chains.h states, at many sums of weights, numbers of threads and weights of a call. */
#include "runtime/count/chains.h"

#include "runtime/count/settings.h"
#include "test/unit/check.h"
#include "test/unit/draw.h"

struct hcct_count_settings hcct_count_settings;
static size_t used = 1;

size_t hcct_block_used(void)
{
    return used;
}

struct hcct_tally *hcct_chains_batching;
uint32_t hcct_summaries_begun;

static struct hcct_tally tally;

static uint64_t draw_key(void)
{
    return (draw_below(UINT64_C(1) << 58) + 1) * HCCT_ID_UNIT;
}

/* Another key with the same place. */
static uint64_t key_beside(uint64_t key)
{
    uint64_t other;
    do
        other = draw_key();
    while (other == key || hcct_slots_note_at(other) != hcct_slots_note_at(key) ||
           (uint16_t)other == (uint16_t)key);
    return other;
}

static void test_note(void)
{
    uint64_t key = draw_key(), other = key_beside(key);
    tally.weight = 1;
    CHECK(hcct_slots_may_note(&tally, key));
    hcct_slots_note(&tally, key);
    CHECK(hcct_slots_is_noted(&tally, key));
    CHECK(!hcct_slots_is_noted(&tally, other));
    CHECK(!hcct_slots_may_note(&tally, other));
    hcct_slots_drop_note(&tally, key);
    CHECK(!hcct_slots_is_noted(&tally, key));
    CHECK(hcct_slots_may_note(&tally, other));
}

/* A key whose low bits are those of a new place takes the lock once, and not each time. */
static void test_low_bits_of_a_new_place(void)
{
    static struct hcct_tally fresh;
    uint64_t key = UINT64_C(5) << 16;
    CHECK(hcct_slots_is_noted(&fresh, key));
    CHECK(hcct_slots_may_note(&fresh, key));
    hcct_slots_drop_note(&fresh, key);
    CHECK(!hcct_slots_is_noted(&fresh, key));
}

/* Keys of one slot are told apart: hardly two of them have one place. */
static void test_keys_of_one_slot(void)
{
    enum { KEYS = 1000 };
    static uint8_t seen[HCCT_NOTES];
    unsigned places = 0;
    tally.block.last_slot = HCCT_SLOTS - 1;
    for (uint64_t i = 1; i <= KEYS; i++) {
        uint64_t key = i * HCCT_SLOTS * HCCT_ID_UNIT + 7 * HCCT_ID_UNIT;
        CHECK(hcct_slots_at(&tally, key) == 7);
        places += !seen[hcct_slots_note_at(key)];
        seen[hcct_slots_note_at(key)] = 1;
    }
    CHECK(places > KEYS * 9 / 10);
}

/* A key waits for another one's note, but takes the place with one of HCCT_PATIENCE calls in a row. */
static void test_wait(uint64_t weight)
{
    uint64_t key = draw_key(), other = key_beside(key);
    tally.weight = weight;
    hcct_slots_note(&tally, key);
    for (uint64_t first = 1; first < 100; first += 7) {
        unsigned taken = 0;
        for (uint64_t i = first; i < first + HCCT_PATIENCE; i++)
            taken += hcct_chains_may_note(&tally, other, i * weight);
        CHECK(taken == 1);
    }
    hcct_slots_drop_note(&tally, key);
    CHECK(hcct_chains_may_note(&tally, other, weight));
}

/* What a key without a chain weighs at most, when the run ends with a sum of weights of at least `total`. */
static void test_sum(uint64_t total, uint64_t weight)
{
    tally.weight = weight;
    tally.bounded = 0;
    tally.batch.limit = 0;
    hcct_chains_bound(&tally, total);
    uint64_t error = total / hcct_count_settings.capacity + 1, batched = used * tally.batch.limit * weight;
    uint64_t summaries = hcct_summaries_begun + 1;
    uint64_t hot = hcct_real_times(hcct_count_settings.phi, total);
    CHECK(tally.chain_at >= 2 * weight);
    CHECK(batched <= hot - hot / 4);
    /* while phi N is a few calls, a key may get no chain in time */
    if (hot >= 2 * error + summaries * 32 * weight + 2 * used)
        CHECK(error + summaries * (tally.chain_at + HCCT_PATIENCE * weight) + batched <= hot);
}

/* One that holds for N holds for more. It is set again before N has grown by more than a 64th, and when the
 * weight of a call changes. */
static void test_growth(void)
{
    tally.weight = 1;
    tally.bounded = 0;
    tally.batch.limit = 0;
    hcct_chains_bound(&tally, 1000000);
    uint32_t limit = tally.batch.limit;
    hcct_chains_bound(&tally, 1000000 + 1000000 / 64);
    CHECK(tally.batch.limit == limit);
    hcct_chains_bound(&tally, 1100000);
    CHECK(tally.batch.limit > limit);
    tally.batch.limit = 0; /* somebody emptied all batches */
    used = 2;
    hcct_chains_bound(&tally, 1100000);
    CHECK(tally.batch.limit > 0 && tally.batch.limit < limit);
    used = 1;
    hcct_chains_set_weight(&tally, 10);
    hcct_chains_bound(&tally, 1100000);
    CHECK(tally.batch.limit > 0 && tally.batch.limit <= limit / 5);
}

/* A thread that begins looks at the blocks that batch, and at no others: of many threads, at few. */
static void test_batching(void)
{
    static struct hcct_tally two[2];
    hcct_chains_batching = NULL;
    for (int i = 0; i < 6; i++) {
        two[i % 2].weight = 1;
        hcct_chains_bound(&two[i % 2], 1000000 << i);
    }
    CHECK(hcct_chains_take_batching() == &two[1]);
    CHECK(hcct_chains_take_batching() == &two[0]);
    CHECK(!hcct_chains_take_batching());
    two[0].batch.limit = 0;
    hcct_chains_bound(&two[0], 0); /* the summary is not full: nothing is batched */
    CHECK(two[0].batch.limit == 0 && !hcct_chains_take_batching());
    hcct_chains_bound(&two[0], 1000000);
    CHECK(hcct_chains_take_batching() == &two[0]);
    CHECK(!hcct_chains_take_batching());
}

int main(void)
{
    hcct_count_settings.capacity = 50000;
    hcct_real_read_share("1e-4", &hcct_count_settings.phi);
    for (unsigned i = 0; i < 20; i++)
        test_note();
    test_low_bits_of_a_new_place();
    test_keys_of_one_slot();
    for (uint64_t weight = 1; weight < 1000; weight *= 3)
        test_wait(weight);
    for (hcct_summaries_begun = 0; hcct_summaries_begun < 8; hcct_summaries_begun += 3)
        for (used = 1; used <= 300; used = used * 2 + 1)
            for (uint64_t weight = 1; weight < 1000; weight *= 3)
                for (uint64_t total = 1; total < UINT64_C(1) << 50; total += total / 3 + 1)
                    test_sum(total, weight);
    used = 1;
    hcct_summaries_begun = 0;
    test_growth();
    test_batching();
    CHECK_DONE();
}
