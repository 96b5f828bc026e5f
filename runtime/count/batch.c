/* See batch.h: what becomes of the keys of a batch. */
#include "runtime/count/batch.h"

#include "runtime/core/meter.h"
#include "runtime/count/chains.h"
#include "runtime/count/challenge.h"
#include "runtime/count/functions.h"
#include "runtime/stack/prefix.h"

/* The visitor for monitored keys of a batch. A batch has no context stack to take a chain from, and slots
 * change hands only at a miss. So it notes the key that needs a chain or is due to challenge. */
static void visit_batched(void *context, uint64_t key, uint32_t place, hcct_node evicted)
{
    struct hcct_tally *tally = context;
    struct hcct_entry entry = hcct_space_saving_entry(hcct_tables.summary, place);
    hcct_prefix_release(evicted);
    if (entry.node ? hcct_challenge_is_due(tally, entry.count, entry.error) &&
                         !hcct_challenge_was_hit(tally, hcct_slots_at(tally, key))
                   : entry.count - entry.error >= tally->chain_at &&
                         hcct_chains_may_note(tally, key, entry.count - entry.error))
        hcct_slots_note(tally, key);
}

/* In the order of the batch, with the weight of the tally: add_ones and add_found know none. */
static void add_one_by_one(struct hcct_tally *tally, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        hcct_node evicted = 0, unused = 0;
        uint64_t key = tally->batch.keys[i];
        uint32_t place = hcct_space_saving_add(hcct_tables.summary, key, tally->weight, 0, &evicted, &unused);
        if (place != HCCT_NO_PLACE)
            visit_batched(tally, key, place, evicted);
    }
}

/* The same for the exact table. A key that it has no more is of another phase, which has begun since, so it
 * brings the chain that it had there. */
static void add_to_exact(struct hcct_tally *tally, uint32_t from, uint32_t to)
{
    enum { AHEAD = 12 }; /* keys whose slots are on their way from memory */
    struct hcct_exact *exact = &hcct_tables.exact;
    for (uint32_t i = from; i < to; i++) {
        uint64_t key = tally->batch.keys[i];
        if (i + AHEAD < to)
            hcct_exact_prefetch(exact, tally->batch.keys[i + AHEAD]);
        struct hcct_exact_slot *slot = hcct_exact_probe(exact, key);
        if (__builtin_expect(slot->key != key, 0)) {
            hcct_prefix_retain(tally->places[i]);
            hcct_count_add(key, tally->weight, tally->places[i]);
            continue;
        }
        slot->count += tally->weight;
        exact->total += tally->weight;
        if (hcct_challenge_is_due(tally, slot->count, 0) &&
            !hcct_challenge_was_hit(tally, hcct_slots_at(tally, key)))
            hcct_slots_note(tally, key);
    }
}

void hcct_batch_add(struct hcct_tally *tally)
{
    struct hcct_batch *batch = &tally->batch;
    const struct hcct_visitor visitor = { visit_batched, tally, hcct_challenge_interval(tally),
                                          tally->chain_at };
    /* the load pairs with the RELEASE store in hcct_batch_append, as another thread may drain this batch */
    uint32_t from = batch->drained, to = __atomic_load_n(&batch->count, __ATOMIC_ACQUIRE);
    if (hcct_tables.running && from < to && !hcct_tables.summary)
        add_to_exact(tally, from, to);
    else if (hcct_tables.running && tally->weight != 1)
        add_one_by_one(tally, from, to);
    else if (hcct_tables.running && from < to && hcct_meter_is_plain() &&
             !hcct_space_saving_floor(hcct_tables.summary))
        hcct_space_saving_add_found(hcct_tables.summary, batch->keys + from, tally->places + from, to - from,
                                    &visitor);
    else if (hcct_tables.running && from < to)
        hcct_space_saving_add_ones(hcct_tables.summary, batch->keys + from, to - from, &visitor);
    if (hcct_tables.running && from < to && hcct_tables.summary)
        hcct_functions_add_each(tally->batched_functions + from, to - from, tally->weight);
    for (uint32_t i = from; i < to && hcct_meter->calls.added && hcct_tables.running; i++)
        hcct_meter->calls.added(&tally->block, batch->keys[i], tally->weight);
    tally->calls += to - from;
    tally->missed += to - from;
    batch->drained = (uint16_t)to;
}
