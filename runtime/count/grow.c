/* See grow.h. A program with somewhat more contexts than slots misses again and again what it has counted
 * before. The first thread that is seen doing so gets HCCT_MORE_SLOTS: one, as that takes 1.5 MB, and memory
 * is bounded. Where nearly every call misses there are too many contexts for those as well, and the larger
 * table would take the caches from the summary (fib, ackermann: half as long again); where contexts have long
 * chains of pushes, more slots would keep more of them: there they stay empty.
 *
 * Invariants
 *   1. whoever counts in line reads a slot within the block, as every block has addresses for
 *      HCCT_MORE_SLOTS; a call counts where it finds its own word, wherever that is;
 *   2. one block at most has grown, and it stays so, whichever thread it serves.
 * Cost: a look, 16,384 slots for each LOOK misses. */
#include "runtime/count/grow.h"

#include "runtime/base/backing.h"
#include "runtime/core/meter.h"
#include "runtime/core/tables.h"
#include "runtime/core/thread.h"
#include "runtime/count/count.h"
#include "runtime/count/slots.h"
#include "runtime/stack/prefix.h"

enum {
    /* misses between two looks: a short time of many misses is none of too few slots (chess) */
    LOOK = 1 << 18,
    MANY = 8,
    MOST = 2, /* calls for a miss: more slots help where there are fewer than MANY, and more than MOST */
    CHAINS = 640 * 1024 /* bytes; where they take more, more slots would keep still more */
};

static bool has_grown; /* under the table lock */

/* Those that were not counted in slots. mode=cct: in place, by the only thread. */
static uint64_t missed_by(const struct hcct_worker *worker)
{
    return hcct_tables.summary ? worker->missed : hcct_tables.exact.total - worker->calls;
}

/* Those that the tables got, and those that are in slots. */
static uint64_t calls_of(struct hcct_worker *worker)
{
    uint64_t calls = hcct_tables.summary ? worker->calls : hcct_tables.exact.total;
    for (uint32_t i = 0; i <= worker->last_slot; i++)
        calls +=
            __atomic_load_n(&worker->slots[i].count, __ATOMIC_RELAXED) - hcct_slot_side(worker, i)->drained;
    return calls;
}

/* Only where calls are counted one by one. In a handler that has no block of its own the interrupted code may
 * be in the middle of a count; and the file of continuous=1 has room for HCCT_SLOTS. */
static bool may_grow(void)
{
    return !has_grown && !hcct_in_handler && !hcct_live_was_on && hcct_meter->is_plain &&
           (!hcct_tables.summary || hcct_prefix_bytes() < CHAINS);
}

static void move_slot(struct hcct_worker *worker, uint32_t from, uint32_t to)
{
    worker->slots[to].count = worker->slots[from].count;
    *hcct_slot_side(worker, to) = *hcct_slot_side(worker, from);
    worker->slots[to].key = worker->slots[from].key;
    worker->slots[from] = (struct hcct_slot){ 0 };
    *hcct_slot_side(worker, from) = (struct hcct_side){ 0 };
}

static void grow(struct hcct_worker *worker)
{
    has_grown = true;
    worker->last_slot = HCCT_MORE_SLOTS - 1;
    for (uint32_t i = 0; i < HCCT_SLOTS; i++) {
        uint32_t to = hcct_slot_where(worker, worker->slots[i].key).at;
        if (worker->slots[i].key && to != i)
            move_slot(worker, i, to);
    }
    hcct_worker_choose_slots();
}

bool hcct_grow_has_room(const struct hcct_worker *worker, uint32_t slot)
{
    return worker->last_slot < HCCT_SLOTS || worker->slots[slot].key || !hcct_tables.summary ||
           hcct_prefix_bytes() < CHAINS;
}

bool hcct_grow_if_needed(struct hcct_worker *worker)
{
    uint64_t missed = missed_by(worker) - worker->seen_missed;
    if (missed < LOOK || !may_grow())
        return false;
    uint64_t all = calls_of(worker), calls = all - worker->seen_calls;
    bool helps = all > worker->seen_calls && missed * MANY > calls && missed * MOST < calls;
    worker->seen_calls = all;
    worker->seen_missed += missed;
    if (helps)
        grow(worker);
    return helps;
}
