/* What the summary of summary.c consists of, for the two files that look into it. */
#ifndef HCCT_RUNTIME_STREAM_SPACE_SAVING_LAYOUT_H
#define HCCT_RUNTIME_STREAM_SPACE_SAVING_LAYOUT_H

#include "hcct/live.h"
#include "runtime/base/key_hash.h"
#include "runtime/stream/space_saving.h"

enum {
    DIGIT_BITS = 6, /* one word has a bit for each list of a level */
    DIGITS = 1 << DIGIT_BITS,
    LEVELS = (64 + DIGIT_BITS - 1) / DIGIT_BITS,
    FIRST_BUCKETS_LOG2 = 12,
    LIFT_PRICE = 2,          /* the floor rises by 1 for each 2 k that the filter took */
    MANY_COUNTERS = 1 << 18, /* from there on, fewer buckets per counter: memory is bounded */
    ALIGNMENT = 64
};

/* The keys of one hash. Half of what a newcomer to a full summary needs, the other half are the fields of the
 * summary. */
struct bucket {
    /* the link of its first counter, with that key's tag above it and MORE if it is not the only one */
    uint32_t first;
    /* of the weight of each key that is not monitored. Before the first eviction, when that is 0: 0 too, or
     * the mark of the first counter's key, which has a node then */
    uint32_t bound;
};
#define LINK_BITS 21
#define LINK_MASK ((UINT32_C(1) << LINK_BITS) - 1)
#define MORE (UINT32_C(1) << 31)
#define TAG_MASK (MORE - 1 - LINK_MASK) /* as it stands in the product */

/* Half a cache line: a hit touches this and a bucket only. The queue's links are not in it: following a
 * list through a dense array, and the counts out of order behind it, made spreading a quarter cheaper. */
struct counter {
    uint64_t key; /* 0: never used */
    uint64_t count;
    uint64_t error;
    uint32_t next_in_bucket;
    hcct_node node;
};
_Static_assert(sizeof(struct counter) == 32, "two counters to a cache line");

/* Begins as struct hcct_live_summary. */
struct hcct_summary {
    uint64_t total;
    uint64_t floor; /* no key that is not monitored weighs more; >= minimum */
    uint64_t undo_total;
    uint64_t undo_count;
    uint32_t undo_place;
    uint32_t capacity;
    uint64_t counters_offset;
    uint64_t minimum;  /* what the queue is filed against: the least count, when it was last looked for */
    uint64_t absorbed; /* by the filter, and not spent on the floor yet */
    uint32_t limit;    /* of bounds: the floor, or 0 beyond what fits there; 0 until something was evicted */
    struct counter *counters; /* [capacity] */
    uint32_t *next_in_list;   /* [capacity] */
    struct bucket *buckets;   /* [bucket_count] */
    uint32_t bucket_count;
    uint32_t size;
    /* of a key's product: the bucket's index begins there. 2^(64 - shift) buckets are in use */
    uint32_t shift;
    bool filed;                   /* the queue is in use: from the first eviction on */
    uint32_t used_levels;         /* bit l: used_digits[l] != 0 */
    uint64_t used_digits[LEVELS]; /* bit d: lists[l][d] != 0 */
    uint32_t lists[LEVELS][DIGITS];
};

#define SAME_OFFSET(field)                                                                                   \
    _Static_assert(offsetof(struct hcct_summary, field) == offsetof(struct hcct_live_summary, field),        \
                   "the layout of hcct/live.h")
SAME_OFFSET(total);
SAME_OFFSET(floor);
SAME_OFFSET(undo_total);
SAME_OFFSET(undo_count);
SAME_OFFSET(undo_place);
SAME_OFFSET(capacity);
SAME_OFFSET(counters_offset);
_Static_assert(offsetof(struct counter, key) == offsetof(struct hcct_live_counter, key) &&
                   offsetof(struct counter, count) == offsetof(struct hcct_live_counter, count) &&
                   offsetof(struct counter, error) == offsetof(struct hcct_live_counter, error) &&
                   offsetof(struct counter, node) == offsetof(struct hcct_live_counter, node),
               "the layout of hcct/live.h");

/* What hcct_summary_find reads without the lock changes by this: an entry is whole when a link leads to
 * it. */
#define set_link(field, value) __atomic_store_n(field, value, __ATOMIC_RELEASE)
#define read_link(field) __atomic_load_n(field, __ATOMIC_ACQUIRE)

/* --- the index --------------------------------------------------------------------------------- */

static inline struct bucket *bucket_of(const struct hcct_summary *summary, uint64_t product)
{
    return &summary->buckets[product >> __atomic_load_n(&summary->shift, __ATOMIC_RELAXED)];
}

static inline uint32_t mark_of(uint64_t product)
{
    return (uint32_t)(product >> 14) | 1;
}

/* Where `key` was monitored, with a node, as far as one look at the index tells: hardly ever is it another
 * key's place. Or HCCT_NO_PLACE. Without the lock, while the floor is 0; afterwards any place. */
static inline __attribute__((always_inline)) uint32_t hcct_summary_peek(const struct hcct_summary *summary,
                                                                        uint64_t key)
{
    uint64_t product = hcct_key_product(key);
    const struct bucket *bucket = bucket_of(summary, product);
    return read_link(&bucket->bound) == mark_of(product) ? (read_link(&bucket->first) & LINK_MASK) - 1
                                                         : HCCT_NO_PLACE;
}

/* Where `key` is monitored, if it has a node and is one of the first `steps` in its bucket; or HCCT_NO_PLACE.
 * Without the lock: while the floor is 0 entries only come, so that what is found stays; afterwards, and
 * while counts are forgotten, it may be wrong either way. */
static inline __attribute__((always_inline)) uint32_t hcct_summary_find(const struct hcct_summary *summary,
                                                                        uint64_t key, unsigned steps)
{
    uint32_t link = read_link(&bucket_of(summary, hcct_key_product(key))->first) & LINK_MASK;
    for (; link != 0 && steps != 0; steps--) {
        const struct counter *counter = &summary->counters[link - 1];
        if (read_link(&counter->key) == key)
            return read_link(&counter->node) ? link - 1 : HCCT_NO_PLACE;
        link = read_link(&counter->next_in_bucket);
    }
    return HCCT_NO_PLACE;
}

/* The mark of a bucket whose first counter is at `link`, which comes or gets its node. */
static inline void set_mark(const struct hcct_summary *summary, struct bucket *bucket, uint32_t link,
                            uint64_t product)
{
    if (!summary->filed && (bucket->first & LINK_MASK) == link)
        set_link(&bucket->bound, summary->counters[link - 1].node ? mark_of(product) : 0);
}

/* --- the queue --------------------------------------------------------------------------------- */

/* The highest digit in which `count` and the minimum differ; 0 if none. */
static inline unsigned level_of(const struct hcct_summary *summary, uint64_t count)
{
    return (unsigned)(63 - __builtin_clzll((count ^ summary->minimum) | 1)) / DIGIT_BITS;
}

static inline unsigned digit_of(uint64_t count, unsigned level)
{
    return (unsigned)(count >> (level * DIGIT_BITS)) & (DIGITS - 1);
}

#endif
