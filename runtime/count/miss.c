/* A call whose word is not in its slot: where it is counted, and when its word takes the slot.
 *
 * A miss leaves by the first way whose condition holds. The functions stand in this order; but a block in
 * which neither 1 to 3 nor 5 is open goes from 1 to 6 at once, and one in which 1 is open to 8.
 *
 *    way                condition                                done                     lock  cost
 *    1 __hcct_miss      the summary is full, or a burst          key to the batch         no      19
 *    2 miss_peeked      one look finds the key in the summary    key to the batch         no      64
 *    3 miss_in_place    mode=cct, one thread, key has a chain    count in the exact table no      75
 *    4 finish_in_place  as 3, and it is due, or a signal waits   3, then the challenge    yes   hundreds
 *    5 miss_searched    two steps find the key in the summary    key to the batch         no     150
 *    6 miss_metered     the meter has `pass` (sample=)           the meter decides        -       32 +
 *    7 count_in_file    continuous=1                             slot, or as 1 and 2      no     180
 *    8 miss             any other                                slot or tables, chain    yes   hundreds
 *
 * Ways 1, 2, 5 also need room in the batch, and a key that is not noted: a noted key takes way 8. Cost is in
 * instructions, with the tests of the ways before. A key in a batch costs some 30 more when the batch is
 * added. With mode=hcct, counting in place would take fewer instructions, but more time: the summary is far
 * away in memory, and a batch waits for it once for many keys.
 * Invariants: those of count.c. Way 3 needs no lock: the process has one thread, as far as the C library
 * made them, and while it is busy no handler runs.
 * Source: D'Elia, Demetrescu and Finocchi, SPE 2015, section 4.2, with weighted updates. */
#include "runtime/count/miss.h"
#include "encoding/context.h"
#include "runtime/core/notice.h"
#include "runtime/core/options.h"
#include "runtime/core/tables.h"
#include "runtime/core/threads.h"
#include "runtime/count/grow.h"
#include "runtime/count/slots.h"
#include "runtime/stack/prefix.h"
#include "runtime/stack/stack.h"
#include "runtime/stack/walk.h"

#define LONGEST_FIND 64 /* steps in a list that another thread may change meanwhile */
#define CHALLENGE_INTERVAL_MAX 64
#define CHALLENGE_SHIFT_MAX 3 /* the shift for HCCT_CHALLENGE */
_Static_assert(CHALLENGE_INTERVAL_MAX >> CHALLENGE_SHIFT_MAX == HCCT_CHALLENGE,
               "the shortest challenge_interval");

/* --- who gets a slot --------------------------------------------------------------------------- */

/* The chain of `word`, interned. */
static hcct_node intern(struct hcct_block *block, uint64_t word, const struct hcct_state *state, uintptr_t sp)
{
    const struct hcct_frame *frame = hcct_walk_find(__hcct_thread.top, word, state, sp);
    if (frame)
        return hcct_prefix_intern(frame, block->pending, hcct_block_pending_room(block));
    hcct_tables.stale += block->weight;
    return hcct_prefix_unknown(hcct_context_prefix(word, state->base));
}

/* The number of misses of a key between two challenges of its slot. It is short if the keys that lost their
 * slots lately had been hit often there (a program with phases), and long if not (more contexts in turns
 * than slots). */
static uint32_t challenge_interval(const struct hcct_block *block)
{
    return CHALLENGE_INTERVAL_MAX >> block->challenge_shift;
}

/* Adapts the interval when a key that was hit `count` times in its slot loses it. */
static void adapt_interval(struct hcct_block *block, uint64_t count)
{
    enum { FEW = 32, MANY = 128, MOST = 4 * MANY, START = (FEW + MANY) / 2, WEIGHT = 64 };
    uint32_t mean = block->mean_of_losers ? block->mean_of_losers : START * WEIGHT;
    mean += (count < MOST ? (uint32_t)count : MOST) - mean / WEIGHT;
    if (mean < FEW * WEIGHT && block->challenge_shift > 0) {
        block->challenge_shift--;
        mean = 0;
    } else if (mean > MANY * WEIGHT && block->challenge_shift < CHALLENGE_SHIFT_MAX) {
        block->challenge_shift++;
        mean = 0;
    }
    block->mean_of_losers = mean;
}

static bool is_due(const struct hcct_block *block, uint64_t count, uint64_t error)
{
    return count % challenge_interval(block) == 0 && count - error >= challenge_interval(block);
}

/* Whether the slot was hit since the last look. It notices about half of `challenge_interval` hits or
 * more. */
static bool was_hit_since_look(struct hcct_block *block, uint32_t at)
{
    uint8_t count = (uint8_t)(__atomic_load_n(&block->slots[at].count, __ATOMIC_RELAXED) /
                              (challenge_interval(block) / 2));
    bool moved = count != block->count_at_look[at];
    block->count_at_look[at] = count;
    return moved && block->slots[at].key;
}

/* Gives the slot to `key`. The key is in the tables, with `node`. */
static void take_slot(struct hcct_block *block, uint64_t key, hcct_node node)
{
    uint32_t at = hcct_slots_where(block, key).at;
    if (!hcct_grow_has_room(block, at))
        return;
    if (block->slots[at].key)
        adapt_interval(block, __atomic_load_n(&block->slots[at].count, __ATOMIC_RELAXED));
    hcct_prefix_retain(node);
    hcct_count_install_slot(block, at, key, node, 0);
}

/* Nonzero while the process has one thread, as far as the C library made them (glibc 2.32). */
extern const char __libc_single_threaded __attribute__((weak));

static bool may_count_in_place(const struct hcct_block *block)
{
    return &__libc_single_threaded && !hcct_live_was_on && block->weight == 1 && hcct_meter->is_plain;
}

/* A context that is hot must not be without a chain at the end. A key without one weighs at most
 *     N / k           when it came in (its error),
 *   + chain_at        counted after that: then it is noted, and its next miss brings the chain,
 *   + PATIENCE calls  while its slot has the note of another key,
 *   + L               for each block in use: its calls in a batch of L keys, which the end of the run, or of
 *                     the thread, adds. Each block notes keys of its own batches.
 * They share what is left of phi N. As phi N only grows, a key that is hot at the end was noted in time. When
 * one more block comes into use, all batches are emptied and ask for a new L (hcct_block_shorten_batches). (A
 * key waits for the note of another one, as keys that come in turns would take the place from each other
 * before any of them comes again.) A key needs its chain to challenge its slot, so chain_at is at most an
 * interval. Where epsilon is more than phi / 2, L is phi N / 2 for all blocks together, and chain_at 2. */
enum { CHAIN_SHARE = 4, PATIENCE = 8 };

/* What of phi N they share. A block may be about to add a key when its limit changes. */
static uint64_t share_of_hot(uint64_t hot, uint64_t total)
{
    uint64_t error = total / hcct_options.capacity + 1 + hcct_block_used();
    return hot > 2 * error ? hot - error : 0;
}

/* Sets L (0: nothing is batched) and chain_at for a sum of weights N. They hold for larger sums, too, so this
 * looks again only when N has grown by a 64th, has begun anew, or somebody has set L to 0. */
static void bound_batch(struct hcct_block *block, uint64_t total)
{
    if (total && total - block->bounded <= block->bounded / 64 &&
        __atomic_load_n(&block->batch.limit, __ATOMIC_RELAXED))
        return;
    uint64_t hot = hcct_real_times(hcct_options.phi, total), share = share_of_hot(hot, total),
             part = share / CHAIN_SHARE, keys = share ? share - part : hot / 2;
    uint64_t most = challenge_interval(block) * block->weight, least = 2 * block->weight,
             waiting = PATIENCE * block->weight;
    keys = (keys > 2 * waiting ? keys - waiting : keys / 2) / hcct_block_used();
    block->chain_at = part < least ? least : part < most ? part : most;
    block->bounded = total;
    __atomic_store_n(&block->batch.limit, keys < HCCT_BATCH_KEYS ? (uint32_t)keys : HCCT_BATCH_KEYS,
                     __ATOMIC_RELAXED);
}

/* Adds the key to the summary. Then the key may get a chain, or take the slot. The first 1/epsilon newcomers
 * get a chain at once, later ones when they came twice (count - error >= 2). */
static void count_in_summary(struct hcct_block *block, uint64_t word, const struct hcct_state *state,
                             uintptr_t sp, bool noted)
{
    const struct hcct_algorithm *algorithm = hcct_tables.algorithm;
    struct hcct_summary *summary = hcct_tables.summary;
    uint32_t place = hcct_count_add(word, block->weight, 0);
    hcct_meter_added(block, word, block->weight);
    uint64_t floor = algorithm->floor(summary);
    block->calls++;
    bound_batch(block, floor || !hcct_meter->is_plain ? algorithm->total(summary) : 0);
    __atomic_store_n(&block->batch.found_limit,
                     !floor && algorithm->add_found && hcct_meter->is_plain ? HCCT_BATCH_KEYS : 0,
                     __ATOMIC_RELAXED);
    if (place == HCCT_NO_PLACE)
        return;
    struct hcct_entry entry = algorithm->entry(summary, place);
    if (!entry.node && (entry.count - entry.error >= block->chain_at ||
                        (!floor && algorithm->size(summary) + block->taken <= hcct_options.capacity)))
        algorithm->set_node(summary, place, intern(block, word, state, sp));
    else if (entry.node && (noted || (is_due(block, entry.count, entry.error) &&
                                      !was_hit_since_look(block, hcct_slots_where(block, word).at))))
        take_slot(block, word, entry.node);
}

/* The same for the exact table, where each newcomer gets a chain. */
static void count_in_exact(struct hcct_block *block, uint64_t word, const struct hcct_state *state,
                           uintptr_t sp)
{
    const struct hcct_exact_slot *slot = hcct_exact_find(&hcct_tables.exact, word);
    hcct_node node = slot ? slot->node : 0;
    hcct_count_add(word, block->weight, node ? 0 : intern(block, word, state, sp));
    hcct_meter_added(block, word, block->weight);
    block->calls++;
    __atomic_store_n(&block->batch.in_place, may_count_in_place(block), __ATOMIC_RELAXED);
    if (node && is_due(block, slot->count, 0) && !was_hit_since_look(block, hcct_slots_where(block, word).at))
        take_slot(block, word, node);
}

/* A key takes its slot if that is empty, unless the summary is full. Otherwise it goes to the tables with
 * weight 1. */
static void record(struct hcct_block *block, uint64_t word, const struct hcct_state *state, uintptr_t sp)
{
    struct hcct_slots_where where = hcct_slots_where(block, word);
    bool noted = where.bits && hcct_slots_is_noted(block, where);
    if (!hcct_tables.running)
        return;
    if (noted)
        hcct_slots_note(block, where.at, 0);
    if (!block->slots[where.at].key &&
        !(hcct_tables.summary && hcct_tables.algorithm->floor(hcct_tables.summary)) &&
        hcct_grow_has_room(block, where.at)) {
        block->taken++;
        hcct_count_install_slot(block, where.at, word, intern(block, word, state, sp), 1);
    } else if (hcct_tables.summary) {
        count_in_summary(block, word, state, sp, noted);
    } else {
        count_in_exact(block, word, state, sp);
    }
}

/* --- batches ------------------------------------------------------------------------------------ */

/* Whether a key that needs a chain may be noted. It was counted `weight` since it came in. */
static bool may_note(const struct hcct_block *block, uint32_t at, uint64_t weight)
{
    return !block->noted[at] || weight / block->weight % PATIENCE == 0;
}

/* The visitor for monitored keys of a batch. A batch has no context stack to take a chain from, and slots
 * change hands only at a miss. So it notes the key that needs a chain or is due to challenge. */
static void visit_batched(void *context, uint64_t key, uint32_t place, hcct_node evicted)
{
    struct hcct_block *block = context;
    struct hcct_entry entry = hcct_tables.algorithm->entry(hcct_tables.summary, place);
    hcct_prefix_release(evicted);
    struct hcct_slots_where where = hcct_slots_where(block, key);
    if (entry.node ? is_due(block, entry.count, entry.error) && !was_hit_since_look(block, where.at)
                   : entry.count - entry.error >= block->chain_at &&
                         may_note(block, where.at, entry.count - entry.error))
        hcct_slots_note(block, where.at, where.bits);
}

/* In the order of the batch: with continuous=1, the total says how many keys were added (format/live.h).
 * add_ones changes the order, and it knows no weights. */
static void add_one_by_one(struct hcct_block *block, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        hcct_node evicted = 0, unused = 0;
        uint64_t key = block->batch.keys[i];
        uint32_t place =
            hcct_tables.algorithm->add(hcct_tables.summary, key, block->weight, 0, &evicted, &unused);
        if (place != HCCT_NO_PLACE)
            visit_batched(block, key, place, evicted);
    }
}

void hcct_miss_add_batch(struct hcct_block *block)
{
    struct hcct_batch *batch = &block->batch;
    const struct hcct_visitor visitor = { visit_batched, block, challenge_interval(block), block->chain_at };
    /* the load pairs with the RELEASE store in append, as another thread may drain this batch */
    uint32_t from = batch->drained, to = __atomic_load_n(&batch->count, __ATOMIC_ACQUIRE);
    hcct_slots_begin_move(block, HCCT_LIVE_MOVE_BATCH, from, 0);
    if (hcct_tables.running && (hcct_live_was_on || block->weight != 1))
        add_one_by_one(block, from, to);
    else if (hcct_tables.running && from < to && hcct_tables.algorithm->add_found && hcct_meter->is_plain &&
             !hcct_tables.algorithm->floor(hcct_tables.summary))
        hcct_tables.algorithm->add_found(hcct_tables.summary, batch->keys + from, block->places + from,
                                         to - from, &visitor);
    else if (hcct_tables.running && from < to)
        hcct_tables.algorithm->add_ones(hcct_tables.summary, batch->keys + from, to - from, &visitor);
    for (uint32_t i = from; i < to && hcct_meter->added && hcct_tables.running; i++)
        hcct_meter->added(block, batch->keys[i], block->weight);
    block->calls += to - from;
    block->missed += to - from;
    batch->drained = to;
    hcct_slots_end_move();
}

/* After growing, most slots are empty, so keys challenge soon. */
static void grow_if_needed(struct hcct_block *block)
{
    if (hcct_grow_if_needed(block))
        block->challenge_shift = CHALLENGE_SHIFT_MAX;
}

/* Adds the batch to the summary and empties it. By the thread itself. */
static void empty_batch(struct hcct_block *block)
{
    hcct_miss_add_batch(block);
    __atomic_store_n(&block->batch.count, 0, __ATOMIC_RELAXED);
    hcct_slots_order();
    block->batch.drained = 0;
    grow_if_needed(block);
}

static inline __attribute__((always_inline)) void append(struct hcct_batch *batch, uint32_t count,
                                                         uint64_t word)
{
    batch->keys[count] = word;
    /* pairs with the ACQUIRE load in hcct_miss_add_batch: the keys below the count are there */
    __atomic_store_n(&batch->count, count + 1, __ATOMIC_RELEASE);
}

/* Way 1: any key, if the summary is full. The order of the tests saves a register. */
static inline __attribute__((always_inline)) bool batch_newcomer(struct hcct_block *block, uint64_t word)
{
    struct hcct_batch *batch = &block->batch;
    if (hcct_slots_is_noted(block, hcct_slots_where(block, word)))
        return false;
    uint32_t count = __atomic_load_n(&batch->count, __ATOMIC_RELAXED);
    if (!hcct_machine_is_below(count, &batch->limit))
        return false;
    append(batch, count, word);
    return true;
}

/* Ways 2 and 5: a key that the summary has with a chain. Looks at the first `steps` entries of its bucket;
 * 0: looks at the bucket alone. */
static inline __attribute__((always_inline)) bool batch_monitored(struct hcct_block *block, uint64_t word,
                                                                  unsigned steps)
{
    struct hcct_batch *batch = &block->batch;
    uint32_t count = batch->count;
    if (count >= __atomic_load_n(&batch->found_limit, __ATOMIC_RELAXED) || word <= HCCT_WORD_TAIL ||
        hcct_slots_is_noted(block, hcct_slots_where(block, word)))
        return false;
    /* pairs with the store in count/phases.c */
    struct hcct_summary *summary = __atomic_load_n(&hcct_tables.summary, __ATOMIC_RELAXED);
    uint32_t place =
        steps ? hcct_space_saving_find(summary, word, steps) : hcct_space_saving_peek(summary, word);
    if (place == HCCT_NO_PLACE)
        return false;
    block->places[count] = place;
    append(batch, count, word);
    return true;
}

/* Ways 1, 2 and 5 again, with a longer search. */
static bool batch(struct hcct_block *block, uint64_t word)
{
    return word > HCCT_WORD_TAIL &&
           (batch_newcomer(block, word) || batch_monitored(block, word, LONGEST_FIND));
}

/* --- the ways of a miss ------------------------------------------------------------------------- */

/* Of a way that is open while this is not 0. */
static inline __attribute__((always_inline)) bool is_open(const uint16_t *way)
{
    return !hcct_machine_is_equal(0, way);
}

/* Each way reads the block again: a handler in between may have found that nothing counts. */
static __attribute__((noinline)) hcct_meter_miss miss_otherwise, miss_peeked, miss_in_place, miss_metered,
    miss_searched, miss_with_lock, finish_in_place;
static __attribute__((preserve_most, noinline)) void miss_slowly(HCCT_FREE_3, struct hcct_block *block,
                                                                 struct hcct_state *state, uint64_t word);

/* Way 1, which __hcct_enter_or_miss has, too. It takes no lock and delays no handler. A handler may longjmp
 * out of the middle: then the call is either counted or not, just as its function was either entered or
 * not. */
void __hcct_miss(HCCT_FREE_4, struct hcct_state *state, uint64_t word)
{
    struct hcct_block *block = hcct_block_of_slots();
    /* NULL: a handler in between has found that nothing counts */
    if (!block || (word > HCCT_WORD_TAIL && batch_newcomer(block, word)))
        return;
    if (is_open(&block->batch.found_limit))
        HCCT_GO_ON(miss_peeked(HCCT_NOTHING_4, state, word));
    if (is_open(&block->batch.in_place))
        HCCT_GO_ON(miss_in_place(HCCT_NOTHING_4, state, word));
    HCCT_GO_ON(miss_otherwise(HCCT_NOTHING_4, state, word));
}

/* Any way but the first three. */
static void miss_otherwise(HCCT_FREE_4, struct hcct_state *state, uint64_t word)
{
    struct hcct_block *block = hcct_block_of_slots();
    if (block && !__atomic_load_n(&block->batch.ways, __ATOMIC_RELAXED))
        HCCT_GO_ON(miss_metered(HCCT_NOTHING_4, state, word));
    /* way 1 is open, but the batch is full, or the key is noted */
    if (block && __atomic_load_n(&block->batch.limit, __ATOMIC_RELAXED))
        HCCT_GO_ON(miss_with_lock(HCCT_NOTHING_4, state, word));
    HCCT_GO_ON(miss_searched(HCCT_NOTHING_4, state, word));
}

/* Way 2. */
static void miss_peeked(HCCT_FREE_4, struct hcct_state *state, uint64_t word)
{
    struct hcct_block *block = hcct_block_of_slots();
    if (block && !batch_monitored(block, word, 0))
        HCCT_GO_ON(miss_searched(HCCT_NOTHING_4, state, word));
}

/* Way 3. */
static void miss_in_place(HCCT_FREE_4, struct hcct_state *state, uint64_t word)
{
    struct hcct_block *block = hcct_block_of_slots();
    if (!block || !__atomic_load_n(&block->batch.in_place, __ATOMIC_RELAXED) || !__libc_single_threaded ||
        hcct_busy)
        HCCT_GO_ON(miss_searched(HCCT_NOTHING_4, state, word));
    hcct_busy_enter_frame();
    enum hcct_in_place done = hcct_exact_add_in_place(&hcct_tables.exact, word);
    atomic_signal_fence(memory_order_seq_cst);
    hcct_busy = 0;
    if (done == HCCT_NOT_IN_PLACE)
        HCCT_GO_ON(hcct_miss_at_last(HCCT_NOTHING_4, state, word));
    if (__builtin_expect(hcct_busy_deferred | (done == HCCT_DUE), 0))
        HCCT_GO_ON(finish_in_place(HCCT_NOTHING_4, state, word));
}

/* Way 4. The call is counted already. Runs the handlers that waited, and challenges the slot if the key is
 * due. */
static void finish_in_place(HCCT_FREE_4, struct hcct_state *state, uint64_t word)
{
    struct hcct_block *block = hcct_block_of_slots();
    hcct_busy_enter();
    const struct hcct_exact_slot *slot = hcct_exact_find(&hcct_tables.exact, word);
    if (block && slot && slot->node && is_due(block, slot->count, 0)) {
        hcct_tables_lock();
        grow_if_needed(block);
        if (hcct_tables.running && !was_hit_since_look(block, hcct_slots_where(block, word).at))
            take_slot(block, word, slot->node);
        hcct_tables_unlock();
    }
    hcct_busy_leave();
    (void)state;
}

/* Way 5. */
static void miss_searched(HCCT_FREE_4, struct hcct_state *state, uint64_t word)
{
    struct hcct_block *block = hcct_block_of_slots();
    if (block && !batch_monitored(block, word, 2))
        miss_slowly(HCCT_NOTHING_3, block, state, word);
}

/* Way 6, for a block in which neither 1 to 3 nor 5 is open. Without a meter's `pass`, goes to 7 and 8. */
static void miss_metered(HCCT_FREE_4, struct hcct_state *state, uint64_t word)
{
    hcct_meter_miss *pass = hcct_meter->pass;
    if (pass)
        HCCT_GO_ON(pass(HCCT_NOTHING_4, state, word));
    HCCT_GO_ON(hcct_miss_at_last(HCCT_NOTHING_4, state, word));
}

static __attribute__((preserve_most, noinline, cold)) void redeliver(void)
{
    hcct_signals_redeliver();
}

/* Way 7. continuous=1: every call misses (format/live.h), and this does what instrumented code does in other
 * runs. It is busy, so that no handler forks between the look at the mark and the count. */
static bool count_in_file(uint64_t word)
{
    struct hcct_block *block = hcct_block_in_file;
    if (!block || hcct_busy || !hcct_block_counts() || word <= HCCT_WORD_TAIL ||
        hcct_busy_cancel_is_asynchronous())
        return false;
    struct hcct_slot *slot = &block->slots[hcct_slot_of(word)];
    hcct_busy_enter_frame();
    bool is_hit = *hcct_process_mark && __atomic_load_n(&slot->key, __ATOMIC_RELAXED) == word;
    if (is_hit)
        __atomic_store_n(&slot->count, __atomic_load_n(&slot->count, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
    bool counted = is_hit || (*hcct_process_mark && batch(block, word));
    atomic_signal_fence(memory_order_seq_cst);
    hcct_busy = 0;
    if (__builtin_expect(hcct_busy_deferred, 0))
        redeliver();
    return counted;
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

static inline __attribute__((always_inline)) void count(struct hcct_block *block, uint64_t word,
                                                        const struct hcct_state *state, uintptr_t sp)
{
    if (word <= HCCT_WORD_TAIL) { /* a call that nobody numbered entered a local function */
        hcct_tables.stale += block->weight;
        word = state->base;
    }
    if (block->batch.count && block->batch.count >= (block->batch.limit | block->batch.found_limit))
        empty_batch(block);
    record(block, word, state, sp);
}

void hcct_miss_count(struct hcct_block *block, uint64_t word, const struct hcct_state *state, uintptr_t sp)
{
    if (state->base)
        count(block, word, state, sp);
    else
        __atomic_fetch_add(&hcct_tables.dropped_memory, block->weight, __ATOMIC_RELAXED);
}

/* Way 8, and the calls that are not counted. Returns the word, which may be another one. */
static uint64_t miss(uint64_t word, struct hcct_state *state, uintptr_t sp)
{
    hcct_notice();
    /* only in the handler of a fault that struck inside the tables */
    if (__builtin_expect(hcct_busy != 0, 0)) {
        if (hcct_block_counts() && hcct_block_current())
            __atomic_fetch_add(&hcct_tables.dropped_interrupted, hcct_block_current()->weight,
                               __ATOMIC_RELAXED);
        return word;
    }
    struct hcct_block *block = hcct_block_self();
    word = begin_thread(word, state);
    if (__builtin_expect(block != hcct_block_of_slots() || !hcct_block_counts(), 0)) {
        if (hcct_meter_asks)
            hcct_meter->first_call(block, state);
        hcct_block_choose_slots();
        if (!hcct_block_counts())
            return word;
    }
    if (hcct_meter->take_call && block) {
        hcct_meter->take_call(block, word, state, sp);
        return word;
    }
    if (!block || !state->base) { /* no memory for the block, or none to number the function's object */
        __atomic_fetch_add(&hcct_tables.dropped_memory, block ? block->weight : 1, __ATOMIC_RELAXED);
        return word;
    }
    hcct_busy_enter();
    hcct_tables_lock();
    count(block, word, state, sp);
    hcct_tables_unlock();
    hcct_busy_leave();
    return word;
}

/* Way 8. */
static void miss_with_lock(HCCT_FREE_4, struct hcct_state *state, uint64_t word)
{
    /* way 8 may call a function of the program, such as its allocator */
    uint64_t entered = __hcct_thread.entered;
    /* lower than the caller's: it only filters dead frames */
    uint64_t now = miss(word, state, (uintptr_t)__builtin_frame_address(0));
    __hcct_thread.entered = now == word ? entered : now;
}

/* Ways 1, 2 and 5 once more, then 7 and 8. A function of its own, so that the usual ways save few
 * registers. */
static __attribute__((preserve_most, noinline)) void miss_slowly(HCCT_FREE_3, struct hcct_block *block,
                                                                 struct hcct_state *state, uint64_t word)
{
    if (!batch(block, word) && !count_in_file(word))
        miss_with_lock(HCCT_NOTHING_4, state, word);
}

/* First runs the handlers that waited while way 3 was tried. */
void hcct_miss_at_last(HCCT_FREE_4, struct hcct_state *state, uint64_t word)
{
    if (__builtin_expect(hcct_busy_deferred && !hcct_busy, 0))
        redeliver();
    struct hcct_block *block = hcct_block_of_slots();
    if (block)
        miss_slowly(HCCT_NOTHING_3, block, state, word);
}

/* --- entry points that count ----------------------------------------------------------------------- */

void __hcct_count(HCCT_FREE_4, struct hcct_state *state, uint64_t word)
{
    struct hcct_slot *slots = __atomic_load_n(&__hcct_thread.slots, __ATOMIC_RELAXED);
    if (!slots)
        return;
    uint64_t mask = __atomic_load_n(&__hcct_thread.slot_mask, __ATOMIC_RELAXED);
    uint64_t offset = word * HCCT_SLOT_MULTIPLIER >> (HCCT_SLOT_SHIFT - 4) & mask;
    struct hcct_slot *slot = (struct hcct_slot *)(void *)((char *)slots + offset);
    if (slot->key != word)
        HCCT_GO_ON(__hcct_miss(HCCT_NOTHING_4, state, word));
    __atomic_store_n(&slot->count, __atomic_load_n(&slot->count, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

static __attribute__((preserve_most, noinline)) void enter_and_count(HCCT_FREE_3, struct hcct_free sp,
                                                                     struct hcct_state *state, uint64_t word)
{
    __hcct_enter(HCCT_NOTHING_3, sp.value, state, word);
    /* no HCCT_GO_ON, as the word is another one */
    __hcct_count(HCCT_NOTHING_4, state, __hcct_thread.entered);
}

void __hcct_enter_or_miss(HCCT_FREE_3, struct hcct_free sp, struct hcct_state *state, uint64_t word)
{
    if (word <= HCCT_WORD_TAIL)
        HCCT_GO_ON(enter_and_count(HCCT_NOTHING_3, sp, state, word));
    __hcct_thread.entered = word;
    /* as __hcct_miss */
    struct hcct_block *block = hcct_block_of_slots();
    if (!block || batch_newcomer(block, word))
        return;
    if (is_open(&block->batch.found_limit))
        HCCT_GO_ON(miss_peeked(HCCT_NOTHING_4, state, word));
    if (is_open(&block->batch.in_place))
        HCCT_GO_ON(miss_in_place(HCCT_NOTHING_4, state, word));
    HCCT_GO_ON(miss_otherwise(HCCT_NOTHING_4, state, word));
}
