/* One tree and one summary from the profiles of one or several runs.
 *
 * Counts add up by tally.h. An entry without its chain (its prefix is NONE) is found again by its word in the
 * other profiles of the same build. Profiles of different builds (`force`) meet by function and line. */
#ifndef HCCT_DECODER_TREE_MERGE_H
#define HCCT_DECODER_TREE_MERGE_H

#include "decoder/profile/reader.h"
#include "decoder/tree/tree.h"

struct hcct_summary {
    const char *program;
    uint32_t file_count;
    uint32_t live_count;                         /* of them, of programs that were killed, or run */
    uint32_t mode, algorithm, guarantee, metric; /* the weakest of the files */
    const char *unit;                            /* "calls", what metric=weight counts, or "ns" */
    bool folded;                                 /* recursion is, in all of them */
    double phi, epsilon;                         /* the largest of the files */
    double delta;      /* the probability that a bound fails for some hot context; the sum of the files' */
    uint64_t build_id; /* of the first file */
    uint64_t memory_bytes; /* of the profiler, in the run that had the most */
    uint64_t calls;
    uint64_t floor;         /* what is not in the tree has no more of the calls; the sum of the files' */
    uint64_t context_count; /* monitored ones, by site */
    /* Not in the tree, in calls. */
    uint64_t dropped_memory, dropped_chain, dropped_interrupted;
    /* of dropped_chain: of contexts below phi, which need no chain. They are not shown, and nothing is
     * wrong */
    uint64_t cold_chain;
    uint64_t undecodable; /* entries whose word means nothing */
    uint64_t unaccounted; /* cct mode: what is missing from the sum of all counts */
    /* In the tree, but under [unknown]. */
    uint64_t stale, overflowed;
    uint64_t lost_count; /* pushes that could not be decoded */
    bool is_estimate;    /* of one of the files, from bursts: */
    struct hcct_file_bursts bursts;
};

/* Whether all is there that is promised. */
static inline bool hcct_summary_is_sound(const struct hcct_summary *it)
{
    return !it->dropped_memory && it->dropped_chain <= it->cold_chain && !it->dropped_interrupted &&
           !it->undecodable && !it->unaccounted && !it->stale && !it->overflowed && !it->lost_count &&
           !it->bursts.untimed;
}

struct hcct_merge {
    struct hcct_frames frames;
    struct hcct_tree tree; /* by site */
    struct hcct_summary summary;
    uint64_t file_bytes; /* of all profiles */
};

/* The profiles' bytes must outlive the result. On false *error tells why, of profile *which. node_limit 0:
 * that of the files' size. */
bool hcct_merge_build(struct hcct_merge *merge, const struct hcct_profile *profiles, uint32_t profile_count,
                      bool force, uint32_t node_limit, uint32_t *which, struct hcct_decode_error *error);
void hcct_merge_free(struct hcct_merge *merge);

#endif
