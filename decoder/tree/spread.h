/* How the profiles that were added up, or threads, differ: of a context the smallest and the largest of its
 * counts in the single ones, each within bounds, which ones have these, and how many have the context or lack
 * it. */
#ifndef HCCT_DECODER_TREE_SPREAD_H
#define HCCT_DECODER_TREE_SPREAD_H

#include <stdbool.h>
#include <stdint.h>

struct hcct_spread {
    uint64_t least_low, least_high; /* the bounds of its smallest count */
    uint64_t most_low, most_high;   /* the bounds of its largest count */
    const char *least_at, *most_at; /* which one has it; empty: not known */
    uint32_t present, absent;       /* that are known to have counted it; all others */
};

/* Of a context some profile may have counted more than it tells, and nobody knows which: then it is not known
 * which ones have the smallest and the largest count, and how many have any. */
static inline bool hcct_spread_is_blurred(const struct hcct_spread *spread)
{
    return spread->present && !*spread->most_at;
}

#endif
