/* How much each context's share of the calls differs from burst to burst (docs/metrics.md, "How sure").
 *
 * x is a context's calls in a burst, y all calls of the burst. The share p = sum x / sum y is a ratio
 * estimate, with the variance sum (x - p y)^2 / (sum y)^2. The trials of a context are the number of
 * independent calls that would know p as well: p (1 - p) / variance.
 *
 * Invariants
 *   1. an entry is a context in one thread, as two threads' bursts overlap. A context's sums are those of all
 *      its entries, which stand in one run of ENTRIES_NEAR places;
 *   2. a context has an entry from its first counted call on, or never gets one;
 *   3. `now` is what the thread's burst has counted so far. It is 0 for entries that are not in the thread's
 *      list.
 * Everything under the table lock. Memory: only touched pages. */
#ifndef HCCT_RUNTIME_METER_SAMPLED_VARIANCE_H
#define HCCT_RUNTIME_METER_SAMPLED_VARIANCE_H

#include <stdint.h>

#include "runtime/core/block.h"

/* The entries that a thread's burst has counted in: the first link, 0 if there are none. */
struct hcct_variance_list {
    uint32_t first;
};

/* Adds calls, with their weight, to the burst of the thread whose outermost block is `thread`. */
void hcct_variance_add(const struct hcct_block *thread, struct hcct_variance_list *list, uint64_t key,
                       uint64_t calls);
/* The thread's burst has ended, with `calls` in all; 0: it is to be left out. */
void hcct_variance_end_burst(struct hcct_variance_list *list, uint64_t calls);
/* The trials of a context, rounded down; 0: not known. `calls`, `squares` and `bursts`: sum y, sum y^2 and
 * their number, of all bursts that have ended. If calls outside of bursts were counted, too, they are in
 * `calls`, and `count` is the context's part of `calls`; 0: all are of bursts. Calls outside of bursts are no
 * estimate, so they add nothing to the variance. */
uint32_t hcct_variance_trials(uint64_t key, uint64_t count, uint64_t calls, unsigned __int128 squares,
                              uint64_t bursts);
/* All lists must be empty. */
void hcct_variance_reset(void);

#endif
