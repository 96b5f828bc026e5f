/* The streaming algorithms of hcct-lab replay, that of the runtime among them. An algorithm is a table of
 * functions, with the meaning that space_saving.h gives to those of Space Saving. A new one is a file with
 * such a table, a line in algorithm.c, and a line in format/names.def.
 *
 * Each algorithm defines its own struct hcct_summary. For every key with true weight w, where N is the sum
 * of all weights, it promises
 *   1. a monitored key has count - error <= w <= count, and error <= floor;
 *   2. a key that is not monitored has w <= floor;
 *   3. floor never falls. It is 0 as long as no key was left out or let go;
 *   4. floor <= N / capacity, where capacity >= 1 / epsilon.
 * A probabilistic algorithm promises w <= count and w <= floor with probability 1 - phi * delta for a given
 * key, so with 1 - delta for all keys with w >= phi * N together. The algorithm itself releases the nodes of
 * counters that it lets go (hcct_prefix_release), except for the one victim of `add`.
 * Memory: an algorithm takes what it needs. If there is none, it ends the process: this is a laboratory. */
#ifndef HCCT_LAB_STREAM_ALGORITHM_H
#define HCCT_LAB_STREAM_ALGORITHM_H

#include "runtime/stream/space_saving.h"

/* What the options ask of an algorithm. */
struct hcct_demand {
    uint32_t capacity; /* >= 1 / epsilon; at least 1 */
    double phi;        /* for the probabilistic ones */
};

struct hcct_algorithm {
    uint32_t number;    /* enum hcct_file_algorithm */
    uint32_t guarantee; /* enum hcct_file_guarantee */
    uint32_t delta;     /* of a probabilistic one, in 1/HCCT_DELTA_ONE; else 0 */
    /* As the functions hcct_space_saving_* of space_saving.h. */
    struct hcct_summary *(*open)(const struct hcct_demand *demand);
    void (*close)(struct hcct_summary *summary);
    size_t (*bytes)(const struct hcct_summary *summary); /* that it holds */
    uint32_t (*add)(struct hcct_summary *summary, uint64_t key, uint64_t weight, hcct_node node,
                    hcct_node *evicted, hcct_node *unused);
    struct hcct_entry (*entry)(const struct hcct_summary *summary, uint32_t place);
    uint32_t (*size)(const struct hcct_summary *summary); /* places 0 .. size - 1 have an entry */
    uint64_t (*total)(const struct hcct_summary *summary);
    uint64_t (*floor)(const struct hcct_summary *summary);
    bool (*check)(const struct hcct_summary *summary);
};

extern const struct hcct_algorithm hcct_space_saving, hcct_space_saving_bucket, hcct_space_saving_lazy,
    hcct_lossy_counting, hcct_sticky_sampling, hcct_frequent_items;

/* Zeroed memory for a summary, which begins at a multiple of 64. */
void *hcct_summary_memory(size_t bytes);

/* All algorithms, the default first; ends with NULL. */
extern const struct hcct_algorithm *const hcct_algorithms[];
/* NULL: that number (enum hcct_file_algorithm) is none of these. */
const struct hcct_algorithm *hcct_algorithm_of(uint32_t number);

#endif
