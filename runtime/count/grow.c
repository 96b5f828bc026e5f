/* See grow.h. Each thread begins with few slots, as contexts spread over all of their pages. Once half of
 * them are taken, or after FEW_MISSES, it gets HCCT_SLOTS: such a run can pay for their memory.
 *
 * A program with somewhat more contexts than that misses the same contexts again and again. The first thread
 * that is seen doing so gets HCCT_MORE_SLOTS. It is only one thread, because the slots take 1.5 MB and memory
 * is bounded. In two cases more slots do not help:
 *   1. nearly every call misses. Then there are too many contexts for the larger table as well, and it takes
 *      cache space from the summary (fib and ackermann run half as long again);
 *   2. contexts have long chains of pushes. More slots would keep more chains, so they stay empty.
 *
 * Invariants
 *   1. code that counts in line reads a slot within the block, as every block has addresses for
 *      HCCT_MORE_SLOTS. A call is counted where it finds its own word, wherever that is;
 *   2. at most one block has grown. It stays so, whichever thread it serves.
 * Cost: one look, at 16,384 slots, for each LOOK misses. */
#include "runtime/count/grow.h"

#include "runtime/core/block.h"
#include "runtime/core/meter.h"
#include "runtime/core/tables.h"
#include "runtime/count/challenge.h"
#include "runtime/count/count.h"
#include "runtime/count/slots.h"
#include "runtime/stack/prefix.h"

enum {
    FEW_MISSES = 1 << 12, /* they take as long as some hundred pages that are touched for the first time */
    /* misses between two looks. A short time with many misses does not mean too few slots (chess) */
    LOOK = 1 << 18,
    MANY = 8,
    MOST = 2, /* more slots help if there are fewer than MANY and more than MOST calls for each miss */
    CHAINS = 640 * 1024 /* bytes of chains above which more slots stay empty */
};

static bool has_grown; /* under the table lock */

/* The calls that were not counted in slots. With mode=cct they were counted in place, by the only thread.
 * Where there are others, their calls are among these. */
static uint64_t missed_by(const struct hcct_block *block)
{
    return hcct_tables.summary ? block->missed
                               : hcct_tables.exact.total + hcct_tables.elsewhere - block->calls;
}

/* The calls that the tables have, and those that are still in slots. */
static uint64_t calls_of(struct hcct_block *block)
{
    uint64_t calls = hcct_tables.summary ? block->calls : hcct_tables.exact.total + hcct_tables.elsewhere;
    for (uint32_t i = 0; i <= block->last_slot; i++)
        calls +=
            __atomic_load_n(&block->slots[i].count, __ATOMIC_RELAXED) - hcct_block_side(block, i)->drained;
    return calls;
}

/* Only if the meter counts single calls. Not in a handler without a block of its own, as the interrupted
 * code may be in the middle of a count. */
static bool may_grow(void)
{
    return !hcct_in_handler && hcct_meter_is_plain();
}

static void move_slot(struct hcct_block *block, uint32_t from, uint32_t to)
{
    block->slots[to].count = block->slots[from].count;
    *hcct_block_side(block, to) = *hcct_block_side(block, from);
    if (block->knows_functions)
        block->slot_functions[to] = block->slot_functions[from];
    hcct_block_mark_filled(block, to);
    block->slots[to].key = block->slots[from].key;
    block->slots[from] = (struct hcct_slot){ 0 };
    *hcct_block_side(block, from) = (struct hcct_side){ 0 };
}

static void grow(struct hcct_block *block, uint32_t slots)
{
    uint32_t before = block->last_slot;
    block->last_slot = slots - 1;
    block->challenge_shift = HCCT_CHALLENGE_SHIFT_MAX; /* most slots are empty, so keys challenge soon */
    for (uint32_t i = 0; i <= before; i++) {
        uint32_t to = hcct_slots_at(block, block->slots[i].key);
        if (block->slots[i].key && to != i)
            move_slot(block, i, to);
    }
    hcct_block_choose_slots();
}

bool hcct_grow_has_room(const struct hcct_block *block, uint32_t slot)
{
    return block->last_slot < HCCT_SLOTS || block->slots[slot].key || !hcct_tables.summary ||
           hcct_prefix_bytes() < CHAINS;
}

/* The functions below: of their own, so that the usual way saves no registers. */

static __attribute__((noinline)) void leave_few(struct hcct_block *block)
{
    if (may_grow())
        grow(block, HCCT_SLOTS);
}

static __attribute__((noinline)) void look(struct hcct_block *block, uint64_t missed)
{
    if (has_grown || !may_grow() || (hcct_tables.summary && hcct_prefix_bytes() >= CHAINS))
        return;
    uint64_t all = calls_of(block), calls = all - block->seen_calls;
    has_grown = all > block->seen_calls && missed * MANY > calls && missed * MOST < calls;
    block->seen_calls = all;
    block->seen_missed += missed;
    if (has_grown)
        grow(block, HCCT_MORE_SLOTS);
}

void hcct_grow_if_needed(struct hcct_block *block)
{
    uint64_t missed = missed_by(block) - block->seen_missed;
    if (__builtin_expect(hcct_grow_has_few(block), 0)) {
        bool are_its_own = hcct_tables.summary || hcct_block_used() == 1;
        if ((are_its_own && missed >= FEW_MISSES) || block->taken >= HCCT_FEW_SLOTS / 2)
            leave_few(block);
    } else if (missed >= LOOK) {
        look(block, missed);
    }
}
