/* A thread's slots and batch, as the files of this folder see them: where a key's slot is, how a slot changes
 * hands, and how counts move to the tables.
 * Threads: under the table lock, or where the process has one thread and no handler comes in between.
 * hcct_slots_at, hcct_slots_note_at and hcct_slots_is_noted need neither. */
#ifndef HCCT_RUNTIME_COUNT_SLOTS_H
#define HCCT_RUNTIME_COUNT_SLOTS_H

#include "runtime/base/machine.h"
#include "runtime/count/count.h"
#include "runtime/stream/space_saving_layout.h"

/* --- slots ------------------------------------------------------------------------------------- */

static inline uint32_t hcct_slots_at(const struct hcct_tally *tally, uint64_t word)
{
    return (uint32_t)(word / HCCT_ID_UNIT) & tally->block.last_slot;
}

/* --- notes ------------------------------------------------------------------------------------- */

/* A key may be *noted*: its next miss takes the table lock, for its chain or for its slot (chains.h,
 * challenge.h). A place holds the low bits of one noted key. All keys of a slot have the same low bits, so
 * the place of a note comes from a product. A key with the place and the low bits of a noted key takes the
 * lock, too, which only costs time. */
#define NOTE_FACTOR UINT64_C(0x61c88647) /* 2^32 / phi, as a negative number: an immediate on x86-64 */
/* The content of a place without a note. A key without a push is a multiple of HCCT_ID_UNIT, so it never has
 * these low bits. Few other keys have them; those always take the lock. A place that was never used has 0,
 * and more keys have these low bits: the first of them to miss takes the lock. */
enum { NO_NOTE = 1 };
_Static_assert(NO_NOTE % HCCT_ID_UNIT != 0, "no key without a push has these low bits");

static inline __attribute__((always_inline)) uint32_t hcct_slots_note_at(uint64_t word)
{
    return (uint32_t)(word * NOTE_FACTOR >> 24) % HCCT_NOTES;
}

/* The load pairs with the store in hcct_slots_note, perhaps by a thread that drains the batch. A late value
 * costs one more miss in a batch. */
static inline __attribute__((always_inline)) bool hcct_slots_is_noted(const struct hcct_tally *tally,
                                                                      uint64_t word)
{
    return hcct_machine_is_equal((uint16_t)word, &tally->noted[hcct_slots_note_at(word)]);
}

static inline void hcct_slots_note(struct hcct_tally *tally, uint64_t word)
{
    __atomic_store_n(&tally->noted[hcct_slots_note_at(word)], (uint16_t)word, __ATOMIC_RELAXED);
}

static inline void hcct_slots_drop_note(struct hcct_tally *tally, uint64_t word)
{
    __atomic_store_n(&tally->noted[hcct_slots_note_at(word)], NO_NOTE, __ATOMIC_RELAXED);
}

/* Whether no other key would lose its note. */
static inline bool hcct_slots_may_note(const struct hcct_tally *tally, uint64_t word)
{
    return tally->noted[hcct_slots_note_at(word)] <= NO_NOTE;
}

#endif
