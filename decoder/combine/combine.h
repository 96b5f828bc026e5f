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
#ifndef HCCT_DECODER_COMBINE_COMBINE_H
#define HCCT_DECODER_COMBINE_COMBINE_H

#include "decoder/combine/heap_sum.h"
#include "decoder/combine/members.h"
#include "decoder/combine/phase_sums.h"
#include "decoder/combine/records.h"
#include "decoder/combine/spread.h"
#include "decoder/combine/table.h"
#include "decoder/combine/tally.h"
#include "decoder/combine/threads.h"
#include "decoder/profile/pack.h"
#include "decoder/profile/profile.h"
#include "format/error.h"

/* So that a cut is paid by 3 * capacity newcomers. */
#define HCCT_COMBINE_KEPT_FACTOR 4

struct hcct_combine_context {
    uint64_t word;
    uint32_t prefix; /* in `prefixes`, or HCCT_FILE_NONE */
    /* Of estimates from bursts: the profiles that told trials of the context, and the sum of N^2 / trials
     * over them. That is the variance of the summed count, but for a factor that all have. */
    uint32_t told_count;
    double told_variance;
};

struct hcct_combine {
    uint32_t profile_count;
    bool is_estimate; /* of one of them, from `bursts` */
    struct hcct_file_bursts bursts;
    struct hcct_file_run run; /* the sum; floor, capacity and dropped_chain when it is written */
    struct hcct_file_times times;
    struct hcct_threads threads;
    struct hcct_records records; /* the functions and sites of all */
    struct hcct_combine_context *contexts;
    struct hcct_tally tally;   /* by context */
    struct hcct_spread spread; /* by context */
    bool is_heap;              /* of metric=heap: */
    struct hcct_heap_sum heap;
    struct hcct_phase_sums phases;
    struct hcct_table context_table;
    struct hcct_table word_table; /* the first context of each word; */
    bool has_words;               /* from the first context without a chain on */
    uint32_t context_count, context_capacity;
    struct hcct_file_prefix *prefixes;
    struct hcct_table prefix_table;
    uint32_t prefix_count, prefix_capacity;
    struct hcct_combine_context *pins; /* as hcct_file_pin, each once */
    struct hcct_table pin_table;
    uint32_t pin_count, pin_capacity;
    uint32_t capacity;                  /* 0: every profile so far was exact */
    const struct hcct_members *members; /* that the result names; not its own; or NULL */
    bool leaves_spread;                 /* the result says nothing of the single profiles */
};

/* Adds a profile, which may be closed afterwards. A zeroed struct is the sum of none. On false *error tells
 * why, and hcct_combine_free is all that is left to do. */
bool hcct_combine_add(struct hcct_combine *combine, const struct hcct_profile *profile,
                      struct hcct_error *error);
/* The file, from malloc; NULL when memory is out. At least one profile was added. */
unsigned char *hcct_combine_write(struct hcct_combine *combine, size_t *length);
/* The same into an empty file that can seek, without memory for its bytes. False, and errno tells why. */
bool hcct_combine_write_into(struct hcct_combine *combine, int file);
/* The same, of a sum whose contexts stand elsewhere: what `outside` has takes the place of prefixes, entries,
 * spread, pins and strips. `combine` got profiles without these. */
struct hcct_combine_outside {
    struct hcct_pack_source sources[3]; /* of the prefixes, entries and spread, with their counts */
    const struct hcct_file_pin *pins;
    uint32_t pin_count;
    const uint64_t *strip_words;
    uint32_t strip_word_count;
};
bool hcct_combine_write_outside(struct hcct_combine *combine, const struct hcct_combine_outside *outside,
                                int file);
/* Puts the name of one of the spread's profiles among the strings, and returns where: `known` has where those
 * are that came before, else HCCT_FILE_NONE. */
uint32_t hcct_combine_place_name(struct hcct_combine *combine, uint32_t *known, uint32_t name);
void hcct_combine_free(struct hcct_combine *combine);

#endif
