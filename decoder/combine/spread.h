/* How the profiles that are added up differ: of each context the smallest and the largest of its counts in
 * the single profiles, which profiles have these, and how many do not have the context.
 *
 * A profile knows a count within bounds: from count - error to count where it has the context, from 0 to its
 * floor where it lacks it. So both extremes have bounds (struct hcct_file_spread). A profile that is a sum
 * itself stands for those that it was made of. The profile named at the least count is the first one that
 * lacks the context, else the first one of the smallest upper bounds; at the largest count, the first one of
 * the largest upper bounds that have it.
 *
 * Invariants, for every context and its true counts in the single profiles
 *   1. least_low <= their smallest <= least_high, and most_low <= their largest <= most_high;
 *   2. where all profiles are exact, all four are exact, and adding sums in the same order gives the same;
 *   3. present + absent is the number of profiles. A context that a cut left out counts as absent before it.
 * Cost: a profile costs time in proportion to its entries. Memory: 80 bytes a context, the names that
 * contexts need, and what strip.h says. */
#ifndef HCCT_DECODER_COMBINE_SPREAD_H
#define HCCT_DECODER_COMBINE_SPREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "decoder/combine/strip.h"
#include "decoder/combine/table.h"
#include "decoder/profile/profile.h"

struct hcct_spread_item {
    struct hcct_file_spread value; /* sources are numbers of names */
    uint64_t count, error;         /* added by the current profile; of a sum: 0 */
    uint32_t last;                 /* the number of the last profile that counted it; 0: none */
};

/* A profile that is added. */
struct hcct_spread_source {
    const char *name;
    uint64_t floor;
    /* of a sum: what the file has for each entry (NULL: nothing), the element behind the last one, and the
     * file's strings */
    const struct hcct_file_spread *values, *rest;
    const char *strings;
    const struct hcct_profile *profile; /* the sum; else NULL */
    uint64_t profiles;                  /* in the sum */
};

struct hcct_spread {
    struct hcct_spread_item *items; /* by context; zeroed where nothing was added */
    uint32_t count, capacity;
    struct hcct_spread_source source; /* the current profile */
    uint32_t number;                  /* its number, from 1 */
    struct hcct_file_spread lacking;  /* of a context that no profile before the current one has */
    uint64_t floor;                   /* the largest that a profile so far had */
    uint32_t *own;                    /* the contexts that the current profile has */
    uint32_t own_count, own_capacity;
    uint32_t *in_all; /* the contexts that every profile had up to the one before */
    uint32_t in_all_count;
    char **names; /* each once; number 0 is "" */
    uint32_t name_count, name_capacity;
    struct hcct_table name_table;
    bool keeps_names; /* the number of a name stays the same */
    bool has_no_strips;
    struct hcct_strip strip;
};

/* A profile whose name is NULL is called after its host. */
struct hcct_spread_source hcct_spread_source(const struct hcct_profile *profile);
/* What is added from here on is of that profile; its pointers are used until the next one. False when memory
 * is out. A zeroed struct has no profiles. */
bool hcct_spread_next(struct hcct_spread *spread, const struct hcct_spread_source *source);
/* Adds an entry of the current profile: the one of that index in `values`, if that is a sum. */
bool hcct_spread_add(struct hcct_spread *spread, uint32_t context, const struct hcct_file_entry *entry,
                     uint32_t index);
/* Of a context some profile may have counted more than it tells, and nobody knows which: then it is not known
 * which profiles have the smallest and the largest count, and how many have any. */
static inline bool hcct_spread_is_blurred(const struct hcct_file_spread *value)
{
    return value->present && !value->most_source;
}
void hcct_spread_widen(struct hcct_spread *spread, uint32_t context, uint64_t count);
/* As if there had been no profile so far. What is added from here on goes to contexts of larger numbers than
 * before. */
void hcct_spread_restart(struct hcct_spread *spread);
/* Ends the current profile. Must be called before the values are read; more may be added then. */
bool hcct_spread_end(struct hcct_spread *spread);
/* The value of a context, or of one that no profile has; its sources are indices of `names`. */
struct hcct_file_spread hcct_spread_value(const struct hcct_spread *spread, uint32_t context);
/* Keeps order[0] to order[kept_count - 1], which get the numbers 0 to kept_count - 1; no other one has more
 * than `floor` in all profiles together. After hcct_spread_end. */
bool hcct_spread_cut(struct hcct_spread *spread, const uint32_t *order, uint32_t kept_count, uint64_t floor);
/* The number of profiles. */
static inline uint32_t hcct_spread_profiles(const struct hcct_spread *spread)
{
    return spread->lacking.absent;
}
void hcct_spread_free(struct hcct_spread *spread);

#endif
