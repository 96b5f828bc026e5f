/* Where many threads miss, each wants to add its batches at once. So once contexts have left the summary,
 * there may be several: one for each part (core/parts.h), which whoever adds to it locks. A thread stays with
 * its part, so that nobody else needs the memory that its processor has at hand. Another part, and its
 * summary, is only begun by a thread that finds its own locked.
 *
 * Before anybody reads counts, all are merged into hcct_tables.summary, which is that of part 0.
 *
 * Invariants
 *   1. each keeps the guarantees of Space Saving for what it got, with as many counters as one would have; a
 *      merge keeps them for the sum of both (stream/space_saving.h);
 *   2. there is one while no context has left: all threads add to its counts, with the lock of any part. If
 *      there can never be another, it is under the table lock from then on;
 *   3. between two merges a key may be in several. After a merge it is in one.
 * Memory: together no more than `memory` has room for, which the first one gives up when contexts leave it.
 * A merge takes twice the counters of the first one, and gives them back. */
#ifndef HCCT_RUNTIME_COUNT_SUMMARIES_H
#define HCCT_RUNTIME_COUNT_SUMMARIES_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/core/parts.h"
#include "runtime/core/tables.h"
#include "runtime/count/tally.h"

/* By part; NULL: not begun. The first is not used. Each changes with the lock of its part. */
extern __attribute__((visibility("hidden"))) struct hcct_summary *hcct_summaries[HCCT_PARTS];

/* Whether contexts have left. It changes only under the lock of all parts. */
static inline bool hcct_summaries_are_bounded(void)
{
    return hcct_space_saving_floor(hcct_tables.summary) != 0;
}

/* The summary that the calling thread adds to: that of the part that it has locked, or else the first one. */
static inline struct hcct_summary *hcct_summaries_here(void)
{
    unsigned part = hcct_parts_held;
    struct hcct_summary *own = part < HCCT_PARTS ? hcct_summaries[part] : NULL;
    return own && hcct_summaries_are_bounded() ? own : hcct_tables.summary;
}

/* The first one was made for so many contexts. Each will have so many counters. */
void hcct_summaries_start(uint32_t contexts, uint32_t counters);

/* How many there are beside the first one. Grows with the lock of a part. */
extern __attribute__((visibility("hidden"))) uint32_t hcct_summaries_begun;

static inline uint32_t hcct_summaries_count(void)
{
    return 1 + __atomic_load_n(&hcct_summaries_begun, __ATOMIC_RELAXED);
}

/* The sum of all N. Others may be adding. */
uint64_t hcct_summaries_total_of_several(void);
static inline uint64_t hcct_summaries_total(void)
{
    return hcct_summaries_count() == 1 ? hcct_space_saving_total(hcct_tables.summary)
                                       : hcct_summaries_total_of_several();
}

/* So many there may be: `memory` has room for them. It stays as it is. */
extern __attribute__((visibility("hidden"))) uint32_t hcct_summaries_most;

/* Whether the table lock is enough to add to the summary. Under that lock, or with that of a part. */
static inline bool hcct_summaries_is_one(void)
{
    return hcct_summaries_most == 1 && hcct_tables.summary && hcct_summaries_are_bounded();
}

/* Locks a part for a thread that has the tally: its own, or else another one, which it stays with. False:
 * none is locked, as there is but one summary, which is under the table lock. */
bool hcct_summaries_lock_another(struct hcct_tally *tally);
/* What comes next, if the tally's part is locked: that gets its summary, if it needs one. If it can have
 * none, part 0 takes its place. */
bool hcct_summaries_settle(struct hcct_tally *tally);
static inline bool hcct_summaries_lock_part(struct hcct_tally *tally)
{
    return hcct_parts_try(tally->part) ? hcct_summaries_settle(tally) : hcct_summaries_lock_another(tally);
}

/* Gives back the node of a key that was evicted: at once under the table lock, or else later, in the part
 * that the calling thread has locked. */
void hcct_summaries_release(hcct_node node);
/* Whether many wait there, or none can. */
bool hcct_summaries_have_waiting(void);
/* Gives back all that wait. Under the table lock and those of all parts. */
void hcct_summaries_release_waiting(void);
/* Merges all into the first one, and gives back all that waits. Returns whether there was another one. Under
 * the same locks. */
bool hcct_summaries_merge(void);
/* Empties all but the first one, and gives their memory back; also what waits. Under the same locks. */
void hcct_summaries_reset(void);
/* Gives the whole pages of this memory back, which are zero then. */
void hcct_summaries_give_back(void *memory, size_t bytes);
/* All were abandoned. */
void hcct_summaries_abandon(void);

#endif
