/* The structure of Space Saving's summary (space_saving.c), which count/batch.h also reads without the lock.
 *
 * The queue has a level for each digit of 6 bits, and a list for each value of a digit. A counter is in the
 * list of the highest digit in which its filed count and the minimum differ, by the value there. When the
 * minimum reaches the lowest list, its counters are spread over lower levels. (Also known as a hierarchical
 * timing wheel.)
 *
 * The filter: a bucket of the index bounds the weight of the unmonitored keys of its hash. A newcomer that
 * cannot pass the floor only adds to the bound. So most keys that occur once evict nobody. The bucket has a
 * tag of its first key. If it has several keys, its bound is above every floor. So most such keys touch
 * nothing but the bucket, by a comparison of a byte and one of a word.
 *
 * What the filter takes is in N and in no counter, so it can pay for a higher floor. With ever new keys the
 * floor then rises faster than the bounds, and evictions almost end. Proof: let V be the sum of max(count,
 * floor) over all counters, and A what the filter took. A newcomer adds its weight to V and N, so V <= N -
 * A, without lifts. Lifting the floor by 1 adds at most k to V, and is done once for each LIFT_PRICE * k of
 * A. So k * floor <= V <= N, for any price of 1 or more. With a price of 1 fewer newcomers come in, but with
 * larger errors (test/unit/accuracy.c). Counters may stay below a lifted floor; they are the next victims.
 * Source of the filter: Homem and Carvalho, "Finding top-k elements in data streams", Information Sciences
 * 2010. */
#ifndef HCCT_RUNTIME_STREAM_SPACE_SAVING_LAYOUT_H
#define HCCT_RUNTIME_STREAM_SPACE_SAVING_LAYOUT_H

#include "runtime/base/key_hash.h"
#include "runtime/stream/space_saving.h"

enum {
    DIGIT_BITS = 6, /* so that one word has a bit for each list of a level */
    DIGITS = 1 << DIGIT_BITS,
    LEVELS = (64 + DIGIT_BITS - 1) / DIGIT_BITS,
    FIRST_BUCKETS_LOG2 = 12,
    LIFT_PRICE = 2,          /* the floor rises by 1 for each 2 k of weight that the filter took */
    MANY_COUNTERS = 1 << 18, /* from this capacity on, fewer buckets per counter, as memory is bounded */
    ALIGNMENT = 64
};

/* The keys of one hash. A newcomer to a full summary reads this and fields of the summary, nothing else. */
struct bucket {
    /* the link of the first counter, with the tag above: the lowest byte of its key. 0: none */
    uint32_t first;
    /* the most that an unmonitored key of this hash weighs, and MORE if there are several counters. Before
     * the first eviction: 0, or the mark of the first counter's key if that counter has a node */
    uint32_t bound;
};
#define LINK_BITS 24
#define LINK_MASK ((UINT32_C(1) << LINK_BITS) - 1)
#define MORE (UINT32_C(1) << 31)
#define BOUND_MAX (MORE - 1)

static inline const uint8_t *tag_of(const struct bucket *bucket)
{
    return (const uint8_t *)&bucket->first + LINK_BITS / 8; /* the machines of machine.h are little-endian */
}

/* Half a cache line. A hit touches only this and a bucket. The queue's links are in an array of their own:
 * following a list through a dense array made spreading a quarter cheaper. */
struct counter {
    uint64_t key; /* 0: never used */
    uint64_t count;
    uint64_t error;
    uint32_t next_in_bucket;
    hcct_node node;
};
_Static_assert(sizeof(struct counter) == 32, "two counters to a cache line");

struct hcct_summary {
    uint64_t total;
    uint64_t floor;    /* no unmonitored key weighs more; >= minimum */
    uint32_t capacity; /* counters in use: `first_capacity`, and fewer after hcct_space_saving_shrink */
    uint32_t first_capacity;
    uint64_t minimum;  /* the least count when it was last looked for; the queue's lists are relative to it */
    uint64_t since;    /* the total when the first one was evicted; 0: none was */
    uint64_t absorbed; /* weight that the filter took, and that has not paid for the floor yet */
    uint32_t limit;    /* the largest bound: the floor; 0 if that does not fit, or until the first eviction */
    struct counter *counters; /* [capacity] */
    uint32_t *next_in_list;   /* [capacity] */
    struct bucket *buckets;   /* [bucket_count] */
    uint32_t bucket_count;
    uint32_t size;
    /* product >> shift is the index of a key's bucket: 2^(64 - shift) buckets are in use */
    uint32_t shift;
    bool filed;                   /* the queue is in use, since the first eviction */
    uint32_t used_levels;         /* bit l: used_digits[l] != 0 */
    uint64_t used_digits[LEVELS]; /* bit d: lists[l][d] != 0 */
    uint32_t lists[LEVELS][DIGITS];
};

/* hcct_space_saving_find and hcct_space_saving_peek read without the lock what set_link stores under it. Each
 * RELEASE store pairs with an ACQUIRE load there: an entry is complete before a link leads to it. */
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

/* The place of `key`, if it is monitored with a node and one look at the index finds it, or HCCT_NO_PLACE.
 * With a probability of 2^-31 it is the place of another key of the bucket. hcct_space_saving_add_found
 * compares the keys, so counts are right, but the key then gets its chain at a later miss only. Without the
 * lock. Once the floor is above 0, any place may be returned. */
static inline __attribute__((always_inline)) uint32_t
hcct_space_saving_peek(const struct hcct_summary *summary, uint64_t key)
{
    uint64_t product = hcct_key_product(key);
    const struct bucket *bucket = bucket_of(summary, product);
    return read_link(&bucket->bound) == mark_of(product) ? (read_link(&bucket->first) & LINK_MASK) - 1
                                                         : HCCT_NO_PLACE;
}

/* The place of `key`, if it is monitored with a node and is among the first `steps` of its bucket, or
 * HCCT_NO_PLACE. Without the lock. While the floor is 0, entries only come, so the result stays right.
 * Later, and while counts are cleared, the result may be wrong in both directions. */
static inline __attribute__((always_inline)) uint32_t
hcct_space_saving_find(const struct hcct_summary *summary, uint64_t key, unsigned steps)
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

/* hcct_space_saving_entry, in line. */
static inline struct hcct_entry entry_at(const struct hcct_summary *summary, uint32_t place)
{
    const struct counter *counter = &summary->counters[place];
    return (struct hcct_entry){ counter->key, __atomic_load_n(&counter->count, __ATOMIC_RELAXED),
                                counter->error, counter->node };
}

/* Updates the mark of a bucket, when the counter at `link` comes or gets its node. */
static inline void set_mark(const struct hcct_summary *summary, struct bucket *bucket, uint32_t link,
                            uint64_t product)
{
    if (!summary->filed && (bucket->first & LINK_MASK) == link)
        set_link(&bucket->bound, summary->counters[link - 1].node ? mark_of(product) : 0);
}

/* --- the queue --------------------------------------------------------------------------------- */

/* The highest digit in which `count` and the minimum differ; 0 if they are equal. */
static inline unsigned level_of(const struct hcct_summary *summary, uint64_t count)
{
    return (unsigned)(63 - __builtin_clzll((count ^ summary->minimum) | 1)) / DIGIT_BITS;
}

static inline unsigned digit_of(uint64_t count, unsigned level)
{
    return (unsigned)(count >> (level * DIGIT_BITS)) & (DIGITS - 1);
}

#endif
