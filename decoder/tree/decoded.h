/* A profile, decoded: the tree of one of its columns, and what is said of the whole. Several profiles are
 * added up before (store/pool.h, builds.h). */
#ifndef HCCT_DECODER_TREE_DECODED_H
#define HCCT_DECODER_TREE_DECODED_H

#include "decoder/claim/ground.h"
#include "decoder/store/choice.h"
#include "decoder/store/profile.h"
#include "decoder/tree/objects.h"
#include "decoder/tree/spread.h"
#include "decoder/tree/tree.h"
#include "format/error.h"

struct hcct_phase_total {
    const char *name;
    uint64_t calls;
};

/* A value of a heap, or what was live at a point of its curve. */
struct hcct_value_total {
    bool is_known;
    uint64_t total, rest; /* of all contexts together; the part of it in contexts that were not kept */
};

struct hcct_summary {
    struct hcct_ground ground; /* what the counts claim */
    const char *program;
    const char *command;                              /* with its arguments; empty if the profiles' differ */
    const char *host;                                 /* the same */
    uint32_t pid;                                     /* 0: of several processes */
    uint64_t start, end;                              /* as of struct hcct_file_run */
    uint32_t profile_count;                           /* that were added up */
    struct hcct_value_total values[HCCT_TREE_VALUES]; /* as the tree's */
    uint64_t mapped;                                  /* HCCT_COLUMN_MAPPED; 0: no such column */
    uint64_t mean_life, sizes[HCCT_HEAP_SIZES];       /* HCCT_COLUMN_LIFE, HCCT_COLUMN_SIZES */
    bool folded;                                      /* recursion is folded */
    bool has_threads;                                 /* threads were told apart */
    bool has_new;                                     /* with known=: what is new */
    uint64_t known, found, unnoted;                   /* enum hcct_file_note_kind */
    bool only_new;                                    /* the tree has new contexts only */
    uint64_t in_tree;                                 /* what its contexts have in all */
    double phi;                                       /* the largest of the profiles */
    bool several_builds;                              /* matched by function and line */
    uint64_t build_id;                                /* 0: the profiles' numberings differ */
    uint64_t memory_bytes;                            /* of the profiler, in the run that had the most */
    uint64_t context_count;                           /* monitored ones, by site */
    /* Not in the tree, in calls. */
    uint64_t dropped_memory, dropped_chain, dropped_interrupted;
    bool has_object_limit; /* one of them has HCCT_OBJECT_LIMIT objects: there may have been more */
    /* The part of dropped_chain that belongs to contexts below phi. They need no chain, so nothing is
     * lost. */
    uint64_t cold_chain;
    /* The part of dropped_chain that the file has contexts for, and the largest of these. */
    uint64_t chainless, most_chainless;
    uint64_t undecodable; /* of contexts whose word has no meaning */
    uint64_t unaccounted; /* mode=cct: calls minus the sum of all counts */
    /* In the tree: calls under [unknown], and pushes past the limit of the context stack. */
    uint64_t stale, overflowed;
    uint64_t lost_count; /* pushes that could not be decoded */
    /* The phases that the programs named, in the order of the columns. */
    struct hcct_phase_total phases[HCCT_PHASES + 2];
    uint32_t phase_count;

    const struct hcct_file_curve *curve; /* of one run with metric=heap; else NULL */
    uint32_t curve_count, detail_count;  /* points; detailed points */
};

/* Whether nothing is missing or misplaced. */
static inline bool hcct_summary_is_sound(const struct hcct_summary *it)
{
    return !it->dropped_memory && it->dropped_chain <= it->cold_chain && !it->dropped_interrupted &&
           !it->undecodable && !it->unaccounted && !it->stale && !it->overflowed && !it->lost_count &&
           !it->ground.estimate.untimed && it->ground.sure != HCCT_SURE_NOTHING;
}

/* The detailed point of the curve with that number, from 0; it must exist. (hcct_file_curve.detail counts
 * from 1.) */
const struct hcct_file_curve *hcct_summary_point(const struct hcct_summary *summary, uint32_t detail);

struct hcct_decoded {
    struct hcct_objects objects; /* where numberings differ */
    struct hcct_frames frames;
    struct hcct_tree tree; /* by site */
    struct hcct_summary summary;
    struct hcct_spread *spread; /* by node of `tree`; NULL: one profile, or it is not told */
    uint64_t file_bytes;        /* of all profiles */
};

/* The profile must outlive the result. On false *error tells why, and nothing has to be closed. node_limit:
 * see hcct_tree_limit. */
bool hcct_decoded_open(struct hcct_decoded *decoded, const struct hcct_profile *profile,
                       const struct hcct_choice *choice, uint32_t node_limit, struct hcct_error *error);
void hcct_decoded_close(struct hcct_decoded *decoded);

#endif
