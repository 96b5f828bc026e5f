/* How the counts of one context differ between the profiles that were added up, or between threads: its
 * smallest and its largest count, each within bounds, which profile or thread has these, and how many have
 * the context and how many lack it. */
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

/* Whether it is not known which profile has the largest count: any may have counted more calls of the context
 * than it tells. Then the smallest count and the number of profiles that have the context are not sure,
 * either. */
static inline bool hcct_spread_is_blurred(const struct hcct_spread *spread)
{
    return spread->present && !*spread->most_at;
}

#endif
