/* A thread's batch: keys that missed, and wait for the tables. So most misses take no lock, and the tables'
 * memory is waited for once for many keys.
 *
 * A thread adds its batch with the lock of a part, at the same time as others: to counts that are there,
 * while no context has left, and later to the summary of the part (summaries.h). For all else there is the
 * table lock. What would move counts away from under those who add takes that and the locks of all parts
 * (hcct_count_exclude). While the process has one thread, the table lock is for all.
 * Threads: the thread itself appends. */
#ifndef HCCT_RUNTIME_COUNT_BATCH_H
#define HCCT_RUNTIME_COUNT_BATCH_H

#include "runtime/core/tables.h"
#include "runtime/count/slots.h"

/* Adds the keys of the batch that are not in the tables yet. The batch keeps them, so that only its own
 * thread changes its length. Under the table lock. If there are keys, it excludes those who add, unless that
 * lock does (hcct_summaries_is_one). */
void hcct_batch_add(struct hcct_tally *tally);
/* The same for the calling thread's own batch, which is empty then. Under the table lock. */
void hcct_batch_empty_locked(struct hcct_tally *tally);
/* The same by a thread that holds no lock. While busy. */
void hcct_batch_empty(struct hcct_tally *tally);

/* How many keys may wait: of the limits, one or none is not 0. */
static inline uint32_t hcct_batch_room(const struct hcct_tally *tally)
{
    const struct hcct_batch *batch = &tally->batch;
    return __atomic_load_n(&batch->limit, __ATOMIC_RELAXED) |
           __atomic_load_n(&batch->found_limit, __ATOMIC_RELAXED) |
           __atomic_load_n(&batch->known_limit, __ATOMIC_RELAXED);
}

static inline bool hcct_batch_is_full(const struct hcct_tally *tally)
{
    return tally->batch.count && tally->batch.count >= hcct_batch_room(tally);
}

static inline __attribute__((always_inline)) void
hcct_batch_append(struct hcct_tally *tally, uint32_t count, const struct hcct_state *state, uint64_t word)
{
    struct hcct_batch *batch = &tally->batch;
    batch->keys[count] = word;
    tally->batched_functions[count] = state->names;
    /* pairs with the ACQUIRE load in hcct_batch_add: what is below the count is there */
    __atomic_store_n(&batch->count, count + 1, __ATOMIC_RELEASE);
}

/* Way 1: any key, if the summary is full. The order of the tests saves a register. */
static inline __attribute__((always_inline)) bool
hcct_batch_newcomer(struct hcct_tally *tally, const struct hcct_state *state, uint64_t word)
{
    struct hcct_batch *batch = &tally->batch;
    if (hcct_slots_is_noted(tally, word))
        return false;
    uint32_t count = __atomic_load_n(&batch->count, __ATOMIC_RELAXED);
    if (!hcct_machine_is_below(count, &batch->limit))
        return false;
    hcct_batch_append(tally, count, state, word);
    return true;
}

/* Way 2: a key that the summary has with a chain. Looks at the first `steps` entries of its bucket; 0: looks
 * at the bucket alone. */
static inline __attribute__((always_inline)) bool
hcct_batch_monitored(struct hcct_tally *tally, const struct hcct_state *state, uint64_t word, unsigned steps)
{
    struct hcct_batch *batch = &tally->batch;
    uint32_t count = batch->count;
    if (count >= __atomic_load_n(&batch->found_limit, __ATOMIC_RELAXED) || word <= HCCT_WORD_TAIL ||
        hcct_slots_is_noted(tally, word))
        return false;
    /* pairs with the store in count/phases.c */
    struct hcct_summary *summary = __atomic_load_n(&hcct_tables.summary, __ATOMIC_RELAXED);
    uint32_t place =
        steps ? hcct_space_saving_find(summary, word, steps) : hcct_space_saving_peek(summary, word);
    if (place == HCCT_NO_PLACE)
        return false;
    tally->places[count] = place;
    hcct_batch_append(tally, count, state, word);
    return true;
}

/* Way 4: a key that the exact table has with a chain. */
static inline __attribute__((always_inline)) bool
hcct_batch_known(struct hcct_tally *tally, const struct hcct_state *state, uint64_t word)
{
    struct hcct_batch *batch = &tally->batch;
    uint32_t count = batch->count;
    if (count >= __atomic_load_n(&batch->known_limit, __ATOMIC_RELAXED) || word <= HCCT_WORD_TAIL ||
        hcct_slots_is_noted(tally, word))
        return false;
    hcct_node node = hcct_exact_peek(&hcct_tables.exact, word);
    if (!node)
        return false;
    tally->places[count] = node;
    hcct_batch_append(tally, count, state, word);
    return true;
}

#endif
