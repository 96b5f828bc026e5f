/* What a count with an error claims, and how such counts add up. All views and formats ask here.
 *
 * A context with count c and error e occurred at least c - e and at most c times. A context that one of
 * several files lacks has that file's floor in both. So c says what may have been, and a sum of c over many
 * contexts is calls that never were. A sum is therefore that of the lower bounds:
 *
 *   1. the sums of contexts that have nothing in common add up to at most N;
 *   2. a sum over some contexts is at most that over more of them: a child has no more than its parent;
 *   3. the true number is at least the sum, and at most the sum plus the smaller one of what may be missing
 *      (the errors' sum, and what no context of the profile has) and of what N leaves when the lower bounds
 *      of all contexts are taken from it. Where contexts have left the profile, all that N leaves may be
 *      missing: their calls stand in the errors of those that took their places, wherever these are. */
#ifndef HCCT_DECODER_CLAIM_CLAIM_H
#define HCCT_DECODER_CLAIM_CLAIM_H

#include <stdbool.h>
#include <stdint.h>

#include "decoder/claim/ground.h"
#include "decoder/store/sum.h"

/* Of a sum, or of two sides. */
static inline enum hcct_sure hcct_claim_weaker(enum hcct_sure a, enum hcct_sure b)
{
    return a > b ? a : b;
}

/* Whether a count is the true one or its bound, so that ranges of it mean something. */
static inline bool hcct_claim_has_bounds(enum hcct_sure sure)
{
    return sure <= HCCT_SURE_UPPER;
}

struct hcct_range {
    uint64_t low, high;
};

/* Whether two counts are not the same for certain. `sure`: the weaker of theirs. */
static inline bool hcct_claim_differs(enum hcct_sure sure, struct hcct_range a, struct hcct_range b)
{
    return hcct_claim_has_bounds(sure) && (b.low > a.high || a.low > b.high);
}

/* What a context adds to a sum. */
static inline uint64_t hcct_claim_low(uint64_t count, uint64_t error)
{
    return count > error ? count - error : 0;
}

/* The most by which a sum over contexts may be too low (3). `errors`: theirs together; `unassigned`: what N
 * leaves. */
static inline uint64_t hcct_claim_missing(const struct hcct_ground *ground, uint64_t errors,
                                          uint64_t unassigned)
{
    uint64_t most = hcct_sum(errors, ground->missing);
    return ground->floor || most > unassigned ? unassigned : most;
}

/* Whether a sum may lack so much, more than a tenth of it, that every view tells it beside the sum. */
static inline bool hcct_claim_is_loose(uint64_t sum, uint64_t missing)
{
    return missing > sum / 10;
}

#endif
