/* See batch.h: what becomes of the keys of a batch. */
#include "runtime/count/batch.h"

#include "runtime/core/meter.h"
#include "runtime/core/parts.h"
#include "runtime/count/chains.h"
#include "runtime/count/challenge.h"
#include "runtime/count/functions.h"
#include "runtime/count/grow.h"
#include "runtime/count/miss.h"
#include "runtime/count/summaries.h"
#include "runtime/stack/prefix.h"

/* The visitor for monitored keys of a batch. A batch has no context stack to take a chain from, and slots
 * change hands only at a miss. So it notes the key that needs a chain or is due to challenge. */
static void visit_batched(void *context, const struct hcct_entry *entry, hcct_node evicted)
{
    struct hcct_tally *tally = context;
    hcct_summaries_release(evicted);
    if (entry->node ? hcct_challenge_is_due(tally, entry->count, entry->error) &&
                          !hcct_challenge_was_hit(tally, hcct_slots_at(tally, entry->key))
                    : entry->count - entry->error >= tally->chain_at &&
                          hcct_chains_may_note(tally, entry->key, entry->count - entry->error))
        hcct_slots_note(tally, entry->key);
}

/* Adds keys to the exact table, up to the first that it does not have. Returns how many. */
static uint32_t add_to_exact(struct hcct_tally *tally, uint32_t from, uint32_t to, bool alone)
{
    enum { AHEAD = 12 }; /* keys whose slots are on their way from memory */
    struct hcct_exact *exact = &hcct_tables.exact;
    const uint64_t *keys = tally->batch.keys;
    uint32_t i = from;
    for (; i < to; i++) {
        if (i + AHEAD < to)
            hcct_exact_prefetch(exact, keys[i + AHEAD]);
        struct hcct_exact_slot *slot = hcct_exact_probe(exact, keys[i]);
        if (__builtin_expect(slot->key != keys[i], 0))
            break;
        uint64_t count = alone ? slot->count += tally->weight
                               : __atomic_add_fetch(&slot->count, tally->weight, __ATOMIC_RELAXED);
        if (hcct_challenge_is_due(tally, count, 0) &&
            !hcct_challenge_was_hit(tally, hcct_slots_at(tally, keys[i])))
            hcct_slots_note(tally, keys[i]);
    }
    __atomic_fetch_add(&exact->total, (i - from) * tally->weight, __ATOMIC_RELAXED);
    return i - from;
}

/* Adds keys up to the first that needs the table lock, and returns how many: with weights of 1 all, once
 * contexts have left the summary. With the lock of a part; HCCT_PARTS_ALL: under the table lock, and nobody
 * else adds. */
static uint32_t add_some(struct hcct_tally *tally, uint32_t from, uint32_t to, unsigned part)
{
    const struct hcct_visitor visitor = { visit_batched, tally, hcct_challenge_interval(tally),
                                          tally->chain_at };
    const uint64_t *keys = tally->batch.keys + from;
    uint32_t added = 0;
    bool alone = part == HCCT_PARTS_ALL;
    if (!hcct_tables.summary)
        return add_to_exact(tally, from, to, alone);
    if (tally->weight == 1 && hcct_meter_is_plain() && !hcct_summaries_are_bounded())
        added = hcct_space_saving_add_found(hcct_tables.summary, keys, tally->places + from, to - from,
                                            &visitor, alone);
    else if (tally->weight == 1 && hcct_summaries_are_bounded()) {
        added = to - from;
        hcct_space_saving_add_ones(hcct_summaries_here(), keys, added, &visitor);
    }
    hcct_functions_add_each(part, tally->batched_functions + from, added, tally->weight);
    return added;
}

/* A key that the exact table does not have is of another phase, which has begun since, so it brings the chain
 * that it had there. Under the table lock. */
static void add_one(struct hcct_tally *tally, uint32_t i)
{
    uint64_t key = tally->batch.keys[i];
    if (!hcct_tables.summary) {
        hcct_prefix_retain(tally->places[i]);
        hcct_count_add(key, tally->weight, tally->places[i]);
        return;
    }
    uint32_t place = hcct_count_add(key, tally->weight, 0);
    hcct_functions_add(tally->batched_functions[i], tally->weight);
    if (place == HCCT_NO_PLACE)
        return;
    struct hcct_entry entry = hcct_space_saving_entry(hcct_summaries_here(), place);
    visit_batched(tally, &entry, 0);
}

static void tell_added(struct hcct_tally *tally, uint32_t from, uint32_t to)
{
    tally->calls += to - from;
    tally->missed += to - from;
    tally->batch.drained = (uint16_t)to;
}

void hcct_batch_add(struct hcct_tally *tally)
{
    const struct hcct_batch *batch = &tally->batch;
    /* the load pairs with the RELEASE store in hcct_batch_append, as another thread may drain this batch */
    uint32_t first = batch->drained, to = __atomic_load_n(&batch->count, __ATOMIC_ACQUIRE), from = first;
    if (from == to)
        return;
    if (!hcct_summaries_is_one()) { /* else the table lock is enough */
        hcct_count_exclude();
        hcct_summaries_release_waiting();
    }
    while (hcct_tables.running && from < to) {
        from += add_some(tally, from, to, HCCT_PARTS_ALL);
        if (from < to)
            add_one(tally, from++);
    }
    for (uint32_t i = first; i < to && hcct_meter->calls.added && hcct_tables.running; i++)
        hcct_meter->calls.added(&tally->block, batch->keys[i], tally->weight);
    tell_added(tally, first, to);
}

static void empty(struct hcct_tally *tally)
{
    __atomic_store_n(&tally->batch.count, 0, __ATOMIC_RELAXED);
    atomic_signal_fence(memory_order_seq_cst);
    tally->batch.drained = 0;
}

void hcct_batch_empty_locked(struct hcct_tally *tally)
{
    hcct_batch_add(tally);
    empty(tally);
    hcct_grow_if_needed(tally);
}

/* Empties the batch with the lock of a part. False: some keys need the table lock. */
static bool empty_in_part(struct hcct_tally *tally)
{
    const struct hcct_batch *batch = &tally->batch;
    if (hcct_miss_is_alone() || tally->weight != 1 || !hcct_summaries_lock_part(tally))
        return false;
    bool many_wait = hcct_summaries_have_waiting();
    uint32_t from = batch->drained, to = batch->count, added = to - from;
    if (!many_wait && hcct_tables.running && added)
        added = add_some(tally, from, to, tally->part);
    tell_added(tally, from, from + (many_wait ? 0 : added));
    bool done = !many_wait && from + added == to;
    if (done)
        empty(tally);
    hcct_parts_unlock(tally->part);
    return done;
}

void hcct_batch_empty(struct hcct_tally *tally)
{
    if (empty_in_part(tally) && !hcct_grow_is_due(tally))
        return;
    hcct_tables_lock();
    hcct_batch_empty_locked(tally);
    hcct_tables_unlock();
}
