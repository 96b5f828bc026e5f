/* Who gets a slot: a key that misses challenges the key that has its slot.
 * Threads: under the table lock, or where the process has one thread and no handler comes in between. */
#ifndef HCCT_RUNTIME_COUNT_CHALLENGE_H
#define HCCT_RUNTIME_COUNT_CHALLENGE_H

#include "runtime/count/grow.h"
#include "runtime/count/slots.h"
#include "runtime/stack/prefix.h"
#include "runtime/stream/exact.h"

enum {
    HCCT_CHALLENGE_INTERVAL_MAX = 64,
    HCCT_CHALLENGE_SHIFT_MAX = 3 /* the shift for HCCT_CHALLENGE */
};
_Static_assert(HCCT_CHALLENGE_INTERVAL_MAX >> HCCT_CHALLENGE_SHIFT_MAX == HCCT_CHALLENGE,
               "the shortest challenge_interval");

/* The number of misses of a key between two challenges of its slot. It is short if the keys that lost their
 * slots lately had been hit often there (a program with phases), and long if not (more contexts in turns
 * than slots). */
static inline uint32_t hcct_challenge_interval(const struct hcct_tally *tally)
{
    return HCCT_CHALLENGE_INTERVAL_MAX >> tally->challenge_shift;
}

/* Adapts the interval when a key that was hit `count` times in its slot loses it. */
static inline void hcct_challenge_adapt(struct hcct_tally *tally, uint64_t count)
{
    enum { FEW = 32, MANY = 128, MOST = 4 * MANY, START = (FEW + MANY) / 2, WEIGHT = 64 };
    uint32_t mean = tally->mean_of_losers ? tally->mean_of_losers : START * WEIGHT;
    mean += (count < MOST ? (uint32_t)count : MOST) - mean / WEIGHT;
    if (mean < FEW * WEIGHT && tally->challenge_shift > 0) {
        tally->challenge_shift--;
        mean = 0;
    } else if (mean > MANY * WEIGHT && tally->challenge_shift < HCCT_CHALLENGE_SHIFT_MAX) {
        tally->challenge_shift++;
        mean = 0;
    }
    tally->mean_of_losers = mean;
}

static inline bool hcct_challenge_is_due(const struct hcct_tally *tally, uint64_t count, uint64_t error)
{
    return count % hcct_challenge_interval(tally) == 0 && count - error >= hcct_challenge_interval(tally);
}

/* Whether the slot was hit since the last look. It notices about half of `challenge_interval` hits or
 * more. */
static inline bool hcct_challenge_was_hit(struct hcct_tally *tally, uint32_t at)
{
    uint8_t count = (uint8_t)(__atomic_load_n(&tally->slots[at].count, __ATOMIC_RELAXED) /
                              (hcct_challenge_interval(tally) / 2));
    bool moved = count != tally->count_at_look[at];
    tally->count_at_look[at] = count;
    return moved && tally->slots[at].key;
}

/* Gives the slot to `key`. The key is in the tables, with `node`. `function`: the place of its function. */
static inline void hcct_challenge_take(struct hcct_tally *tally, uint64_t key, hcct_node node,
                                       uint32_t function)
{
    uint32_t at = hcct_slots_at(tally, key);
    if (!hcct_grow_has_room(tally, at))
        return;
    if (tally->slots[at].key)
        hcct_challenge_adapt(tally, __atomic_load_n(&tally->slots[at].count, __ATOMIC_RELAXED));
    hcct_prefix_retain(node);
    hcct_count_install_slot(tally, at, key, node, function, 0);
}

#endif
