/* Adds up any number of profiles of one build: they go by one at a time.
 *
 * In one build a word and a chain of pushes mean the same in every run, so contexts are told apart by these,
 * without decoding any; what is static (functions, sites, ...) is gathered by records.h. Rows are merged as
 * sorted lists, a few of about the same size at a time: each cell is copied O(log profiles) times.
 *
 * A context that a profile lacks occurred in that run up to the column's floor, so the floor goes to the
 * count and to the error. The same is the sum of Agarwal et al., "Mergeable Summaries" (PODS 2012, section
 * 3): with l = count - floor it adds the l of each context, and the floors; only the error of a context is
 * not the sum of all floors, but its own.
 *
 * Invariants, of each column that adds up (HCCT_ADD_SUM), for every context with true count w, N the column's
 * total
 *   1. count - error <= w <= count for one that has a cell, w <= floor for the others;
 *   2. the sum of max(count - floor, 0) over all cells, plus floor / epsilon, is at most N, if that holds for
 *      each profile, epsilon the largest of them (Space Saving: the larger ones of counts and floor add up to
 *      N at the most, and there are at least 1 / epsilon if the floor is not 0); so floor <= epsilon * N;
 *   3. both stay true when all but the k largest counts are left out, k >= 1 / epsilon, and floor becomes the
 *      largest count left out (hcct_rows_cut): floor grows by some x, and k + 1 terms of the sum fall by x or
 *      more.
 * Where only count - floor <= w and floor <= epsilon * N are known of a profile (Lossy Counting, Sticky
 * Sampling), the sum of 2 is at most 2 * N, hence floor <= 2 * epsilon * N however often is added and cut.
 * The sum has an epsilon that covers its floor.
 *   4. The sum is a profile; adding it further is adding what went into it, up to the bounds (exactly, if all
 *      are exact). If one of them is of mode=hcct, at most `capacity` contexts are written, the largest of
 *      their capacities, and what is pinned; but where large sums may go into files, profiles whose counts
 *      are exact have no capacity. Sums of counts stop at UINT64_MAX.
 * A context without its chain (prefix NONE) takes the chain that another profile that is added with it has
 * for the same word. */
#ifndef HCCT_DECODER_STORE_POOL_H
#define HCCT_DECODER_STORE_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "decoder/store/pool_merge.h"
#include "decoder/store/profile.h"
#include "decoder/store/records.h"
#include "decoder/store/threads.h"
#include "format/error.h"

enum { HCCT_POOL_LARGE = 1 << 20 };

struct hcct_pool {
    /* Set at first, and only where it is known that files may be made: it opens an empty file, which is gone
     * when it is closed. -1, and errno tells why. Large sums on the way go there. NULL: all is in memory. */
    int (*open_file)(void);
    bool lacks_spread; /* set it at first: the sum need not tell how the profiles differ */
    uint32_t large;    /* so many contexts are large; 0: HCCT_POOL_LARGE */
    uint32_t count;    /* of profiles that were added, each sum one */
    struct hcct_file_run run;
    struct hcct_file_estimate estimate;
    bool is_estimate;               /* of one of them */
    uint64_t counted;               /* in the others */
    struct hcct_file_column metric; /* the first column of the first profile */
    uint32_t phases[HCCT_PHASES];   /* the names that are told apart */
    uint32_t phase_count;
    uint64_t notes[HCCT_NOTE_COUNT];
    struct hcct_records records; /* the functions and sites of all */
    struct hcct_threads threads;
    struct hcct_pool_part parts[HCCT_POOL_WAYS]; /* the first ones are larger */
    uint32_t part_count;
    struct hcct_file_note note_list[HCCT_NOTE_COUNT];
};

/* Adds a profile, which may be closed afterwards. A zeroed struct is the sum of none. On false *error tells
 * why, and hcct_pool_free is all that is left to do. */
bool hcct_pool_add(struct hcct_pool *pool, const struct hcct_profile *profile, struct hcct_error *error);
/* The sum, without an index; it points into the pool. At least one profile was added; none can be added any
 * more. False when memory is out. */
bool hcct_pool_sum(struct hcct_pool *pool, struct hcct_profile *sum);
/* The same as a file, from malloc; NULL when memory is out. */
unsigned char *hcct_pool_write(struct hcct_pool *pool, size_t *length);
/* The same into an empty file that can seek; a large one goes there as it is merged, and is not held in
 * memory. False, and errno tells why. */
bool hcct_pool_write_into(struct hcct_pool *pool, int file);
void hcct_pool_free(struct hcct_pool *pool);

/* Makes a copy of both[which] that has the functions and sites of both profiles, which are of one build. So a
 * line that one of them knows is known in both copies. `joined` has an index, and points into `pool`, which
 * was zeroed. On false *error tells why. Free the pool in any case. */
bool hcct_pool_join(struct hcct_pool *pool, const struct hcct_profile *const both[2], int which,
                    struct hcct_profile *joined, struct hcct_error *error);

#endif
