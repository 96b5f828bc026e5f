/* See tally.h: what becomes of a tally when the core makes its block, gives it to a thread and takes it
 * back. */
#include "runtime/count/tally.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/memory.h"
#include "runtime/core/meter.h"
#include "runtime/core/settings.h"
#include "runtime/count/batch.h"
#include "runtime/count/chains.h"
#include "runtime/count/count.h"
#include "runtime/stack/prefix.h"

static size_t tally_count; /* under the table lock */

void hcct_tally_make(struct hcct_block *block, bool is_level)
{
    struct hcct_tally *tally = hcct_tally_of(block);
    block->slots = tally->slots;
    /* not for a handler's level, which cannot grow */
    block->last_slot = (is_level || !hcct_meter_is_plain() ? HCCT_SLOTS : HCCT_FEW_SLOTS) - 1;
    /* The kernel empties the slots in a forked child, so the child's first call misses and notices
     * (core/notice.h). */
    hcct_memory_wipe_on_fork(&tally->batch, sizeof *tally - offsetof(struct hcct_tally, batch));
    tally->knows_functions =
        hcct_core_settings.mode == HCCT_MODE_HCCT && tally_count++ < HCCT_FUNCTION_TALLIES;
}

/* Each tally in use may hold a batch of keys, so batches become shorter (chains.h). All are added to the
 * tables now; their threads ask for the new limit at their next miss. */
static void shorten_batches(void)
{
    if (hcct_chains_batching)
        hcct_count_exclude();
    for (struct hcct_tally *tally; (tally = hcct_chains_take_batching());) {
        if (!__atomic_load_n(&tally->batch.limit, __ATOMIC_RELAXED))
            continue;
        __atomic_store_n(&tally->batch.limit, 0, __ATOMIC_RELAXED);
        hcct_batch_add(tally);
    }
}

void hcct_tally_begin(struct hcct_block *block, struct hcct_block *outer)
{
    shorten_batches();
    hcct_tally_of(block)->weight = outer ? hcct_tally_of(outer)->weight : 1;
}

static void empty_slots(struct hcct_tally *tally)
{
    for (uint32_t first = 0; hcct_tally_next_group(tally, &first); first += HCCT_SLOT_GROUP)
        for (uint32_t i = first; i < first + HCCT_SLOT_GROUP; i++)
            if (tally->slots[i].key) /* not where the kernel has wiped them: that page stays untouched */
                tally->slots[i].key = 0;
    memset(tally->filled, 0, sizeof tally->filled);
    tally->taken = 0;
}

/* Drops the nodes of the sides, and all notes. */
static void forget(struct hcct_tally *tally)
{
    for (uint32_t i = 0; i <= tally->block.last_slot; i++) {
        struct hcct_side *side = hcct_tally_side(tally, i);
        hcct_prefix_release(side->node);
        if (side->node || side->drained)
            *side = (struct hcct_side){ 0 };
    }
    for (uint32_t i = 0; i < HCCT_NOTES; i++)
        if (tally->noted[i])
            tally->noted[i] = 0;
}

void hcct_tally_end(struct hcct_block *block, bool keeps_memory)
{
    struct hcct_tally *tally = hcct_tally_of(block);
    hcct_count_drain(tally);
    empty_slots(tally);
    if (keeps_memory)
        return;
    int saved = errno;
    forget(tally);
    hcct_pages_advise(tally->count_at_look, sizeof *tally - offsetof(struct hcct_tally, count_at_look),
                      MADV_DONTNEED);
    errno = saved;
}

void hcct_tally_after_fork(struct hcct_block *block, bool torn)
{
    struct hcct_tally *tally = hcct_tally_of(block);
    if (torn)
        memset(hcct_tally_side(tally, block->last_slot), 0,
               (block->last_slot + 1) * sizeof(struct hcct_side));
    forget(tally);
    empty_slots(tally);
    struct hcct_batch *batch = &tally->batch;
    batch->count = batch->limit = 0;
    batch->drained = batch->found_limit = batch->known_limit = batch->in_place = 0;
}

size_t hcct_tally_bytes(const struct hcct_block *block)
{
    enum { OF_SLOT = sizeof(struct hcct_slot) + sizeof(struct hcct_side) + 1 /* count_at_look */ };
    return offsetof(struct hcct_tally, count_at_look) + HCCT_BEFORE_SLOTS +
           (block->last_slot + 1) * (size_t)OF_SLOT;
}
