/* The phases of several profiles, added up by name: for each a tally of its own, of the same contexts. What a
 * profile without phases counted belongs to no phase, once another profile has phases.
 *
 * Invariants
 *   1. the calls of all phases add up to those of all profiles;
 *   2. of each phase tally.h's first invariant holds. When contexts are cut, they are those that are coldest
 *      in all phases together; so a phase's floor is at most that of the sum, but may be above epsilon times
 *      its own N;
 *   3. at most HCCT_PHASES names are told apart, and two more: the others become HCCT_PHASE_REST_NAME.
 * Memory: 32 bytes a context and phase. */
#ifndef HCCT_DECODER_COMBINE_PHASE_SUMS_H
#define HCCT_DECODER_COMBINE_PHASE_SUMS_H

#include "decoder/combine/records.h"
#include "decoder/combine/tally.h"
#include "decoder/profile/profile.h"

struct hcct_phase_sum {
    uint32_t name; /* a string of the records */
    uint64_t calls;
    struct hcct_tally tally;
};

struct hcct_phase_sums {
    struct hcct_phase_sum *phases; /* none: no profile had any */
    uint32_t count, capacity;
};

/* Comes before the profile is added anywhere: `before` and `calls_before` are the sum of the others. False
 * when memory is out. */
bool hcct_phase_sums_begin(struct hcct_phase_sums *sums, struct hcct_records *records,
                           const struct hcct_profile *profile, const struct hcct_tally *before,
                           uint64_t calls_before);
/* Adds a profile whose entry i is the context numbers[i]. False when memory is out. */
bool hcct_phase_sums_add(struct hcct_phase_sums *sums, struct hcct_records *records,
                         const struct hcct_profile *profile, const uint32_t *numbers);
/* As hcct_tally_cut, of `context_count` contexts. False when memory is out. */
bool hcct_phase_sums_cut(struct hcct_phase_sums *sums, const uint32_t *order, uint32_t kept_count,
                         uint32_t context_count);
/* The elements of the file, from malloc, and their number; NULL when memory is out. */
struct hcct_file_phase *hcct_phase_sums_make(const struct hcct_phase_sums *sums, uint32_t context_count,
                                             uint32_t *count);
void hcct_phase_sums_free(struct hcct_phase_sums *sums);

#endif
