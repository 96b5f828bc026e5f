/* The counts of the run: tables, slots, and the transfer from slots to tables.
 *
 * Invariants
 *   1. side.drained is the part of a slot's count that the tables have. The rest follows when another key
 *      takes the slot, or when the slot is drained;
 *   2. a slot, an entry of the summary and a slot of the exact table hold one reference to their node each;
 *   3. weights in the tables + weights in slots and batches that are not drained + dropped = calls;
 *   4. some meters use slots differently. With metric=weight and metric=time all weights are in
 *      the tables, and the counts of slots mean nothing. With metric=clock meter/clock.c uses the slots, and
 *      calls have none. */
#include "runtime/count/count.h"

#include "encoding/context.h"
#include "runtime/base/memory.h"
#include "runtime/base/say.h"
#include "runtime/core/meter.h"
#include "runtime/core/notice.h"
#include "runtime/core/parts.h"
#include "runtime/core/settings.h"
#include "runtime/core/tables.h"
#include "runtime/count/batch.h"
#include "runtime/count/chains.h"
#include "runtime/count/functions.h"
#include "runtime/count/miss.h"
#include "runtime/count/phases.h"
#include "runtime/count/settings.h"
#include "runtime/count/slots.h"
#include "runtime/count/summaries.h"
#include "runtime/stack/prefix.h"
#include "runtime/stack/walk.h"

struct hcct_count_settings hcct_count_settings = {
    .phi = { .value = 1e-4 }, .epsilon = { .value = 2e-5 }, .contexts = 50000, .capacity = 50000
};

struct hcct_tally *hcct_chains_batching;

/* Where address space is short, it begins as small as it would become. */
static bool start_summary(void)
{
    size_t wanted = hcct_space_saving_bytes(hcct_count_settings.contexts);
    if (hcct_memory_share(wanted, 8) < wanted)
        hcct_count_settings.contexts = hcct_count_settings.capacity;
    hcct_tables.bytes = hcct_space_saving_bytes(hcct_count_settings.contexts);
    hcct_summaries_start(hcct_count_settings.contexts, hcct_count_settings.capacity);
    void *memory = hcct_memory_map(hcct_tables.bytes);
    hcct_tables.summary = memory ? hcct_space_saving_init(memory, hcct_count_settings.contexts) : NULL;
    return memory;
}

void hcct_count_start(void)
{
    hcct_tables.running = hcct_block_may_count() && hcct_prefix_start() &&
                          (hcct_core_settings.mode != HCCT_MODE_HCCT || start_summary());
    if (!hcct_tables.running)
        HCCT_SAY(1, "out of memory: nothing is counted");
}

void hcct_count_start_anew(void)
{
    hcct_tables = (struct hcct_tables){ 0 };
    hcct_phases_abandon();
    hcct_summaries_abandon();
    hcct_functions_reset();
    hcct_count_start();
}

/* Only plain counting lets threads add on their own. Another meter may have locked the parts itself. */
void hcct_count_exclude(void)
{
    if (!hcct_meter_is_plain() || hcct_miss_is_alone() || hcct_parts_held == HCCT_PARTS_ALL)
        return;
    hcct_parts_let_go(); /* its own, as it may wait for no other meanwhile */
    hcct_parts_lock_all();
}

/* Memory is full: the coldest contexts leave, and from now on there are as many counters as epsilon asks for.
 * More of them would only be slower: most misses of a program with so many contexts are of new ones. */
static __attribute__((noinline, cold)) void become_bounded(void)
{
    hcct_count_exclude();
    if (hcct_count_settings.capacity >= hcct_count_settings.contexts)
        return;
    hcct_space_saving_shrink(hcct_tables.summary, hcct_count_settings.capacity, hcct_prefix_release);
    hcct_space_saving_give_unused(hcct_tables.summary, hcct_summaries_give_back);
}

/* What is there moves where this key is the next newcomer. */
static inline void make_room(uint64_t key)
{
    if (hcct_tables.summary && __builtin_expect(hcct_space_saving_is_full(hcct_tables.summary), 0))
        become_bounded();
    else if (!hcct_tables.summary && __builtin_expect(hcct_exact_is_full(&hcct_tables.exact), 0) &&
             !hcct_exact_find(&hcct_tables.exact, key))
        hcct_count_exclude();
}

uint32_t hcct_count_add(uint64_t key, uint64_t weight, hcct_node node)
{
    hcct_node evicted = 0, unused = 0;
    uint32_t place = 0;
    make_room(key);
    if (hcct_tables.summary)
        place = hcct_space_saving_add(hcct_summaries_here(), key, weight, node, &evicted, &unused);
    else
        hcct_exact_add(&hcct_tables.exact, key, weight, node, &unused);
    hcct_prefix_release(evicted);
    hcct_prefix_release(unused);
    return place;
}

/* --- slots ------------------------------------------------------------------------------------- */

bool hcct_count_drain_slot(struct hcct_tally *tally, uint32_t at, bool gives)
{
    uint64_t key = tally->slots[at].key, count = __atomic_load_n(&tally->slots[at].count, __ATOMIC_RELAXED);
    struct hcct_side *side = hcct_tally_side(tally, at);
    uint64_t fresh = key ? count - side->drained : 0;
    if (!fresh || !hcct_tables.running) {
        side->drained = count;
        return false;
    }
    if (!gives)
        hcct_prefix_retain(side->node);
    hcct_count_add(key, fresh * tally->weight, side->node);
    if (tally->knows_functions)
        hcct_functions_add(tally->slot_functions[at], fresh * tally->weight);
    hcct_meter_added(&tally->block, key, fresh * tally->weight);
    tally->calls += fresh;
    side->drained = count;
    return true;
}

void hcct_count_install_slot(struct hcct_tally *tally, uint32_t at, uint64_t key, hcct_node node,
                             uint32_t function, uint64_t count)
{
    struct hcct_side *side = hcct_tally_side(tally, at);
    if (!hcct_count_drain_slot(tally, at, true))
        hcct_prefix_release(side->node);
    /* Read by instrumented code and its handlers, in this thread only: the order of stores is enough. */
    __atomic_store_n(&tally->slots[at].key, 0, __ATOMIC_RELAXED);
    hcct_tally_mark_filled(tally, at);
    atomic_signal_fence(memory_order_seq_cst);
    side->drained = 0;
    side->node = node;
    if (tally->knows_functions)
        tally->slot_functions[at] = function;
    __atomic_store_n(&tally->slots[at].count, count, __ATOMIC_RELAXED);
    atomic_signal_fence(memory_order_seq_cst);
    __atomic_store_n(&tally->slots[at].key, key, __ATOMIC_RELAXED);
}

/* --- weights ------------------------------------------------------------------------------------ */

/* The chain of the context in which the program called hcct_count(). `unknown` stands for the id if no live
 * frame explains the word. */
static hcct_node intern_here(struct hcct_tally *tally, struct hcct_here here, uint64_t unknown)
{
    if (here.word && here.frame)
        return hcct_prefix_intern(here.frame, &tally->block.stack);
    return hcct_prefix_unknown(unknown);
}

/* Of the key that is no context's: what comes from outside all contexts has the root's frame. */
static void tell_stale(uint64_t key, struct hcct_here here, uint64_t weight)
{
    if (key == HCCT_WORD_TAIL && !here.frame)
        hcct_tables.stale += weight;
}

static void add_at_once(struct hcct_tally *tally, struct hcct_here here, uint64_t unknown, uint64_t weight)
{
    uint64_t key = here.word ? here.word : HCCT_WORD_TAIL; /* which is the word of no context */
    tell_stale(key, here, weight);
    if (!hcct_tables.summary) {
        const struct hcct_exact_slot *slot = hcct_exact_find(&hcct_tables.exact, key);
        hcct_count_add(key, weight, slot && slot->node ? 0 : intern_here(tally, here, unknown));
        return;
    }
    uint32_t place = hcct_count_add(key, weight, 0);
    if (place != HCCT_NO_PLACE && !hcct_space_saving_entry(hcct_tables.summary, place).node)
        hcct_space_saving_set_node(hcct_tables.summary, place, intern_here(tally, here, unknown));
}

static void add_here(struct hcct_tally *tally, struct hcct_here here, uint64_t unknown, uint64_t weight)
{
    if (hcct_tables.running)
        add_at_once(tally, here, unknown, weight);
}

/* N stops at 2^64 - 1. The decoder reads that value as "at least". */
void hcct_count_weight(struct hcct_tally *tally, struct hcct_here here, uint64_t weight)
{
    uint64_t room = UINT64_MAX - hcct_count_calls();
    weight = weight < room ? weight : room;
    if (!weight)
        return;
    add_here(tally, here, here.word ? here.word : HCCT_WORD_TAIL, weight);
}

/* --- time --------------------------------------------------------------------------------------- */

/* A context takes the slot when it misses there twice, and no other context was noted in its place in between
 * (slots.h). Its first time goes to the tables at once. */
void hcct_count_time(struct hcct_tally *tally, uint64_t word, uint64_t time, uintptr_t sp)
{
    uint32_t at = hcct_slots_at(tally, word);
    struct hcct_here here = { word, hcct_walk_find(__hcct_thread.top, word, NULL, sp) };
    if (tally->slots[at].key == word) {
        __atomic_store_n(&tally->slots[at].count, tally->slots[at].count + time, __ATOMIC_RELAXED);
        tell_stale(word, here, time);
    } else if (hcct_tables.summary && !hcct_slots_is_noted(tally, word)) {
        hcct_slots_note(tally, word);
        hcct_count_weight(tally, here, time);
    } else {
        tell_stale(word, here, time);
        hcct_count_install_slot(tally, at, word, intern_here(tally, here, word), 0, time);
    }
}

void hcct_count_time_before(struct hcct_tally *tally, uint64_t word, uint64_t time, uintptr_t sp)
{
    struct hcct_here here = { word, hcct_walk_find(__hcct_thread.top, word, NULL, sp) };
    if (!hcct_tables.given_up)
        add_at_once(tally, here, word, time);
}

/* --- draining ---------------------------------------------------------------------------------- */

void hcct_count_drain(struct hcct_tally *tally)
{
    if (hcct_meter->calls.program == HCCT_CALLS_PASS)
        return;
    hcct_count_exclude();
    if (hcct_meter->calls.program != HCCT_CALLS_CLOCK)
        hcct_batch_add(tally);
    for (uint32_t first = 0; hcct_tally_next_group(tally, &first); first += HCCT_SLOT_GROUP)
        for (uint32_t at = first; at < first + HCCT_SLOT_GROUP; at++)
            if (tally->slots[at].key)
                hcct_count_drain_slot(tally, at, false);
}

/* In each tally notes the keys that have `least` or more calls without a chain, now that summaries were
 * merged. Of keys whose notes have one place the last one keeps it. So the walk begins elsewhere each
 * time. */
static void note_those_without_chain(uint64_t least)
{
    static uint32_t begin;
    const struct hcct_summary *summary = hcct_tables.summary;
    uint32_t size = hcct_space_saving_size(summary);
    begin += size / 2 + 1;
    for (uint32_t i = 0; i < size; i++) {
        struct hcct_entry entry = hcct_space_saving_entry(summary, (begin + i) % size);
        if (entry.node || entry.count - entry.error < least)
            continue;
        for (struct hcct_block *block = hcct_block_first(); block; block = block->next)
            if (block->in_use)
                hcct_slots_note(hcct_tally_of(block), entry.key);
    }
}

void hcct_count_drain_tallies(void)
{
    hcct_count_exclude();
    hcct_meter_flush();
    for (struct hcct_block *block = hcct_block_first(); block; block = block->next) {
        struct hcct_tally *tally = hcct_tally_of(block);
        hcct_count_drain(tally);
        /* All ways without the lock are closed until the thread's next miss, as the summary may be emptied
         * now. The owner reads these fields in __hcct_miss and the functions after it (miss.c). */
        __atomic_store_n(&tally->batch.limit, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&tally->batch.found_limit, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&tally->batch.in_place, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&tally->batch.known_limit, 0, __ATOMIC_RELAXED);
        tally->is_batching = false;
    }
    hcct_chains_batching = NULL;
}

void hcct_count_drain_all(void)
{
    hcct_count_drain_tallies();
    if (hcct_summaries_merge())
        note_those_without_chain(hcct_chains_least_when_merged(hcct_space_saving_total(hcct_tables.summary)));
}

void hcct_count_set_running(bool running)
{
    bool runs =
        running && !hcct_tables.given_up && (hcct_tables.summary || hcct_core_settings.mode == HCCT_MODE_CCT);
    hcct_meter_switch_running(runs);
    hcct_count_drain_all(); /* what slots hold is added if counting was on, dropped if it was off */
    /* pairs with the load in hcct_block_counts */
    __atomic_store_n(&hcct_tables.running, runs, __ATOMIC_SEQ_CST);
    hcct_block_choose_slots_everywhere();
}

void hcct_count_give_up(void)
{
    hcct_tables_lock();
    hcct_tables.given_up = true;
    hcct_count_set_running(false);
    hcct_tables_unlock();
}

static void release_entries(void)
{
    for (uint32_t i = 0; hcct_tables.summary && i < hcct_space_saving_size(hcct_tables.summary); i++)
        hcct_prefix_release(hcct_space_saving_entry(hcct_tables.summary, i).node);
}

static void reset_tables(void)
{
    release_entries();
    if (hcct_tables.summary)
        hcct_space_saving_clear(hcct_tables.summary);
    hcct_exact_reset(&hcct_tables.exact);
}

void hcct_count_reset(void)
{
    hcct_count_drain_tallies();
    hcct_summaries_reset();
    hcct_tables.dropped_memory = hcct_tables.dropped_interrupted = hcct_tables.stale = 0;
    hcct_tables.overflowed = 0;
    hcct_tables.drain_at = hcct_tables.in_slots = 0;
    hcct_phases_each(reset_tables);
    hcct_functions_reset();
    hcct_meter_reset(false);
}

uint64_t hcct_count_calls(void)
{
    uint64_t counted = hcct_tables.summary ? hcct_space_saving_total(hcct_tables.summary)
                                           : hcct_tables.exact.total + hcct_tables.exact.dropped;
    uint64_t rest = hcct_tables.elsewhere + hcct_tables.dropped_memory + hcct_tables.dropped_interrupted;
    return counted + rest >= counted ? counted + rest : UINT64_MAX;
}

/* Here, not in tally.c, which no other file would link from an archive: the core's own table is weak. */
const struct hcct_count_hooks hcct_count_hooks = { .block_bytes = sizeof(struct hcct_tally),
                                                   .make = hcct_tally_make,
                                                   .begin = hcct_tally_begin,
                                                   .end = hcct_tally_end,
                                                   .after_fork = hcct_tally_after_fork,
                                                   .bytes = hcct_tally_bytes,
                                                   .give_up = hcct_count_give_up };
