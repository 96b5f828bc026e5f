/* See record.h: way 5 of miss.c ends here. */
#include "runtime/count/record.h"

#include "encoding/context.h"
#include "runtime/core/meter.h"
#include "runtime/core/tables.h"
#include "runtime/count/chains.h"
#include "runtime/count/challenge.h"
#include "runtime/count/count.h"
#include "runtime/count/functions.h"
#include "runtime/count/grow.h"
#include "runtime/count/miss.h"
#include "runtime/count/settings.h"
#include "runtime/count/slots.h"
#include "runtime/count/summaries.h"
#include "runtime/stack/prefix.h"
#include "runtime/stack/walk.h"

/* The chain of `word`, interned. */
static hcct_node intern(struct hcct_tally *tally, uint64_t word, const struct hcct_state *state, uintptr_t sp)
{
    const struct hcct_frame *frame = hcct_walk_find(__hcct_thread.top, word, state, sp);
    if (frame)
        return hcct_prefix_intern(frame, &tally->block.stack);
    return hcct_prefix_unknown(hcct_context_prefix(word, state->base));
}

/* Opens way 3 or way 4, or closes both. The table has no slots while there was never memory for them. */
static void open_exact(struct hcct_tally *tally)
{
    bool may = hcct_tables.exact.slot_count && tally->weight == 1 && hcct_meter_is_plain();
    bool alone = hcct_miss_is_alone();
    if (may && !alone)
        hcct_exact_share();
    __atomic_store_n(&tally->batch.in_place, may && alone, __ATOMIC_RELAXED);
    __atomic_store_n(&tally->batch.known_limit, may && !alone ? HCCT_BATCH_KEYS : 0, __ATOMIC_RELAXED);
}

/* A noted key may be without a chain in the first summary (count.c), whatever its part's own one has. */
static void give_chain_to_first(struct hcct_tally *tally, uint64_t word, const struct hcct_state *state,
                                uintptr_t sp)
{
    hcct_parts_let_go(); /* nobody waits for two */
    hcct_parts_lock(0);
    uint32_t place = hcct_space_saving_place_of(hcct_tables.summary, word);
    if (place != HCCT_NO_PLACE && !hcct_space_saving_entry(hcct_tables.summary, place).node)
        hcct_space_saving_set_node(hcct_tables.summary, place, intern(tally, word, state, sp));
}

/* Adds the key to the summary. Then the key may get a chain, or take the slot. As long as no context has left
 * each newcomer gets a chain at once, later ones as chains.h says. */
static void count_in_summary(struct hcct_tally *tally, uint64_t word, const struct hcct_state *state,
                             uintptr_t sp, bool noted)
{
    uint32_t place = hcct_count_add(word, tally->weight, 0);
    struct hcct_summary *summary = hcct_summaries_here(); /* which has got it */
    hcct_functions_add(state->names, tally->weight);
    hcct_meter_added(&tally->block, word, tally->weight);
    bool bounded = hcct_summaries_are_bounded();
    tally->calls++;
    hcct_chains_bound(tally, bounded || !hcct_meter_is_plain() ? hcct_summaries_total() : 0);
    __atomic_store_n(&tally->batch.found_limit, !bounded && hcct_meter_is_plain() ? HCCT_BATCH_KEYS : 0,
                     __ATOMIC_RELAXED);
    struct hcct_entry entry = { 0 };
    if (place != HCCT_NO_PLACE)
        entry = hcct_space_saving_entry(summary, place);
    if (place != HCCT_NO_PLACE && !entry.node &&
        (!bounded || noted || entry.count - entry.error >= tally->chain_at))
        hcct_space_saving_set_node(summary, place, intern(tally, word, state, sp));
    else if (entry.node && (noted || (hcct_challenge_is_due(tally, entry.count, entry.error) &&
                                      !hcct_challenge_was_hit(tally, hcct_slots_at(tally, word)))))
        hcct_challenge_take(tally, word, entry.node, state->names);
    if (noted && summary != hcct_tables.summary)
        give_chain_to_first(tally, word, state, sp);
}

/* The same for the exact table, where each newcomer gets a chain. */
static void count_in_exact(struct hcct_tally *tally, uint64_t word, const struct hcct_state *state,
                           uintptr_t sp, bool noted)
{
    const struct hcct_exact_slot *slot = hcct_exact_find(&hcct_tables.exact, word);
    hcct_node node = slot ? slot->node : 0;
    hcct_count_add(word, tally->weight, node ? 0 : intern(tally, word, state, sp));
    hcct_meter_added(&tally->block, word, tally->weight);
    tally->calls++;
    open_exact(tally);
    if (node && (noted || (hcct_challenge_is_due(tally, __atomic_load_n(&slot->count, __ATOMIC_RELAXED), 0) &&
                           !hcct_challenge_was_hit(tally, hcct_slots_at(tally, word)))))
        hcct_challenge_take(tally, word, node, state->names);
}

/* The counter of a key in a slot does not grow. It looks colder than it is, may leave, and would come back
 * with the floor of a later time as its error. So all slots are drained
 *   1. when the summary has just room for the keys that began in a slot: these come in before the first
 *      contexts leave, and from then on no key begins in a slot;
 *   2. when it is full: what their keys had since then shows which contexts are the coldest;
 *   3. then each time the sum has grown by a share: only what is cold leaves. */
enum { ALL_ARE_IN = 1, SHARE = 8 };

static bool is_time_to_drain(void)
{
    const struct hcct_summary *summary = hcct_tables.summary;
    if (!summary)
        return false;
    if (hcct_tables.drain_at > ALL_ARE_IN)
        return hcct_summaries_total() >= hcct_tables.drain_at;
    uint64_t more = hcct_tables.drain_at ? 0 : hcct_tables.in_slots;
    return hcct_summaries_are_bounded() ||
           hcct_space_saving_size(summary) + more >= hcct_count_settings.contexts;
}

static __attribute__((noinline, cold)) void drain(void)
{
    hcct_count_drain_tallies();
    uint64_t total = hcct_summaries_total();
    /* pairs with the load in hcct_record_is_to_drain */
    __atomic_store_n(&hcct_tables.drain_at, hcct_tables.drain_at ? total + total / SHARE + 1 : ALL_ARE_IN,
                     __ATOMIC_RELAXED);
}

bool hcct_record_is_to_drain(void)
{
    const struct hcct_summary *first = __atomic_load_n(&hcct_tables.summary, __ATOMIC_ACQUIRE);
    return first && hcct_space_saving_floor(first) != 0 &&
           hcct_summaries_total() >= __atomic_load_n(&hcct_tables.drain_at, __ATOMIC_RELAXED);
}

void hcct_record(struct hcct_tally *tally, uint64_t word, const struct hcct_state *state, uintptr_t sp)
{
    if (hcct_grow_has_few(tally))
        hcct_grow_if_needed(tally);
    uint32_t at = hcct_slots_at(tally, word);
    bool noted = hcct_slots_is_noted(tally, word);
    if (!hcct_tables.running)
        return;
    if (__builtin_expect(is_time_to_drain(), 0))
        drain();
    if (noted)
        hcct_slots_drop_note(tally, word);
    if (!tally->slots[at].key && !hcct_tables.drain_at && hcct_grow_has_room(tally, at)) {
        tally->taken++;
        hcct_tables.in_slots++;
        hcct_count_install_slot(tally, at, word, intern(tally, word, state, sp), state->names, 1);
    } else if (hcct_tables.summary) {
        count_in_summary(tally, word, state, sp, noted);
    } else {
        count_in_exact(tally, word, state, sp, noted);
    }
}
