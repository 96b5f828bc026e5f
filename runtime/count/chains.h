/* When a context that came late gets its chain: not with its first call (record.c), but before it can
 * become hot. And how many keys may wait in a batch, so that this holds. */
#ifndef HCCT_RUNTIME_COUNT_CHAINS_H
#define HCCT_RUNTIME_COUNT_CHAINS_H

#include "runtime/base/real.h"
#include "runtime/count/challenge.h"
#include "runtime/count/settings.h"
#include "runtime/count/summaries.h"

/* A context that is hot must not be without a chain at the end. A key without one weighs at most
 *     N / k          when it came in (its error),
 *   + chain_at       counted after that: then it is noted, and its next miss brings the chain,
 *   + HCCT_PATIENCE  calls while its place has the note of another key,
 *   + L              for each tally in use: its calls in a batch of L keys, which the end of the run, or of
 *                    the thread, adds. Each tally notes keys of its own batches.
 * The second and third come once for each summary (summaries.h), as none knows what a key has in another. So
 * where there are several, chain_at is half as much divided by their number. The other half is what a key may
 * have in the merged summary: with more it is noted in each tally (hcct_chains_least_when_merged), and its
 * next miss brings the chain to the merged summary, too (record.c).
 * Each call counts with its weight. The last three share phi N - N / k. As phi N only grows, a key that is
 * hot at the end was noted in time. When one more tally comes into use, all batches are emptied, and their
 * threads ask for a new L (shorten_batches of tally.c).
 * Why a key waits for the note of another one: keys that come in turns would take the place from each other
 * before any of them comes again.
 * A key needs its chain to challenge its slot, so chain_at is at most a challenge interval. If epsilon is
 * more than phi / 2, nothing is left to share: L is phi N / 2 for all tallies together, and chain_at is 2. */
enum { HCCT_CHAIN_SHARE = 4, HCCT_PATIENCE = 8 };

/* What chain_at, HCCT_PATIENCE and L share. Each thread may be adding a key while its limit changes, so the
 * number of blocks is taken off, too. */
static inline uint64_t hcct_chains_share(uint64_t hot, uint64_t total)
{
    uint64_t error = total / hcct_count_settings.capacity + hcct_summaries_count() + hcct_block_used();
    return hot > 2 * error ? hot - error : 0;
}

/* A list of the tallies whose L may not be 0. Of many threads, few may have one when the next thread begins.
 * Under the table lock; defined in count.c. */
extern __attribute__((visibility("hidden"))) struct hcct_tally *hcct_chains_batching;

/* Sets L (0: nothing is batched) and chain_at for a sum of weights N. They hold for larger sums, too, so this
 * looks again only when N has grown by a 64th, has begun anew, or somebody has set L to 0. */
static inline void hcct_chains_bound(struct hcct_tally *tally, uint64_t total)
{
    if (total && total - tally->bounded <= tally->bounded / 64 &&
        __atomic_load_n(&tally->batch.limit, __ATOMIC_RELAXED))
        return;
    uint64_t hot = hcct_real_times(hcct_count_settings.phi, total), share = hcct_chains_share(hot, total),
             part = share / HCCT_CHAIN_SHARE, keys = share ? share - part : hot / 2;
    uint64_t most = hcct_challenge_interval(tally) * tally->weight, least = 2 * tally->weight,
             waiting = HCCT_PATIENCE * tally->weight * hcct_summaries_count();
    part /= hcct_summaries_count() == 1 ? 1 : 2 * hcct_summaries_count();
    keys = (keys > 2 * waiting ? keys - waiting : keys / 2) / (hcct_block_used() * tally->weight);
    tally->chain_at = part < least ? least : part < most ? part : most;
    tally->bounded = total;
    __atomic_store_n(&tally->batch.limit, keys < HCCT_BATCH_KEYS ? (uint32_t)keys : HCCT_BATCH_KEYS,
                     __ATOMIC_RELAXED);
    if (keys && !tally->is_batching) {
        tally->is_batching = true;
        tally->next_batching = hcct_chains_batching;
        hcct_chains_batching = tally;
    }
}

/* From how many calls without a chain on a key is noted when summaries were merged; `total`: N. */
static inline uint64_t hcct_chains_least_when_merged(uint64_t total)
{
    uint64_t share = hcct_chains_share(hcct_real_times(hcct_count_settings.phi, total), total);
    return share / HCCT_CHAIN_SHARE / 2 + 2;
}

/* Takes a tally from that list, or returns NULL. */
static inline struct hcct_tally *hcct_chains_take_batching(void)
{
    struct hcct_tally *tally = hcct_chains_batching;
    if (tally) {
        tally->is_batching = false;
        hcct_chains_batching = tally->next_batching;
    }
    return tally;
}

/* Changes what a call weighs. The thread asks for new limits at its next miss. Its batch is added already. */
static inline void hcct_chains_set_weight(struct hcct_tally *tally, uint64_t weight)
{
    if (tally->weight != weight)
        __atomic_store_n(&tally->batch.limit, 0, __ATOMIC_RELAXED);
    tally->weight = weight;
}

/* Whether a key that needs a chain may be noted. It was counted `weight` since it came in. */
static inline bool hcct_chains_may_note(const struct hcct_tally *tally, uint64_t key, uint64_t weight)
{
    return hcct_slots_may_note(tally, key) || weight / tally->weight % HCCT_PATIENCE == 0;
}

#endif
