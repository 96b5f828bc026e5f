/* A thread's slots and batch, as the files of this folder see them: where a key's slot is, how a slot changes
 * hands, and how counts move to the tables.
 * Threads: under the table lock, or where the process has one thread and no handler comes in between.
 * hcct_slots_where and hcct_slots_is_noted need neither. */
#ifndef HCCT_RUNTIME_COUNT_SLOTS_H
#define HCCT_RUNTIME_COUNT_SLOTS_H

#include <stdatomic.h>

#include "runtime/base/backing.h"
#include "runtime/base/machine.h"
#include "runtime/count/count.h"
#include "runtime/stream/space_saving_layout.h"

/* --- what a kill may interrupt (format/live.h) ----------------------------------------------------- */

/* The compiler keeps the stores before this call before those after it. */
static inline void hcct_slots_order(void)
{
    atomic_signal_fence(memory_order_seq_cst);
}

static inline void hcct_slots_begin_move(struct hcct_block *block, enum hcct_live_move_kind kind, uint32_t at,
                                         uint64_t count)
{
    uint64_t total = !hcct_live_was_on     ? 0
                     : hcct_tables.summary ? hcct_space_saving_total(hcct_tables.summary)
                                           : hcct_tables.exact.total;
    hcct_tables.move.worker = (uintptr_t)hcct_block_live_part(block);
    hcct_tables.move.count = count;
    hcct_tables.move.total = total;
    hcct_tables.move.at = at;
    hcct_slots_order();
    hcct_tables.move.kind = kind;
    hcct_slots_order();
}

static inline void hcct_slots_end_move(void)
{
    hcct_slots_order();
    hcct_tables.move.kind = HCCT_LIVE_MOVE_NONE;
    hcct_slots_order();
}

/* --- slots ------------------------------------------------------------------------------------- */

/* 2^32 / phi (as a negative number), an immediate operand on x86-64: keys of one slot differ in their higher
 * bits. */
#define NOTE_FACTOR UINT64_C(0x61c88647)

struct hcct_slots_where {
    uint32_t at;
    uint16_t bits; /* of the key */
};

static inline __attribute__((always_inline)) struct hcct_slots_where
hcct_slots_where(const struct hcct_block *block, uint64_t word)
{
    return (struct hcct_slots_where){ (uint32_t)(word / HCCT_ID_UNIT) & block->last_slot,
                                      (uint16_t)(word * NOTE_FACTOR >> 32) };
}

/* Beside each slot stand the bits of one key, which is *noted*: its next miss takes the table lock, for its
 * chain or for the slot (chains.h, challenge.h). 0: of none. A key whose bits are 0, or those of the noted
 * key, takes the lock too, which only costs time. The load pairs with the store in hcct_slots_note, perhaps
 * by a thread that drains the batch. A late value costs one more miss in a batch. */
static inline __attribute__((always_inline)) bool hcct_slots_is_noted(const struct hcct_block *block,
                                                                      struct hcct_slots_where where)
{
    return hcct_machine_is_equal(where.bits, &block->noted[where.at]);
}

static inline void hcct_slots_note(struct hcct_block *block, uint32_t at, uint16_t bits)
{
    __atomic_store_n(&block->noted[at], bits, __ATOMIC_RELAXED);
}

#endif
