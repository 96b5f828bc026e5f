/* Makes one profile of any number of profiles of one build: they go by one at a time, and none is kept.
 *
 * In one build a word and a chain of pushes mean the same in every run, so contexts are told apart by these,
 * without decoding any; what is static (functions, sites, ...) is taken from the first profile. Counts add up
 * by tally.h.
 *
 * Invariants
 *   1. the result is a profile, by reader.h's rules; combining it further is combining what went into it, up
 *      to the bounds (with mode=cct alone: exactly);
 *   2. if any profile is of mode=hcct, at most `capacity` contexts are written, the largest capacity of those
 *      profiles (their counters are 1 / epsilon or more), and at most HCCT_COMBINE_KEPT_FACTOR times as many
 *      are held when a profile comes.
 * Memory: of bounded profiles, HCCT_COMBINE_KEPT_FACTOR * capacity contexts with their chains and one
 * profile, however many there are and in whatever order; of mode=cct, the contexts that any of them has.
 * Pins, and the chains that they need, of all. */
#ifndef HCCT_DECODER_COMBINE_ONE_BUILD_COMBINE_H
#define HCCT_DECODER_COMBINE_ONE_BUILD_COMBINE_H

#include "decoder/combine/heap_sum.h"
#include "decoder/combine/one_build/combine_contexts.h"
#include "decoder/combine/phase_sums.h"
#include "decoder/combine/records.h"
#include "decoder/combine/spread.h"
#include "decoder/combine/table.h"
#include "decoder/combine/tally.h"
#include "decoder/combine/threads.h"
#include "decoder/profile/profile.h"
#include "format/error.h"

/* So that a cut is paid by 3 * capacity newcomers. */
#define HCCT_COMBINE_KEPT_FACTOR 4

struct hcct_combine {
    uint32_t profile_count;
    bool is_estimate; /* of one of them, from `bursts` */
    struct hcct_file_bursts bursts;
    struct hcct_file_run run; /* the sum; floor, capacity and dropped_chain when it is written */
    struct hcct_file_times times;
    struct hcct_threads threads;
    struct hcct_records records; /* the functions and sites of all */
    struct hcct_combine_contexts contexts;
    struct hcct_tally tally;   /* by context */
    struct hcct_spread spread; /* by context */
    bool is_heap;              /* of metric=heap: */
    struct hcct_heap_sum heap;
    struct hcct_phase_sums phases;
    uint32_t capacity; /* 0: every profile so far was exact */
};

/* Whether the result tells how the single profiles differ. */
static inline bool hcct_combine_has_spread(const struct hcct_combine *combine)
{
    return hcct_spread_profiles(&combine->spread) > 1;
}

/* Adds a profile, which may be closed afterwards. A zeroed struct is the sum of none. On false *error tells
 * why, and hcct_combine_free is all that is left to do. */
bool hcct_combine_add(struct hcct_combine *combine, const struct hcct_profile *profile,
                      struct hcct_error *error);
/* Leaves only the contexts with the largest counts. False when memory is out. */
bool hcct_combine_cut(struct hcct_combine *combine, uint32_t kept_count);
void hcct_combine_free(struct hcct_combine *combine);

#endif
