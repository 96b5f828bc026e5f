/* The streaming algorithms that mode=hcct can mine hot contexts by, HCCT_OPTIONS=algorithm=NAME: each is a
 * table of functions with the meaning that summary.h gives to those of Space Saving, which is one of them. A
 * new one is a file with such a table, a line in algorithm.c, and a number and a name in the file format
 * (hcct/format.h, decoder/report/export.c).
 *
 * Each completes struct hcct_summary as it needs, and promises, for every key with true weight w, N the sum
 * of all weights
 *   1. a monitored key has count - error <= w <= count, and error <= floor;
 *   2. a key that is not monitored has w <= floor;
 *   3. floor never falls, and is 0 while it is certain that no key was left out or let go;
 *   4. floor <= N / capacity, `capacity` being 1 / epsilon or more, unless it took all the memory that it may
 *      take (algorithms whose memory is not bounded by themselves: then floor is what it is, and `crowded` is
 *      not 0);
 * but a probabilistic one promises w <= count and w <= floor with a probability: 1 - phi * delta for a key
 * given beforehand, so 1 - delta for all with w >= phi * N together. What an algorithm lets go beside the one
 * victim of `add` it releases itself (hcct_prefix_release, prefix.h).
 * Memory: `bytes` at the very most, all of it mapped at the start, of which the system gives what is
 * touched. */
#ifndef HCCT_RUNTIME_STREAM_ALGORITHM_H
#define HCCT_RUNTIME_STREAM_ALGORITHM_H

#include "runtime/base/real.h"
#include "runtime/stream/space_saving.h"

/* What is asked of an algorithm. */
struct hcct_demand {
    uint32_t capacity;   /* >= 1 / epsilon; at least 1 */
    union hcct_real phi; /* for the probabilistic ones */
};

struct hcct_algorithm {
    const char *name;
    uint32_t number;    /* enum hcct_file_algorithm */
    uint32_t guarantee; /* enum hcct_file_guarantee */
    uint32_t delta;     /* of a probabilistic one, in 1/HCCT_DELTA_ONE; else 0 */
    /* As those of summary.h with such names. */
    size_t (*bytes)(uint32_t capacity);
    struct hcct_summary *(*init)(void *memory, const struct hcct_demand *demand);
    uint32_t (*add)(struct hcct_summary *summary, uint64_t key, uint64_t weight, hcct_node node,
                    hcct_node *evicted, hcct_node *unused);
    void (*add_ones)(struct hcct_summary *summary, const uint64_t *keys, uint32_t count,
                     const struct hcct_visitor *visitor);
    /* NULL: hcct_summary_find (summary_layout.h) is for another structure. */
    void (*add_found)(struct hcct_summary *summary, const uint64_t *keys, const uint32_t *places,
                      uint32_t count, const struct hcct_visitor *visitor);
    struct hcct_entry (*entry)(const struct hcct_summary *summary, uint32_t place);
    void (*set_node)(struct hcct_summary *summary, uint32_t place, hcct_node node);
    uint32_t (*places)(
        const struct hcct_summary *summary); /* that `entry` may be asked for; behind `size` no entries */
    uint32_t (*size)(const struct hcct_summary *summary);
    uint64_t (*total)(const struct hcct_summary *summary);
    uint64_t (*floor)(const struct hcct_summary *summary);
    /* The weight of what was let go only because the memory was full; NULL: none ever is. */
    uint64_t (*crowded)(const struct hcct_summary *summary);
    void (*clear)(struct hcct_summary *summary);
    bool (*check)(const struct hcct_summary *summary);
};

extern const struct hcct_algorithm hcct_space_saving, hcct_space_saving_bucket, hcct_lossy_counting,
    hcct_sticky_sampling, hcct_frequent_items;

/* All of them, the default first; ends with NULL. */
extern const struct hcct_algorithm *const hcct_algorithms[];
/* NULL: there is none of that name. */
const struct hcct_algorithm *hcct_algorithm_find(const char *name);

/* `add_ones` by `add`, for those that can do no better. */
#define HCCT_ADD_EACH(function)                                                                              \
    static void function(struct hcct_summary *summary, const uint64_t *keys, uint32_t count,                 \
                         const struct hcct_visitor *visitor)                                                 \
    {                                                                                                        \
        for (uint32_t i = 0; i < count; i++) {                                                               \
            hcct_node evicted, unused;                                                                       \
            uint32_t place = add(summary, keys[i], 1, 0, &evicted, &unused);                                 \
            if (place != HCCT_NO_PLACE)                                                                      \
                visitor->visit(visitor->context, keys[i], place, evicted);                                   \
        }                                                                                                    \
    }

#endif
