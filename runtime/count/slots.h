/* A thread's slots and batch, handed over to the tables: what count.c and miss.c do to them. Under the table
 * lock, or where there is one thread and no handler comes in between, but for hcct_slot_where and
 * hcct_slot_is_noted. */
#ifndef HCCT_RUNTIME_COUNT_SLOTS_H
#define HCCT_RUNTIME_COUNT_SLOTS_H

#include <stdatomic.h>

#include "runtime/base/backing.h"
#include "runtime/count/count.h"
#include "runtime/stream/space_saving_layout.h"

/* --- what a kill may interrupt (hcct/live.h) ----------------------------------------------------- */

/* Stores stay in this order. */
static inline void hcct_order(void)
{
    atomic_signal_fence(memory_order_seq_cst);
}

static inline void hcct_move_begin(struct hcct_worker *worker, enum hcct_live_move_kind kind, uint32_t at,
                                   uint64_t count)
{
    uint64_t total = !hcct_live_was_on     ? 0
                     : hcct_tables.summary ? hcct_summary_total(hcct_tables.summary)
                                           : hcct_tables.exact.total;
    hcct_tables.move.worker = (uintptr_t)hcct_worker_live_part(worker);
    hcct_tables.move.count = count;
    hcct_tables.move.total = total;
    hcct_tables.move.at = at;
    hcct_order();
    hcct_tables.move.kind = kind;
    hcct_order();
}

static inline void hcct_move_end(void)
{
    hcct_order();
    hcct_tables.move.kind = HCCT_LIVE_MOVE_NONE;
    hcct_order();
}

/* --- slots ------------------------------------------------------------------------------------- */

/* Brings what the slot holds beyond what was drained to the tables, if there is any: with a reference to its
 * node, the slot's own if `gives` and one more otherwise. Returns whether it did. */
bool hcct_slot_drain(struct hcct_worker *worker, uint32_t at, bool gives);
/* The slot is drained, and the key's then. Takes over the caller's reference to `node`. */
void hcct_slot_install(struct hcct_worker *worker, uint32_t at, uint64_t key, hcct_node node, uint64_t count);
/* The rest of the batch goes to the summary. */
void hcct_batch_add(struct hcct_worker *worker);

struct hcct_slot_where {
    uint32_t at;
    uint8_t bits; /* never 0 */
};

/* From one product: they differ for keys of one slot, unless they are far apart. */
static inline __attribute__((always_inline)) struct hcct_slot_where
hcct_slot_where(const struct hcct_worker *worker, uint64_t word)
{
    uint64_t product = (word * HCCT_SLOT_MULTIPLIER) >> HCCT_SLOT_SHIFT;
    return (struct hcct_slot_where){ (uint32_t)product & worker->last_slot,
                                     (uint8_t)(product >> HCCT_MORE_SLOTS_LOG2) | 1 };
}

/* Beside each slot: bits of a key whose next miss has to take the lock, for its chain or for the slot
 * (miss.c). */
static inline __attribute__((always_inline)) bool hcct_slot_is_noted(const struct hcct_worker *worker,
                                                                     struct hcct_slot_where where)
{
    return __atomic_load_n(&worker->noted[where.at], __ATOMIC_RELAXED) == where.bits;
}

static inline void hcct_slot_note(struct hcct_worker *worker, uint32_t at, uint8_t bits)
{
    __atomic_store_n(&worker->noted[at], bits, __ATOMIC_RELAXED);
}

#endif
