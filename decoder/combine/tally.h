/* Adds up what several profiles counted: the arithmetic of merging summaries, for whatever numbers the
 * contexts are known by.
 *
 * A context that a profile lacks occurred in that run up to its floor, so the floor goes to the count and to
 * the error. The same is the sum of Agarwal et al., "Mergeable Summaries" (PODS 2012, section 3): with l =
 * count - floor it adds the l of each context, and the floors; only the error of a context is not the sum of
 * all floors, but its own.
 *
 * Invariants, for every context with true count w, N the calls of all profiles
 *   1. count - error <= w <= count for one that has been added, w <= floor for the others;
 *   2. the sum of max(count - floor, 0) over all that were added, plus floor / epsilon, is at most N, if that
 *      holds for each profile, epsilon the largest of them (Space Saving: the larger ones of counts and floor
 *      add up to N at the most, and there are at least 1 / epsilon if the floor is not 0); so floor <=
 *      epsilon * N (not those of lossy counting and sticky sampling, whose floors rise whether or not there
 *      was room: see below);
 *   3. both stay true when all but the k largest counts are left out, k >= 1 / epsilon, and floor becomes the
 *      largest count left out (hcct_tally_cut): floor grows by some x, and k + 1 terms of the sum fall by x
 *      or more.
 * Where only count - floor <= w and floor <= epsilon * N are known of a profile, the sum of 2 is at most 2 *
 * N, hence floor <= 2 * epsilon * N however often is added and cut. The profile has an epsilon that covers
 * its floor. Sums stop at UINT64_MAX. Memory: 32 bytes a context. */
#ifndef HCCT_DECODER_COMBINE_TALLY_H
#define HCCT_DECODER_COMBINE_TALLY_H

#include <stdbool.h>
#include <stdint.h>

struct hcct_tally_entry {
    uint64_t count, error;
    uint64_t floors;      /* the sum of the floors of those profiles that counted it */
    uint32_t last_source; /* the last one that did; 0: none */
};

struct hcct_tally {
    struct hcct_tally_entry *entries; /* by context; zeroed where nothing was added */
    uint32_t count, capacity;
    uint32_t source; /* the number of the current profile, from 1 */
    uint64_t source_floor;
    uint64_t floor; /* of all profiles so far */
};

/* What is added from here on comes from the next profile, which has that floor. */
void hcct_tally_next(struct hcct_tally *tally, uint64_t floor);
/* Adds an entry of the current profile. False when memory is out. */
bool hcct_tally_add(struct hcct_tally *tally, uint32_t context, uint64_t count, uint64_t error);
/* Adds, to a context that has been added, an entry of an earlier profile, which had that floor and did not
 * count it under this number. */
void hcct_tally_add_earlier(struct hcct_tally *tally, uint32_t context, uint64_t count, uint64_t error,
                            uint64_t floor);
/* Entries for so many contexts. False when memory is out. */
bool hcct_tally_extend(struct hcct_tally *tally, uint32_t count);
/* Count and error of a context that has been added. */
struct hcct_tally_entry hcct_tally_sum(const struct hcct_tally *tally, uint32_t context);
/* A context that may be cut off. */
struct hcct_tally_ranked {
    uint64_t count, word;
    uint32_t context;
};
/* Chooses the kept_count largest counts; ties by word, so that the order of the profiles matters less. Fills
 * order[count]: the chosen contexts, then the others, each in ascending order. Returns the largest count of
 * the others; 0: there are none. ranked[i] is context i; it is mixed up. Cost: linear; where the order of the
 * contexts was made to be bad, that of sorting. */
uint64_t hcct_tally_select(struct hcct_tally_ranked *ranked, uint32_t count, uint32_t kept_count,
                           uint32_t *order);
/* Keeps order[0] to order[kept_count - 1], which get the numbers 0 to kept_count - 1; `floor` is the largest
 * count among the others (0: there are none). Frees no memory. */
bool hcct_tally_cut(struct hcct_tally *tally, const uint32_t *order, uint32_t kept_count, uint64_t floor);
/* enum hcct_file_algorithm of a sum: exact profiles leave that of the others, two others are SEVERAL. */
uint32_t hcct_tally_algorithm(uint32_t a, uint32_t b);
void hcct_tally_free(struct hcct_tally *tally);

#endif
