/* A call whose word is not in its slot: by which way it is counted. batch.h has the keys that wait, record.c
 * what is done with the lock; challenge.h says which key gets a slot, and chains.h when a chain is brought.
 *
 * A miss leaves by the first way whose condition holds. The functions stand in this order; but a tally in
 * which none of 1 to 3 is open goes from 1 to 5 at once, and so does one in which 1 is open.
 *
 *    way                condition                                done                     lock  cost
 *    1 __hcct_miss      the summary is full, or a burst          key to the batch         no      19
 *    2 miss_peeked      one look finds the key in the summary    key to the batch         no      64
 *    3 miss_in_place    mode=cct, one thread, key has a chain    count in the exact table no      76
 *      finish_in_place  as 3, and it is due, or a signal waits   3, then the challenge    yes   hundreds
 *    4 miss_shared      mode=cct, threads, key has a chain       key to the batch         no      80
 *    5 miss             any other                                slot or tables, chain    yes   hundreds
 *
 * Ways 1, 2 and 4 also need room in the batch, and a key that is not noted: a noted key takes way 5. Before
 * that takes the lock, it tries ways 1 and 2 again, with a longer search; and once more, with way 4, if it
 * finds the batch full and so empties it. Cost is in instructions, with the tests of the ways before. A key
 * in a batch costs some 30 more when the batch is added. With mode=hcct, counting in place would take fewer
 * instructions, but more time: the summary is far away in memory, and a batch waits for it once for many
 * keys.
 * Invariants: those of count.c. Way 3 needs no lock: the process has one thread, as far as the C library
 * made them, and while it is busy no handler runs.
 * Source: D'Elia, Demetrescu and Finocchi, SPE 2015, section 4.2, with weighted updates. */
#include "runtime/count/miss.h"
#include "encoding/context.h"
#include "runtime/base/go_on.h"
#include "runtime/core/meter.h"
#include "runtime/core/notice.h"
#include "runtime/core/tables.h"
#include "runtime/core/threads.h"
#include "runtime/count/batch.h"
#include "runtime/count/challenge.h"
#include "runtime/count/enter.h"
#include "runtime/count/grow.h"
#include "runtime/count/record.h"
#include "runtime/count/slots.h"
#include "runtime/count/summaries.h"
#include "runtime/stack/stack.h"
#include "runtime/stream/exact.h"

#define LONGEST_FIND 64 /* steps in a list that another thread may change meanwhile */

/* Ways 1 and 2 again, with a longer search. */
static bool batch(struct hcct_tally *tally, const struct hcct_state *state, uint64_t word)
{
    return word > HCCT_WORD_TAIL && (hcct_batch_newcomer(tally, state, word) ||
                                     hcct_batch_monitored(tally, state, word, LONGEST_FIND));
}

/* If the batch is full, empties it, and counts the call by ways 1, 2 or 4, if it can. While the batch is not
 * as long as it may become, way 5 looks at that first. */
static bool batch_anew(struct hcct_tally *tally, const struct hcct_state *state, uint64_t word)
{
    if (!hcct_batch_is_full(tally))
        return false;
    hcct_batch_empty(tally);
    return hcct_batch_room(tally) == HCCT_BATCH_KEYS && !hcct_record_is_to_drain() &&
           (batch(tally, state, word) || hcct_batch_known(tally, state, word));
}

/* --- the ways of a miss ------------------------------------------------------------------------- */

/* Of a way that is open while this is not 0. */
static inline __attribute__((always_inline)) bool is_open(const uint16_t *way)
{
    return !hcct_machine_is_equal(0, way);
}

/* Each way reads the tally again: a handler in between may have found that nothing counts. */
typedef void __attribute__((preserve_most)) miss_way(HCCT_FREE_4, struct hcct_state *state, uint64_t word);
static __attribute__((noinline)) miss_way miss_otherwise, miss_peeked, miss_in_place, finish_in_place,
    miss_shared, miss_with_lock, miss_at_last;
static __attribute__((preserve_most, noinline)) void miss_slowly(HCCT_FREE_3, struct hcct_tally *tally,
                                                                 struct hcct_state *state, uint64_t word);

/* Way 1, which __hcct_enter_or_miss has, too. It takes no lock and delays no handler. A handler may longjmp
 * out of the middle: then the call is either counted or not, just as its function was either entered or
 * not. */
void __hcct_miss(HCCT_FREE_4, struct hcct_state *state, uint64_t word)
{
    struct hcct_tally *tally = hcct_tally_of_slots();
    /* NULL: a handler in between has found that nothing counts */
    if (!tally || (word > HCCT_WORD_TAIL && hcct_batch_newcomer(tally, state, word)))
        return;
    if (is_open(&tally->batch.found_limit))
        HCCT_GO_ON(miss_peeked(HCCT_NOTHING_4, state, word));
    if (is_open(&tally->batch.in_place))
        HCCT_GO_ON(miss_in_place(HCCT_NOTHING_4, state, word));
    HCCT_GO_ON(miss_otherwise(HCCT_NOTHING_4, state, word));
}

/* Any way but the first three. */
static void miss_otherwise(HCCT_FREE_4, struct hcct_state *state, uint64_t word)
{
    struct hcct_tally *tally = hcct_tally_of_slots();
    if (tally && is_open(&tally->batch.known_limit))
        HCCT_GO_ON(miss_shared(HCCT_NOTHING_4, state, word));
    /* way 1 is open, but the batch is full, or the key is noted */
    if (tally && __atomic_load_n(&tally->batch.limit, __ATOMIC_RELAXED))
        HCCT_GO_ON(miss_with_lock(HCCT_NOTHING_4, state, word));
    HCCT_GO_ON(miss_at_last(HCCT_NOTHING_4, state, word));
}

/* Way 2. */
static void miss_peeked(HCCT_FREE_4, struct hcct_state *state, uint64_t word)
{
    struct hcct_tally *tally = hcct_tally_of_slots();
    if (tally && !hcct_batch_monitored(tally, state, word, 0))
        HCCT_GO_ON(miss_at_last(HCCT_NOTHING_4, state, word));
}

/* Way 3. */
static void miss_in_place(HCCT_FREE_4, struct hcct_state *state, uint64_t word)
{
    struct hcct_tally *tally = hcct_tally_of_slots();
    if (!tally || !__atomic_load_n(&tally->batch.in_place, __ATOMIC_RELAXED) || !__libc_single_threaded ||
        hcct_busy.depth)
        HCCT_GO_ON(miss_at_last(HCCT_NOTHING_4, state, word));
    hcct_busy_enter_frame();
    enum hcct_in_place done = hcct_exact_add_in_place(&hcct_tables.exact, word);
    atomic_signal_fence(memory_order_seq_cst);
    hcct_busy.depth = 0;
    if (done == HCCT_NOT_IN_PLACE)
        HCCT_GO_ON(miss_at_last(HCCT_NOTHING_4, state, word));
    if (__builtin_expect(hcct_busy.deferred | (done == HCCT_DUE), 0))
        HCCT_GO_ON(finish_in_place(HCCT_NOTHING_4, state, word));
}

/* The end of way 3. The call is counted already. Runs the handlers that waited, and challenges the slot if
 * the key is due. */
static void finish_in_place(HCCT_FREE_4, struct hcct_state *state, uint64_t word)
{
    struct hcct_tally *tally = hcct_tally_of_slots();
    hcct_busy_enter();
    const struct hcct_exact_slot *slot = hcct_exact_find(&hcct_tables.exact, word);
    if (tally && slot && slot->node && hcct_challenge_is_due(tally, slot->count, 0)) {
        hcct_tables_lock();
        hcct_grow_if_needed(tally);
        if (hcct_tables.running && !hcct_challenge_was_hit(tally, hcct_slots_at(tally, word)))
            hcct_challenge_take(tally, word, slot->node, state->names);
        hcct_tables_unlock();
    }
    hcct_busy_leave();
}

/* Way 4. */
static void miss_shared(HCCT_FREE_4, struct hcct_state *state, uint64_t word)
{
    struct hcct_tally *tally = hcct_tally_of_slots();
    if (tally && !hcct_batch_known(tally, state, word))
        HCCT_GO_ON(miss_at_last(HCCT_NOTHING_4, state, word));
}

static __attribute__((preserve_most, noinline, cold)) void redeliver(void)
{
    hcct_guest_hooks.redeliver();
}

/* With threads=split, the first call of a thread or fiber: it has come here, since all keys miss until then.
 * Its code in line has taken the common root for its own. Returns the word that it has below its own root. */
static uint64_t begin_thread(uint64_t word, const struct hcct_state *state)
{
    if (!hcct_threads_are_split() || __hcct_thread.top != HCCT_ROOT_FRAME || word != state->base)
        return word;
    hcct_stack_begin(state->base);
    return hcct_context_word(__hcct_thread.top->prefix, state->base);
}

static inline __attribute__((always_inline)) void count(struct hcct_tally *tally, uint64_t word,
                                                        const struct hcct_state *state, uintptr_t sp)
{
    if (word <= HCCT_WORD_TAIL) { /* a call that nobody numbered entered a local function */
        hcct_tables.stale += tally->weight;
        word = state->base;
    }
    if (hcct_batch_is_full(tally))
        hcct_batch_empty_locked(tally);
    hcct_record(tally, word, state, sp);
}

void hcct_miss_count(struct hcct_tally *tally, uint64_t word, const struct hcct_state *state, uintptr_t sp)
{
    if (state->base)
        count(tally, word, state, sp);
    else
        __atomic_fetch_add(&hcct_tables.dropped_memory, tally->weight, __ATOMIC_RELAXED);
}

/* Way 5, and the calls that are not counted. Returns the word, which may be another one. */
static uint64_t miss(uint64_t word, struct hcct_state *state, uintptr_t sp)
{
    hcct_notice();
    /* only in the handler of a fault that struck inside the tables */
    if (__builtin_expect(hcct_busy.depth != 0, 0)) {
        if (hcct_block_counts() && hcct_block_current())
            __atomic_fetch_add(&hcct_tables.dropped_interrupted, hcct_tally_of(hcct_block_current())->weight,
                               __ATOMIC_RELAXED);
        return word;
    }
    struct hcct_tally *tally = hcct_tally_of(hcct_block_self());
    word = begin_thread(word, state);
    if (__builtin_expect(tally != hcct_tally_of_slots() || !hcct_block_counts(), 0)) {
        hcct_block_choose_slots();
        if (!hcct_block_counts())
            return word;
    }
    if (hcct_meter->calls.take && tally) {
        hcct_meter->calls.take(&tally->block, word, state, sp);
        return word;
    }
    if (!tally || !state->base) { /* no memory for the tally, or none to number the function's object */
        __atomic_fetch_add(&hcct_tables.dropped_memory, tally ? tally->weight : 1, __ATOMIC_RELAXED);
        return word;
    }
    hcct_busy_enter();
    if (!batch_anew(tally, state, word)) {
        hcct_tables_lock();
        if (hcct_tables.summary && hcct_summaries_are_bounded() && !hcct_miss_is_alone())
            hcct_summaries_lock_part(tally);
        count(tally, word, state, sp);
        hcct_tables_unlock();
    }
    hcct_busy_leave();
    return word;
}

/* Way 5. */
static void miss_with_lock(HCCT_FREE_4, struct hcct_state *state, uint64_t word)
{
    /* way 5 may call a function of the program, such as its allocator */
    uint64_t entered = __hcct_thread.entered;
    /* lower than the caller's: it only filters dead frames */
    uint64_t now = miss(word, state, (uintptr_t)__builtin_frame_address(0));
    __hcct_thread.entered = now == word ? entered : now;
}

/* Ways 1 and 2 once more, then 5. A function of its own, so that the usual ways save few
 * registers. */
static __attribute__((preserve_most, noinline)) void miss_slowly(HCCT_FREE_3, struct hcct_tally *tally,
                                                                 struct hcct_state *state, uint64_t word)
{
    if (!batch(tally, state, word))
        miss_with_lock(HCCT_NOTHING_4, state, word);
}

/* First runs the handlers that waited while way 3 was tried. */
static void miss_at_last(HCCT_FREE_4, struct hcct_state *state, uint64_t word)
{
    if (__builtin_expect(hcct_busy.deferred && !hcct_busy.depth, 0))
        redeliver();
    struct hcct_tally *tally = hcct_tally_of_slots();
    if (tally)
        miss_slowly(HCCT_NOTHING_3, tally, state, word);
}

/* --- entry points that count ----------------------------------------------------------------------- */

void __hcct_count(HCCT_FREE_4, struct hcct_state *state, uint64_t word)
{
    struct hcct_slot *slots = __atomic_load_n(&__hcct_thread.slots, __ATOMIC_RELAXED);
    if (!slots)
        return;
    uint64_t mask = __atomic_load_n(&__hcct_thread.slot_mask, __ATOMIC_RELAXED);
    struct hcct_slot *slot = (struct hcct_slot *)(void *)((char *)slots + (word & mask));
    if (slot->key != word)
        HCCT_GO_ON(__hcct_miss(HCCT_NOTHING_4, state, word));
    __atomic_store_n(&slot->count, __atomic_load_n(&slot->count, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

static __attribute__((preserve_most, noinline)) void enter_and_count(HCCT_FREE_3, struct hcct_free sp,
                                                                     struct hcct_state *state, uint64_t word)
{
    hcct_stack_enter(HCCT_NOTHING_3, sp.value, state, word);
    /* no HCCT_GO_ON, as the word is another one */
    __hcct_count(HCCT_NOTHING_4, state, __hcct_thread.entered);
}

void __hcct_enter_or_miss(HCCT_FREE_3, struct hcct_free sp, struct hcct_state *state, uint64_t word)
{
    if (word <= HCCT_WORD_TAIL)
        HCCT_GO_ON(enter_and_count(HCCT_NOTHING_3, sp, state, word));
    __hcct_thread.entered = word;
    /* as __hcct_miss */
    struct hcct_tally *tally = hcct_tally_of_slots();
    if (!tally || hcct_batch_newcomer(tally, state, word))
        return;
    if (is_open(&tally->batch.found_limit))
        HCCT_GO_ON(miss_peeked(HCCT_NOTHING_4, state, word));
    if (is_open(&tally->batch.in_place))
        HCCT_GO_ON(miss_in_place(HCCT_NOTHING_4, state, word));
    HCCT_GO_ON(miss_otherwise(HCCT_NOTHING_4, state, word));
}
