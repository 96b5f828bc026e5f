/* Counting: from a slot that is missed to the tables.
 *
 * mode=cct   every miss takes the slot; its chain of pushes is interned, the old pair goes to the exact table.
 * mode=hcct  a key takes its slot if that is empty, while the summary is not full, or if it misses three times in a row there
 *            and the slot's own key is not called between the last two: where keys come in turns, the first one stays.
 *            Else it goes to the summary, with weight 1. While that is not full, newcomers take the lock and have their chain
 *            interned, if they are among the first 1/epsilon; a key that is found there, with a chain, is batched without a
 *            lock. Once it is full, all are, and one that came twice and has no chain (count - error >= 2) is wanted: its
 *            bits stay on probation, for about PATIENCE misses of others, so that it gets its chain when it comes again.
 *
 * Invariants
 *   1. what the tables got of a slot's count is side.drained: the rest follows when the slot is taken or drained;
 *   2. a slot, an entry and the exact table hold a reference to their node each;
 *   3. weights in the tables + in slots and batches, not drained yet + dropped = calls;
 *   4. those of hcct/live.h, in any mode: the order of stores is the same without a file behind the tables;
 *   5. with metric=weight, metric=time and sample=… all weights are in the tables, and what slots count means nothing; with
 *      metric=clock slots are of clock.c, and calls have none.
 * Cost: 45 instructions for a newcomer to a full summary and 30 more when its batch is added, 80 and 18 for a key that is
 * found in one that is not full, several hundred where a slot changes hands or a chain is interned.
 * Source: D'Elia, Demetrescu and Finocchi, SPE 2015, section 4.2, with weighted updates. */
#include "runtime/count.h"

#include <stdatomic.h>

#include "runtime/acct.h"
#include "runtime/burst.h"
#include "runtime/clock.h"
#include "runtime/live.h"
#include "runtime/memory.h"
#include "runtime/options.h"
#include "runtime/prefix.h"
#include "runtime/process.h"
#include "runtime/summary_layout.h"

struct hcct_tables hcct_tables;

_Static_assert(offsetof(struct hcct_tables, running) == offsetof(struct hcct_live_state, running) &&
                   offsetof(struct hcct_tables, exact.total) ==
                       offsetof(struct hcct_live_state, exact_total) &&
                   offsetof(struct hcct_tables, exact.dropped) ==
                       offsetof(struct hcct_live_state, exact_dropped) &&
                   sizeof(struct hcct_tables) == HCCT_LIVE_PAGE,
               "the layout of hcct/live.h");
_Static_assert(offsetof(struct hcct_worker, sides) == offsetof(struct hcct_live_worker, sides) &&
                   offsetof(struct hcct_worker, batch.count) ==
                       offsetof(struct hcct_live_worker, batch_count) &&
                   offsetof(struct hcct_side, node) == offsetof(struct hcct_live_side, node) &&
                   HCCT_WORKER_LIVE_BYTES == sizeof(struct hcct_live_worker),
               "the layout of hcct/live.h");

void hcct_count_start(void)
{
    if (!hcct_prefix_start())
        return;
    if (hcct_options.mode == HCCT_MODE_HCCT) {
        const struct hcct_demand demand = { hcct_options.capacity, hcct_options.phi };
        hcct_tables.algorithm = hcct_options.algorithm;
        hcct_tables.bytes = hcct_tables.algorithm->bytes(demand.capacity);
        void *memory = hcct_memory_map(hcct_tables.bytes);
        hcct_tables.summary = memory ? hcct_tables.algorithm->init(memory, &demand) : NULL;
        if (!memory)
            return;
    }
    hcct_tables.running = true;
}

void hcct_count_start_anew(void)
{
    hcct_tables = (struct hcct_tables){ 0 };
    hcct_count_start();
}

/* Adds to the tables. Takes over the caller's reference to `node`. Returns the entry's place in the summary. */
static uint32_t add(uint64_t key, uint64_t weight, hcct_node node)
{
    hcct_node evicted = 0, unused = 0;
    uint32_t place = 0;
    if (hcct_tables.summary)
        place = hcct_tables.algorithm->add(hcct_tables.summary, key, weight, node, &evicted, &unused);
    else
        hcct_exact_add(&hcct_tables.exact, key, weight, node, &unused);
    hcct_prefix_release(evicted);
    hcct_prefix_release(unused);
    return place;
}

void hcct_count_add(uint64_t key, uint64_t weight, hcct_node node)
{
    add(key, weight, node);
}

/* --- what a kill may interrupt (hcct/live.h) ----------------------------------------------------- */

/* Stores stay in this order. */
static inline void order(void)
{
    atomic_signal_fence(memory_order_seq_cst);
}

static void begin_move(const struct hcct_worker *worker, enum hcct_live_move_kind kind, uint32_t at,
                       uint64_t count)
{
    uint64_t total = !hcct_live_was_on     ? 0
                     : hcct_tables.summary ? hcct_summary_total(hcct_tables.summary)
                                           : hcct_tables.exact.total;
    hcct_tables.move.worker = (uintptr_t)worker;
    hcct_tables.move.count = count;
    hcct_tables.move.total = total;
    hcct_tables.move.at = at;
    order();
    hcct_tables.move.kind = kind;
    order();
}

static void end_move(void)
{
    order();
    hcct_tables.move.kind = HCCT_LIVE_MOVE_NONE;
    order();
}

/* --- slots ------------------------------------------------------------------------------------- */

/* Brings what the slot holds beyond what was drained to the tables, if there is any: with a reference to its node, the
 * slot's own if `gives` and one more otherwise. Returns whether it did. */
static bool drain_slot(struct hcct_worker *worker, uint32_t at, bool gives)
{
    uint64_t key = worker->slots[at].key, count = __atomic_load_n(&worker->slots[at].count, __ATOMIC_RELAXED);
    struct hcct_side *side = &worker->sides[at];
    uint64_t fresh = key ? count - side->drained : 0;
    if (!fresh || !hcct_tables.running) {
        side->drained = count;
        return false;
    }
    if (!gives)
        hcct_prefix_retain(side->node);
    begin_move(worker, HCCT_LIVE_MOVE_SLOT, at, count);
    add(key, fresh * worker->weight, side->node);
    worker->calls += fresh;
    side->drained = count;
    end_move();
    return true;
}

static void install(struct hcct_worker *worker, uint32_t at, uint64_t key, hcct_node node, uint64_t count)
{
    struct hcct_side *side = &worker->sides[at];
    if (!drain_slot(worker, at, true))
        hcct_prefix_release(side->node);
    __atomic_store_n(&worker->slots[at].key, 0, __ATOMIC_RELAXED);
    order();
    side->drained = 0;
    side->node = node;
    __atomic_store_n(&worker->slots[at].count, count, __ATOMIC_RELAXED);
    order();
    __atomic_store_n(&worker->slots[at].key, key, __ATOMIC_RELAXED);
}

/* The chain of `word`, interned. */
static hcct_node intern(struct hcct_worker *worker, uint64_t word, const struct hcct_state *state,
                        uintptr_t sp)
{
    const struct hcct_frame *frame = hcct_stack_find(__hcct_thread.top, word, state, sp);
    if (frame)
        return hcct_prefix_intern(frame, worker->pending, worker->pending ? HCCT_STACK_FRAMES : 0);
    hcct_tables.stale += worker->weight;
    return hcct_prefix_unknown(word - state->base);
}

/* --- who gets a slot --------------------------------------------------------------------------- */

/* Beside each slot: bits of the key that missed there last, or of one that is WANTED; and whether that key had missed before,
 * as one byte of more of its bits and of the count that the slot had then. */
#define WANTED 0x8000u
#define PATIENCE 16
#define LONGEST_FIND 64 /* steps in a list that may change meanwhile */

struct where {
    uint32_t at;
    uint32_t bits;
    uint32_t more_bits;
};

/* From one product: they differ for keys of one slot, unless they are far apart. */
static inline __attribute__((always_inline)) struct where where_of(uint64_t word)
{
    uint64_t product = (word * HCCT_SLOT_MULTIPLIER) >> HCCT_SLOT_SHIFT;
    return (struct where){ (uint32_t)product & (HCCT_SLOTS - 1),
                           (uint32_t)(product >> HCCT_SLOTS_LOG2) & (WANTED - 1),
                           (uint32_t)(product >> (HCCT_SLOTS_LOG2 + 15)) & 31 };
}

static inline __attribute__((always_inline)) uint32_t probation_at(const struct hcct_worker *worker, uint32_t at)
{
    return __atomic_load_n(&worker->probation[at], __ATOMIC_RELAXED);
}

static inline __attribute__((always_inline)) void set_probation(struct hcct_worker *worker, uint32_t at, uint32_t bits)
{
    __atomic_store_n(&worker->probation[at], (uint16_t)bits, __ATOMIC_RELAXED);
}

/* Whether the key missed last, with no other between, and did so before, and the slot's own was not called since. No branches:
 * nothing predicts them. */
static inline __attribute__((always_inline)) bool repeats(struct hcct_worker *worker, struct where where, uint32_t differs)
{
    uint32_t count = (uint32_t)__atomic_load_n(&worker->slots[where.at].count, __ATOMIC_RELAXED);
    uint32_t now = where.more_bits << 3 | (count & 7), before = worker->repeats[where.at];
    worker->repeats[where.at] = (uint8_t)(differs ? before : now);
    return !(differs | (now ^ before));
}

/* The key has missed, and gets no slot now. */
static inline __attribute__((always_inline)) void note_miss(struct hcct_worker *worker, struct where where,
                                                            uint32_t differs)
{
    bool stays = (differs & WANTED) && worker->batch.count % PATIENCE != 0;
    set_probation(worker, where.at, where.bits ^ (stays ? differs : 0));
}

/* Gives the key to the summary, without a slot. */
static void count_without_slot(struct hcct_worker *worker, uint64_t word, const struct hcct_state *state,
                               uintptr_t sp)
{
    const struct hcct_algorithm *algorithm = hcct_tables.algorithm;
    struct hcct_summary *summary = hcct_tables.summary;
    uint32_t place = add(word, worker->weight, 0);
    uint64_t floor = algorithm->floor(summary);
    worker->calls++;
    __atomic_store_n(&worker->batch.limit, floor ? HCCT_BATCH_KEYS : 0, __ATOMIC_RELAXED);
    __atomic_store_n(&worker->batch.found_limit, !floor && algorithm->add_found ? HCCT_BATCH_KEYS : 0, __ATOMIC_RELAXED);
    if (place == HCCT_NO_PLACE)
        return;
    struct hcct_entry entry = algorithm->entry(summary, place);
    if (!entry.node && (entry.count - entry.error >= 2 * worker->weight ||
                        (!floor && algorithm->size(summary) + worker->taken <= hcct_options.capacity)))
        algorithm->set_node(summary, place, intern(worker, word, state, sp));
}

static void record(struct hcct_worker *worker, uint64_t word, const struct hcct_state *state, uintptr_t sp)
{
    struct where where = where_of(word);
    uint32_t differs = probation_at(worker, where.at) ^ where.bits;
    if (!hcct_tables.running)
        return;
    bool is_empty = !worker->slots[where.at].key;
    bool takes_slot = !hcct_tables.summary ||
                      (is_empty && !hcct_tables.algorithm->floor(hcct_tables.summary)) ||
                      repeats(worker, where, differs);
    if (takes_slot) {
        worker->taken += is_empty;
        install(worker, where.at, word, intern(worker, word, state, sp), 1);
    } else {
        note_miss(worker, where, differs == WANTED ? 0 : differs);
        count_without_slot(worker, word, state, sp);
    }
}

/* --- batches ------------------------------------------------------------------------------------ */

/* A key of the batch is monitored: if it came twice and has no chain, it is wanted. */
static void visit_batched(void *context, uint64_t key, uint32_t place, hcct_node evicted)
{
    struct hcct_worker *worker = context;
    struct hcct_entry entry = hcct_tables.algorithm->entry(hcct_tables.summary, place);
    hcct_prefix_release(evicted);
    if (!entry.node && entry.count - entry.error >= 2 * worker->weight) {
        struct where where = where_of(key);
        set_probation(worker, where.at, where.bits | WANTED);
    }
}

/* In their order, which add_ones changes: how far it came is told by the total (hcct/live.h). Or with a weight. */
static void add_one_by_one(struct hcct_worker *worker, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        hcct_node evicted = 0, unused = 0;
        uint64_t key = worker->batch.keys[i];
        uint32_t place = hcct_tables.algorithm->add(hcct_tables.summary, key, worker->weight, 0, &evicted, &unused);
        if (place != HCCT_NO_PLACE)
            visit_batched(worker, key, place, evicted);
    }
}

/* Under the table lock: the rest of a batch goes to the summary. */
static void add_batch(struct hcct_worker *worker)
{
    struct hcct_batch *batch = &worker->batch;
    uint32_t from = batch->drained, to = __atomic_load_n(&batch->count, __ATOMIC_ACQUIRE);
    begin_move(worker, HCCT_LIVE_MOVE_BATCH, from, 0);
    if (hcct_tables.running && (hcct_live_was_on || worker->weight != 1))
        add_one_by_one(worker, from, to);
    else if (hcct_tables.running && from < to && hcct_tables.algorithm->add_found &&
             !hcct_tables.algorithm->floor(hcct_tables.summary))
        hcct_tables.algorithm->add_found(hcct_tables.summary, batch->keys + from, worker->places + from, to - from,
                                         visit_batched, worker);
    else if (hcct_tables.running && from < to)
        hcct_tables.algorithm->add_ones(hcct_tables.summary, batch->keys + from, to - from, visit_batched,
                                        worker);
    worker->calls += to - from;
    batch->drained = to;
    end_move();
}

/* By the thread itself: makes room. */
static void empty_batch(struct hcct_worker *worker)
{
    add_batch(worker);
    __atomic_store_n(&worker->batch.count, 0, __ATOMIC_RELAXED);
    order();
    worker->batch.drained = 0;
}

static inline __attribute__((always_inline)) void append(struct hcct_batch *batch, uint32_t count, uint64_t word)
{
    batch->keys[count] = word;
    __atomic_store_n(&batch->count, count + 1, __ATOMIC_RELEASE);
}

/* The usual miss where the summary is full, of a key that is not the last that missed at the slot. */
static inline __attribute__((always_inline)) bool batch_newcomer(struct hcct_worker *worker, uint64_t word)
{
    struct hcct_batch *batch = &worker->batch;
    uint32_t count = batch->count;
    if (count >= __atomic_load_n(&batch->limit, __ATOMIC_RELAXED) || word <= HCCT_WORD_TAIL)
        return false;
    struct where where = where_of(word);
    uint32_t differs = probation_at(worker, where.at) ^ where.bits;
    if (!(differs & (WANTED - 1)))
        return false;
    note_miss(worker, where, differs);
    append(batch, count, word);
    return true;
}

/* The usual miss where the summary is not full: of a key that is in it. */
static inline __attribute__((always_inline)) bool batch_monitored(struct hcct_worker *worker, uint64_t word)
{
    struct hcct_batch *batch = &worker->batch;
    uint32_t count = batch->count;
    if (count >= __atomic_load_n(&batch->found_limit, __ATOMIC_RELAXED) || word <= HCCT_WORD_TAIL)
        return false;
    struct where where = where_of(word);
    uint32_t differs = probation_at(worker, where.at) ^ where.bits;
    uint32_t place = hcct_summary_find(hcct_tables.summary, word, 2);
    if (place == HCCT_NO_PLACE || differs == WANTED || repeats(worker, where, differs))
        return false;
    note_miss(worker, where, differs);
    worker->places[count] = place;
    append(batch, count, word);
    return true;
}

/* Any miss that needs no lock: of a key that gets neither a slot nor a chain. */
static bool batch(struct hcct_worker *worker, uint64_t word)
{
    struct hcct_batch *batch = &worker->batch;
    uint32_t count = batch->count, limit = __atomic_load_n(&batch->limit, __ATOMIC_RELAXED);
    struct where where = where_of(word);
    uint32_t differs = probation_at(worker, where.at) ^ where.bits;
    if (word <= HCCT_WORD_TAIL || count >= (limit | __atomic_load_n(&batch->found_limit, __ATOMIC_RELAXED)) ||
        differs == WANTED)
        return false;
    if (!limit) {
        uint32_t place = hcct_summary_find(hcct_tables.summary, word, LONGEST_FIND);
        if (place == HCCT_NO_PLACE || !worker->slots[where.at].key)
            return false;
        worker->places[count] = place;
    }
    if (repeats(worker, where, differs))
        return false;
    note_miss(worker, where, differs);
    append(batch, count, word);
    return true;
}

static __attribute__((preserve_most, noinline, cold)) void redeliver(void)
{
    hcct_signals_redeliver();
}

/* continuous=1, where every call misses (live.h): what the call's own code does elsewhere. No handler may fork between the
 * look at the mark and the count. */
static bool count_in_file(uint64_t word)
{
    struct hcct_worker *worker = hcct_worker_in_file;
    if (!worker || hcct_busy || !hcct_worker_counts() || word <= HCCT_WORD_TAIL || hcct_cancel_is_asynchronous())
        return false;
    struct hcct_slot *slot = &worker->slots[hcct_slot_of(word)];
    hcct_busy = 1;
    atomic_signal_fence(memory_order_seq_cst);
    bool is_hit = *hcct_process_mark && __atomic_load_n(&slot->key, __ATOMIC_RELAXED) == word;
    if (is_hit)
        __atomic_store_n(&slot->count, __atomic_load_n(&slot->count, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
    bool counted = is_hit || (*hcct_process_mark && batch(worker, word));
    atomic_signal_fence(memory_order_seq_cst);
    hcct_busy = 0;
    if (__builtin_expect(hcct_deferred, 0))
        redeliver();
    return counted;
}

static void miss(uint64_t word, struct hcct_state *state, uintptr_t sp)
{
    hcct_process_notice();
    if (__builtin_expect(hcct_busy != 0, 0)) { /* the handler of a fault inside the tables */
        if (hcct_worker_counts() && hcct_worker_current())
            __atomic_fetch_add(&hcct_tables.dropped_interrupted, hcct_worker_current()->weight, __ATOMIC_RELAXED);
        return;
    }
    struct hcct_worker *worker = hcct_worker_self();
    if (__builtin_expect(worker != hcct_worker_of_slots() || !hcct_worker_counts(), 0)) {
        hcct_burst_arrive(worker, word);
        hcct_worker_choose_slots();
        if (!hcct_worker_counts())
            return;
    }
    if (hcct_options.sample && worker) {
        hcct_acct_arrive(worker, word, state, sp);
        return;
    }
    if (!worker || !state->base) { /* no memory, or none to number the function's object */
        __atomic_fetch_add(&hcct_tables.dropped_memory, worker ? worker->weight : 1, __ATOMIC_RELAXED);
        return;
    }
    hcct_busy_enter();
    hcct_table_lock();
    if (word <= HCCT_WORD_TAIL) { /* a local function was entered by a call that nobody numbered */
        hcct_tables.stale += worker->weight;
        word = state->base;
    }
    if (worker->batch.count == HCCT_BATCH_KEYS)
        empty_batch(worker);
    record(worker, word, state, sp);
    hcct_table_unlock();
    hcct_busy_leave();
}

/* In functions of their own, so that the usual paths save few registers. */
static __attribute__((preserve_most, noinline)) void miss_slowly(uint64_t word, struct hcct_state *state,
                                                                 struct hcct_worker *worker)
{
    if (!hcct_acct_passes(state) && !batch(worker, word) && !count_in_file(word))
        miss(word, state, (uintptr_t)__builtin_frame_address(0)); /* below the caller's: it only filters */
}

static __attribute__((preserve_most, noinline)) void miss_monitored(uint64_t word, struct hcct_state *state,
                                                                    struct hcct_worker *worker)
{
    if (!batch_monitored(worker, word))
        miss_slowly(word, state, worker);
}

/* What is batched needs no lock and puts off no handler: one that longjmps out of the middle leaves a call that is counted
 * or not, and its function was entered or not. */
void __hcct_miss(uint64_t word, struct hcct_state *state)
{
    struct hcct_worker *worker = hcct_worker_of_slots();
    if (worker && !batch_newcomer(worker, word)) /* NULL: a handler in between has found that nothing counts */
        miss_monitored(word, state, worker);
}

/* --- weights ------------------------------------------------------------------------------------ */

/* The chain of what hcct_count() was called in; `unknown`: what is before the id if none is found. */
static hcct_node intern_here(struct hcct_worker *worker, struct hcct_here here, uint64_t unknown)
{
    if (here.word && here.frame)
        return hcct_prefix_intern(here.frame, worker->pending, worker->pending ? HCCT_STACK_FRAMES : 0);
    return hcct_prefix_unknown(unknown);
}

static void add_here(struct hcct_worker *worker, struct hcct_here here, uint64_t unknown, uint64_t weight)
{
    uint64_t key = here.word ? here.word : HCCT_WORD_TAIL; /* which is no context's */
    if (!hcct_tables.running)
        return;
    if (!here.frame)
        hcct_tables.stale += weight;
    if (!hcct_tables.summary) {
        const struct hcct_exact_slot *slot = hcct_exact_find(&hcct_tables.exact, key);
        add(key, weight, slot && slot->node ? 0 : intern_here(worker, here, unknown));
        return;
    }
    const struct hcct_algorithm *algorithm = hcct_tables.algorithm;
    uint32_t place = add(key, weight, 0);
    if (place != HCCT_NO_PLACE && !algorithm->entry(hcct_tables.summary, place).node)
        algorithm->set_node(hcct_tables.summary, place, intern_here(worker, here, unknown));
}

void hcct_count_weight(struct hcct_worker *worker, struct hcct_here here, uint64_t weight)
{
    add_here(worker, here, here.word ? here.word : HCCT_WORD_TAIL, weight);
}

struct hcct_here hcct_count_sample(struct hcct_worker *worker, uint64_t word, const struct hcct_state *state, uintptr_t sp,
                                   uint64_t weight)
{
    bool entered = word > HCCT_WORD_TAIL; /* else a local function was entered by a call that nobody numbered */
    struct hcct_here here = { entered ? word : state->base, NULL };
    if (entered)
        here.frame = hcct_stack_find(__hcct_thread.top, word, state, sp);
    add_here(worker, here, here.word - state->base, weight);
    return here;
}

/* --- time --------------------------------------------------------------------------------------- */

/* As for calls, a context takes the slot when it misses twice in a row; those before go to the tables at once. */
void hcct_count_time(struct hcct_worker *worker, uint64_t word, uint64_t time, uintptr_t sp)
{
    struct where where = where_of(word);
    uint32_t at = where.at;
    struct hcct_here here = { word, hcct_stack_find(__hcct_thread.top, word, NULL, sp) };
    if (worker->slots[at].key == word) {
        __atomic_store_n(&worker->slots[at].count, worker->slots[at].count + time, __ATOMIC_RELAXED);
    } else if (hcct_tables.summary && probation_at(worker, at) != where.bits) {
        set_probation(worker, at, where.bits);
        hcct_count_weight(worker, here, time);
    } else {
        hcct_tables.stale += here.frame ? 0 : time;
        install(worker, at, word, intern_here(worker, here, word), time);
    }
}

/* --- draining ---------------------------------------------------------------------------------- */

void hcct_count_drain(struct hcct_worker *worker)
{
    if (hcct_options.sample || (hcct_options.metric != HCCT_METRIC_CALLS && hcct_options.metric != HCCT_METRIC_CLOCK))
        return; /* the slots hold none of it */
    if (hcct_options.metric == HCCT_METRIC_CALLS)
        add_batch(worker);
    for (uint32_t i = 0; i < HCCT_SLOTS; i++)
        if (worker->slots[i].key)
            drain_slot(worker, i, false);
}

void hcct_count_forget(struct hcct_worker *worker)
{
    for (uint32_t i = 0; i < HCCT_SLOTS; i++) {
        struct hcct_side *side = &worker->sides[i];
        hcct_prefix_release(side->node);
        if (side->node || side->drained)
            *side = (struct hcct_side){ 0 };
        if (worker->probation[i])
            worker->probation[i] = worker->repeats[i] = 0;
    }
}

void hcct_count_drain_all(void)
{
    hcct_clock_settle();
    for (struct hcct_worker *worker = hcct_worker_first(); worker; worker = worker->next) {
        hcct_count_drain(worker);
        /* Until its next newcomer: the summary may be about to be emptied. */
        __atomic_store_n(&worker->batch.limit, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&worker->batch.found_limit, 0, __ATOMIC_RELAXED);
    }
}

void hcct_count_set_running(bool running)
{
    hcct_count_drain_all(); /* counted if it was on, forgotten if it was off */
    bool runs = running && !hcct_tables.given_up && (hcct_tables.summary || hcct_options.mode == HCCT_MODE_CCT);
    __atomic_store_n(&hcct_tables.running, runs, __ATOMIC_SEQ_CST); /* hcct_worker_counts */
    hcct_worker_choose_slots_everywhere();
}

void hcct_count_give_up(void)
{
    hcct_table_lock();
    hcct_tables.given_up = true;
    hcct_count_set_running(false);
    hcct_table_unlock();
}

static void release_entries(void)
{
    for (uint32_t i = 0; hcct_tables.summary && i < hcct_tables.algorithm->places(hcct_tables.summary); i++)
        hcct_prefix_release(hcct_tables.algorithm->entry(hcct_tables.summary, i).node);
}

void hcct_count_reset(void)
{
    hcct_count_drain_all();
    release_entries();
    if (hcct_tables.summary)
        hcct_tables.algorithm->clear(hcct_tables.summary);
    hcct_exact_reset(&hcct_tables.exact);
    hcct_tables.dropped_memory = hcct_tables.dropped_interrupted = hcct_tables.stale = 0;
    hcct_burst_reset();
    hcct_acct_reset();
}

uint64_t hcct_count_calls(void)
{
    uint64_t counted = hcct_tables.summary ? hcct_tables.algorithm->total(hcct_tables.summary)
                                           : hcct_tables.exact.total + hcct_tables.exact.dropped;
    return counted + hcct_tables.dropped_memory + hcct_tables.dropped_interrupted;
}
