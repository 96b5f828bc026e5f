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
    struct hcct_block *block = context;
    struct hcct_entry entry = hcct_space_saving_entry(hcct_tables.summary, place);
    hcct_prefix_release(evicted);
    if (entry.node ? hcct_challenge_is_due(block, entry.count, entry.error) &&
                         !hcct_challenge_was_hit(block, hcct_slots_at(block, key))
                   : entry.count - entry.error >= block->chain_at &&
                         hcct_chains_may_note(block, key, entry.count - entry.error))
        hcct_slots_note(block, key);
}

/* In the order of the batch, with the weight of the block: add_ones and add_found know none. */
static void add_one_by_one(struct hcct_block *block, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        hcct_node evicted = 0, unused = 0;
        uint64_t key = block->batch.keys[i];
        uint32_t place = hcct_space_saving_add(hcct_tables.summary, key, block->weight, 0, &evicted, &unused);
        if (place != HCCT_NO_PLACE)
            visit_batched(block, key, place, evicted);
    }
}

void hcct_batch_add(struct hcct_block *block)
{
    struct hcct_batch *batch = &block->batch;
    const struct hcct_visitor visitor = { visit_batched, block, hcct_challenge_interval(block),
                                          block->chain_at };
    /* the load pairs with the RELEASE store in append, as another thread may drain this batch */
    uint32_t from = batch->drained, to = __atomic_load_n(&batch->count, __ATOMIC_ACQUIRE);
    if (hcct_tables.running && block->weight != 1)
        add_one_by_one(block, from, to);
    else if (hcct_tables.running && from < to && hcct_meter_is_plain() &&
             !hcct_space_saving_floor(hcct_tables.summary))
        hcct_space_saving_add_found(hcct_tables.summary, batch->keys + from, block->places + from, to - from,
                                    &visitor);
    else if (hcct_tables.running && from < to)
        hcct_space_saving_add_ones(hcct_tables.summary, batch->keys + from, to - from, &visitor);
    if (hcct_tables.running && from < to)
        hcct_functions_add_each(block->batched_functions + from, to - from, block->weight);
    for (uint32_t i = from; i < to && hcct_meter->added && hcct_tables.running; i++)
        hcct_meter->added(block, batch->keys[i], block->weight);
    block->calls += to - from;
    block->missed += to - from;
    batch->drained = to;
}
