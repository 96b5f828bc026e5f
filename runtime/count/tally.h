/* A thread's tally: what counting keeps for one thread, or for one level of its handlers. It has the slots,
 * what belongs to each slot, and the batch. It begins with the core's block of that thread.
 *
 * Invariants
 *   1. the keys of `slots` and all of `sides` change only under the table lock. `noted`, the counts of slots
 *      and the batch are written without it, by their own thread;
 *   2. side.drained <= slot.count: the part of the slot's count that the tables have already;
 *   3. a slot with a key is in a group that `filled` has a bit for.
 * Memory: 448 KB of slots and sides, 57 KB for misses; 64 KB for slot_functions in those that use it. Only
 * touched pages cost memory. */
#ifndef HCCT_RUNTIME_COUNT_TALLY_H
#define HCCT_RUNTIME_COUNT_TALLY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hcct/abi.h"
#include "runtime/base/node.h"
#include "runtime/core/block.h"

/* The data of the tables about slots[i]. Packed, because a thread has 65,536 of them. */
struct __attribute__((packed, aligned(4))) hcct_side {
    uint64_t drained;
    hcct_node node; /* of the slot's key, with a reference; 0: none */
};

/* Keys of weight 1 that wait for the tables. One page. */
#define HCCT_BATCH_KEYS 510
struct hcct_batch {
    uint64_t keys[HCCT_BATCH_KEYS];
    uint32_t count; /* written by the thread only; the first `drained` keys are in the tables already */
    uint16_t drained;
    /* with mode=cct, and several threads: keys with a chain are batched while count is below this */
    uint16_t known_limit;
    uint32_t limit; /* newcomers are batched while count is below this; 0: never */
    /* monitored keys are batched while count is below this. One of the two is 0 */
    uint16_t found_limit;
    uint16_t in_place; /* calls are counted in the exact table without a lock, while there is one thread */
};
_Static_assert(sizeof(struct hcct_batch) == 4096, "what is wiped in a forked child is whole pages");

/* Neighbours among the slots that share a bit of `filled`: two cache lines. */
#define HCCT_SLOT_GROUP 8

/* What a thread begins with, if slots hold calls (grow.c). */
#define HCCT_FEW_SLOTS (HCCT_SLOTS / 8)

/* So many tallies know the functions of their slots: more would take more memory than a thread may. */
#define HCCT_FUNCTION_TALLIES 16

/* Places for noted keys (slots.h). Their number does not grow with the slots, so a note keeps its place. */
#define HCCT_NOTES HCCT_SLOTS

/* Each table has addresses for HCCT_MORE_SLOTS, of which the first are used: as many as grow.c says. */
struct hcct_tally {
    struct hcct_block block; /* the first member: hcct_tally_of */
    uint64_t weight;         /* of one call in the slots and in the batch */
    /* calls that the tables got from this tally, without weights: from slots, from the batch, and at once.
     * Calls counted in place are not included */
    uint64_t calls;
    uint64_t missed; /* the part of `calls` that came in batches */
    uint32_t part;   /* the one that the thread last locked (count/summaries.h) */
    /* for each key of the batch: the summary's place as a hint, any number is allowed; or the node that the
     * exact table has for it */
    uint32_t places[HCCT_BATCH_KEYS];
    uint32_t batched_functions[HCCT_BATCH_KEYS]; /* functions.h: the place of each key's function */
    uint32_t taken;                              /* slots that were filled when they were empty */
    bool knows_functions;                        /* slot_functions is used */
    /* challenge.h: the challenge interval, and the mean that it follows */
    uint32_t challenge_shift, mean_of_losers;
    uint64_t chain_at;                /* chains.h: a key counted as often gets a chain */
    uint64_t bounded;                 /* chains.h: the sum of weights for which that was set */
    struct hcct_tally *next_batching; /* chains.h: in its list */
    bool is_batching;                 /* whether it is in that list */
    uint64_t seen_calls, seen_missed; /* grow.c: the values at its last look */
    uint64_t filled[HCCT_MORE_SLOTS / HCCT_SLOT_GROUP / 64]; /* changes as the keys of slots do */
    /* challenge.h: part of the count at the last challenge */
    _Alignas(4096) uint8_t count_at_look[HCCT_MORE_SLOTS];
    struct hcct_side sides[HCCT_MORE_SLOTS]; /* in reverse order: hcct_tally_side */
    /* From here on also of a thread without a block (hcct_tally_of_slots), in the same places. */
    uint16_t noted[HCCT_NOTES]; /* slots.h */
    struct hcct_batch batch;
    struct hcct_slot slots[HCCT_MORE_SLOTS];
    /* functions.h: the place of the function of each slot's key. A thread without a block has none */
    uint32_t slot_functions[HCCT_MORE_SLOTS];
};

_Static_assert(offsetof(struct hcct_tally, batch) % 4096 == 0, "what is wiped is whole pages");
_Static_assert(offsetof(struct hcct_tally, slots) - offsetof(struct hcct_tally, noted) == HCCT_BEFORE_SLOTS,
               "what the core has for a thread without a block is as large");

/* NULL for NULL. */
static inline struct hcct_tally *hcct_tally_of(struct hcct_block *block)
{
    return (struct hcct_tally *)block;
}

/* The tally of the slots in use. For a thread without a block, one that takes no count and no key: of that
 * only `noted`, `batch` and `slots` are there. NULL if nothing is counted. The load pairs with the store in
 * store_slots of core/block.c: by this thread, or by another that makes this one miss. */
static inline struct hcct_tally *hcct_tally_of_slots(void)
{
    char *slots = (char *)__atomic_load_n(&__hcct_thread.slots, __ATOMIC_RELAXED);
    return slots ? (struct hcct_tally *)(void *)(slots - offsetof(struct hcct_tally, slots)) : NULL;
}

static inline struct hcct_side *hcct_tally_side(struct hcct_tally *tally, uint32_t slot)
{
    return &tally->sides[HCCT_MORE_SLOTS - 1 - slot];
}

static inline void hcct_tally_mark_filled(struct hcct_tally *tally, uint32_t slot)
{
    uint32_t group = slot / HCCT_SLOT_GROUP;
    tally->filled[group / 64] |= UINT64_C(1) << group % 64;
}

/* The first group at *slot or behind it that may have keys: *slot becomes its first slot. A short run has few
 * keys, and so touches few pages. */
static inline bool hcct_tally_next_group(const struct hcct_tally *tally, uint32_t *slot)
{
    for (uint32_t group = *slot / HCCT_SLOT_GROUP; group <= tally->block.last_slot / HCCT_SLOT_GROUP;
         group = (group / 64 + 1) * 64) {
        uint64_t bits = tally->filled[group / 64] >> group % 64;
        if (bits) {
            *slot = (group + (uint32_t)__builtin_ctzll(bits)) * HCCT_SLOT_GROUP;
            return true;
        }
    }
    return false;
}

/* What the core calls through hcct_count_hooks (core/hooks.h, count.c). */
void hcct_tally_make(struct hcct_block *block, bool is_level);
void hcct_tally_begin(struct hcct_block *block, struct hcct_block *outer);
void hcct_tally_end(struct hcct_block *block, bool keeps_memory);
void hcct_tally_after_fork(struct hcct_block *block, bool torn);
size_t hcct_tally_bytes(const struct hcct_block *block);

#endif
