/* One tree and one summary from the profiles of one run or several.
 *
 * Counts are added up by tally.h, what profiles say of their runs by run.h. An entry without its chain (its
 * prefix is NONE) takes the chain that another profile of the build has for the same word. Profiles of one
 * executable that loaded different objects meet by call site in the objects that are the same (objects.h).
 * Those of different programs (`force`) meet by function and line. */
#ifndef HCCT_DECODER_TREE_MERGE_H
#define HCCT_DECODER_TREE_MERGE_H

#include "decoder/combine/records.h"
#include "decoder/combine/spread.h"
#include "decoder/profile/profile.h"
#include "decoder/tree/tree.h"
#include "format/error.h"

struct hcct_phase_total {
    const char *name;
    uint64_t calls;
};

struct hcct_summary {
    const char *program;
    const char *command;          /* with its arguments; empty if the files' differ */
    const char *host;             /* the same */
    uint32_t pid;                 /* 0: of several processes */
    struct hcct_file_times times; /* start 0: not known */
    uint32_t file_count;
    uint32_t
        profile_count; /* as file_count, but a file that is a sum counts as the profiles it was made of */
    uint32_t mode, algorithm, guarantee, metric; /* the weakest of the files */
    const char *unit;                            /* "calls", what metric=weight counts, or "ns" */
    int heap_value;                              /* metric=heap: enum hcct_heap_value */
    bool heap_sampled;                           /* heap_sample: values of one of the files are estimates */
    double heap_variance;                        /* and of `calls` */
    uint64_t heap_period;                        /* theirs; 0: they differ, or none was sampled */
    struct hcct_file_heap heap;                  /* metric=heap: of all contexts together */
    struct hcct_file_heap heap_rest;             /* the part of it in contexts that were not kept */
    bool folded;                                 /* recursion is folded */
    bool has_threads;                            /* threads were told apart */
    bool has_new;                                /* with known=, if there is one file: */
    struct hcct_file_new new_numbers;            /* what is new in it */
    bool only_new;                               /* the tree has new contexts only */
    bool inferred;                               /* one of the files is inferred from stack heights */
    double phi, epsilon;                         /* the largest of the files */
    double delta;        /* the probability that the bound of any hot context fails; the sum of the files' */
    bool several_builds; /* matched by function and line */
    uint64_t build_id;   /* 0: the files' numberings differ */
    uint64_t memory_bytes; /* of the profiler, in the run that had the most */
    uint64_t calls;
    /* it, or the sum that it is a part of, has stopped at 2^64 - 1: what came after that is missing */
#define HCCT_CAPPED "the run's sum has reached 2^64 - 1, and what came after that is missing"
    bool is_capped;
    /* a context that is not in the tree has at most this count; the sum of the files' */
    uint64_t floor;
    uint64_t context_count; /* monitored ones, by site */
    /* Not in the tree, in calls. */
    uint64_t dropped_memory, dropped_chain, dropped_interrupted;
    bool has_object_limit; /* one of the files has HCCT_OBJECT_LIMIT objects: there may have been more */
    /* The part of dropped_chain that belongs to contexts below phi. They need no chain, so nothing is
     * lost. */
    uint64_t cold_chain;
    uint64_t undecodable; /* of entries whose word has no meaning */
    uint64_t unaccounted; /* mode=cct: calls minus the sum of all counts */
    /* In the tree: calls under [unknown], and pushes past the limit of the context stack. */
    uint64_t stale, overflowed;
    uint64_t lost_count; /* pushes that could not be decoded */
    /* The phases that the programs named, in the order in which files tell them; at most so many. */
    struct hcct_phase_total phases[HCCT_PHASES + 2];
    uint32_t phase_count;
    const char *phase; /* the one that all this is about; NULL: whole runs */
    bool is_estimate;  /* one of the files counted in bursts or samples: */
    struct hcct_file_bursts bursts;

    const struct hcct_file_curve *curve; /* of one run with metric=heap; else NULL */
    uint32_t curve_count, detail_count;  /* elements; detailed points */
    /* What was live at each of these, in contexts that were not kept. */
    uint64_t detail_rest[HCCT_FILE_CURVE_DETAILS];
};

/* Whether nothing is missing or misplaced. */
static inline bool hcct_summary_is_sound(const struct hcct_summary *it)
{
    return !it->dropped_memory && it->dropped_chain <= it->cold_chain && !it->dropped_interrupted &&
           !it->undecodable && !it->unaccounted && !it->stale && !it->overflowed && !it->lost_count &&
           !it->bursts.untimed && !it->is_capped;
}

/* Whether counts are estimates from samples or bursts: then the true ones are within their errors but for
 * chance. What alone is chance in an algorithm's bounds, delta tells. */
static inline bool hcct_summary_is_sampled(const struct hcct_summary *it)
{
    return it->is_estimate || it->heap_sampled || hcct_metric_is_sampled(it->metric) ||
           (it->guarantee == HCCT_GUARANTEE_PROBABILISTIC && !(it->delta > 0));
}

/* Of the curve: detailed point number `detail`, in the order of time. */
const struct hcct_file_curve *hcct_summary_point(const struct hcct_summary *summary, uint32_t detail);

struct hcct_merge {
    struct hcct_objects objects; /* of all profiles, where numberings differ */
    struct hcct_frames frames;
    struct hcct_tree tree; /* by site */
    struct hcct_summary summary;
    struct hcct_spread spread; /* by node of `tree`; of one profile: nothing */
    uint64_t file_bytes;       /* of all profiles */
    /* of each build of which there are several profiles */
    struct hcct_records *records;
    uint32_t records_count;
};

/* The profiles must outlive the result. On false *error tells why, and *which is the profile that it is
 * about. node_limit: see hcct_tree_limit. */
bool hcct_merge_build(struct hcct_merge *merge, const struct hcct_profile *profiles, uint32_t profile_count,
                      bool force, uint32_t node_limit, uint32_t *which, struct hcct_error *error);
void hcct_merge_free(struct hcct_merge *merge);

#endif
