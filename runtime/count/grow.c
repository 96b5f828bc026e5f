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
 *   1. code that counts in line reads a slot within the tally, as every tally has addresses for
 *      HCCT_MORE_SLOTS. A call is counted where it finds its own word, wherever that is;
 *   2. at most one tally has grown. It stays so, whichever thread it serves.
 * Cost: one look, at 16,384 slots, for each LOOK misses. */
#include "runtime/count/grow.h"

#include "runtime/core/meter.h"
#include "runtime/core/tables.h"
#include "runtime/count/challenge.h"
#include "runtime/count/count.h"
#include "runtime/count/slots.h"
#include "runtime/count/tally.h"
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

uint64_t hcct_grow_in_place(const struct hcct_tally *tally)
{
    return hcct_tables.summary || hcct_exact_is_shared
               ? 0
               : hcct_tables.exact.total + hcct_tables.elsewhere - tally->calls;
}

/* The calls that missed since the last look, about: those that came in batches or were counted in place. */
static uint64_t missed_by(const struct hcct_tally *tally)
{
    uint64_t missed = tally->missed + hcct_grow_in_place(tally);
    return missed > tally->seen_missed ? missed - tally->seen_missed : 0;
}

/* The calls that the tables have, and those that are still in slots. */
static uint64_t calls_of(struct hcct_tally *tally)
{
    uint64_t calls = tally->calls + hcct_grow_in_place(tally);
    for (uint32_t i = 0; i <= tally->block.last_slot; i++)
        calls +=
            __atomic_load_n(&tally->slots[i].count, __ATOMIC_RELAXED) - hcct_tally_side(tally, i)->drained;
    return calls;
}

/* Only if the meter counts single calls. Not in a handler without a tally of its own, as the interrupted
 * code may be in the middle of a count. */
static bool may_grow(void)
{
    return !hcct_in_handler && hcct_meter_is_plain();
}

static void move_slot(struct hcct_tally *tally, uint32_t from, uint32_t to)
{
    tally->slots[to].count = tally->slots[from].count;
    *hcct_tally_side(tally, to) = *hcct_tally_side(tally, from);
    if (tally->knows_functions)
        tally->slot_functions[to] = tally->slot_functions[from];
    hcct_tally_mark_filled(tally, to);
    tally->slots[to].key = tally->slots[from].key;
    tally->slots[from] = (struct hcct_slot){ 0 };
    *hcct_tally_side(tally, from) = (struct hcct_side){ 0 };
}

static void grow(struct hcct_tally *tally, uint32_t slots)
{
    uint32_t before = tally->block.last_slot;
    tally->block.last_slot = slots - 1;
    tally->challenge_shift = HCCT_CHALLENGE_SHIFT_MAX; /* most slots are empty, so keys challenge soon */
    for (uint32_t i = 0; i <= before; i++) {
        uint32_t to = hcct_slots_at(tally, tally->slots[i].key);
        if (tally->slots[i].key && to != i)
            move_slot(tally, i, to);
    }
    hcct_block_choose_slots();
}

bool hcct_grow_has_room(const struct hcct_tally *tally, uint32_t slot)
{
    return tally->block.last_slot < HCCT_SLOTS || tally->slots[slot].key || !hcct_tables.summary ||
           hcct_prefix_bytes() < CHAINS;
}

/* The functions below: of their own, so that the usual way saves no registers. */

static __attribute__((noinline)) void leave_few(struct hcct_tally *tally)
{
    if (may_grow())
        grow(tally, HCCT_SLOTS);
}

static __attribute__((noinline)) void look(struct hcct_tally *tally, uint64_t missed)
{
    bool may = !has_grown && may_grow() && (!hcct_tables.summary || hcct_prefix_bytes() < CHAINS);
    uint64_t all = calls_of(tally), calls = all - tally->seen_calls;
    may = may && all > tally->seen_calls && missed * MANY > calls && missed * MOST < calls;
    tally->seen_calls = all;
    tally->seen_missed += missed;
    if (may) {
        has_grown = true;
        grow(tally, HCCT_MORE_SLOTS);
    }
}

bool hcct_grow_is_due(const struct hcct_tally *tally)
{
    return hcct_grow_has_few(tally) || tally->missed - tally->seen_missed >= LOOK;
}

void hcct_grow_if_needed(struct hcct_tally *tally)
{
    uint64_t missed = missed_by(tally);
    if (__builtin_expect(hcct_grow_has_few(tally), 0)) {
        bool are_its_own = hcct_tables.summary || hcct_block_used() == 1;
        if ((are_its_own && missed >= FEW_MISSES) || tally->taken >= HCCT_FEW_SLOTS / 2)
            leave_few(tally);
    } else if (missed >= LOOK) {
        look(tally, missed);
    }
}
