/* The counts of contexts in the single profiles that are added up, or in groups of neighbours. A strip is one
 * number for each group, in the order in which the profiles were added. A page shows it as cells, so that
 * imbalance is seen.
 *
 * The groups (bins) are the same for all contexts. Up to HCCT_STRIP_BINS profiles have a bin each. Of more,
 * neighbours that have at most `width` profiles together become one bin, and `width` is doubled until there
 * are few enough. A sum has the bins of its parts one behind the other.
 *
 * Invariants
 *   1. a value is HCCT_STRIP_UNKNOWN, or the sum of upper bounds over the profiles of its bin: of each its
 *      count, or its floor where it lacks the context. So it is exact where these profiles are;
 *   2. `rest` has, of each bin, the value of every context without a strip, or HCCT_STRIP_UNKNOWN where they
 *      differ. So strips may be dropped at any time, and a context that comes again gets no invented value;
 *   3. the bins stand in the order of the profiles. How profiles were grouped into sums matters only to the
 *      bins' limits, if there are more than HCCT_STRIP_BINS profiles; and to which values are not known, if
 *      a part had more than HCCT_STRIP_WRITTEN contexts, or a sum more than HCCT_STRIP_HELD.
 * Memory: 4 bytes a context, and 5 MB at the most for the strips. A profile costs time in proportion to its
 * entries; one with a floor, also to the strips. */
#ifndef HCCT_DECODER_COMBINE_STRIP_H
#define HCCT_DECODER_COMBINE_STRIP_H

#include <stdbool.h>
#include <stdint.h>

#include "decoder/combine/tally.h"
#include "decoder/profile/profile.h"
#include "decoder/profile/sum.h"

#define HCCT_STRIP_HELD 4096 /* no more are there after a profile */

struct hcct_strip_row {
    uint32_t context;
    uint32_t last; /* the number of the last part that counted it */
    uint64_t values[HCCT_STRIP_BINS];
};

/* What is added: a profile has one bin, a sum the section of its file (struct layout.h). */
struct hcct_strip_part {
    uint32_t bin_count;
    const uint64_t *sizes; /* in profiles */
    const uint64_t *rows;  /* each an entry and its values; ascending */
    uint32_t row_count;
    const uint64_t *rest;
};

struct hcct_strip {
    uint32_t *row_of; /* by context: the row's number from 1; 0: none */
    uint32_t context_count, context_capacity;
    struct hcct_strip_row *rows;
    uint32_t row_count, row_capacity;
    /* What is behind bin_count is 0 here, and in all rows. */
    uint64_t sizes[HCCT_STRIP_BINS], rest[HCCT_STRIP_BINS];
    uint32_t bin_count;
    uint64_t width;                  /* profiles; neighbours that have no more together are one bin */
    uint32_t number;                 /* of the current part, from 1 */
    struct hcct_strip_part part;     /* the current one */
    uint32_t place[HCCT_STRIP_BINS]; /* of its bins among ours */
    bool has_dropped;                /* a context of it got no strip */
};

/* A part is a sum of so many profiles, or one profile with that floor. If a sum has no strips, nothing is
 * known. The two numbers stay until hcct_strip_end. */
struct hcct_strip_part hcct_strip_sum(const struct hcct_profile *profile, const uint64_t *profiles);
struct hcct_strip_part hcct_strip_single(const uint64_t *floor);
/* Begins a part. */
void hcct_strip_next(struct hcct_strip *strip, const struct hcct_strip_part *part);
/* Adds the entry of that index of the current part, which is a sum. False when memory is out. */
bool hcct_strip_add_entry(struct hcct_strip *strip, uint32_t context, uint32_t index);
/* Adds what the current part, a profile, counted. If the context has no strip, it gets one if `may_begin`. */
bool hcct_strip_add_count(struct hcct_strip *strip, uint32_t context, uint64_t count, bool may_begin);
/* Nothing is known of this context any more. */
void hcct_strip_forget(struct hcct_strip *strip, uint32_t context);
/* Ends the current part. */
bool hcct_strip_end(struct hcct_strip *strip);
/* Keeps order[0] to order[kept_count - 1], which get the numbers 0 to kept_count - 1. */
bool hcct_strip_cut(struct hcct_strip *strip, const uint32_t *order, uint32_t kept_count);
/* `tally` has the counts of all parts, and its floor is 0: so the values of a context add up to its count,
 * and one that alone is not known is what the others leave. */
void hcct_strip_complete(struct hcct_strip *strip, const struct hcct_tally *tally);
/* The values of a context, bin_count of them. NULL: it has no strip. */
const uint64_t *hcct_strip_values(const struct hcct_strip *strip, uint32_t context);
/* The section's words, *count of them, from malloc; of at most HCCT_STRIP_WRITTEN strips, the others are
 * dropped. Sorts the rows. NULL when memory is out. */
uint64_t *hcct_strip_make(struct hcct_strip *strip, uint32_t *count);
void hcct_strip_free(struct hcct_strip *strip);

#endif
