/* Space Saving with two parts: a monotone radix queue finds the smallest counter, and a filter stands in
 * front of a full summary. space_saving_layout.h has the structure, and explains how the filter raises the
 * floor.
 *
 * Why the queue: counts only grow, so the minimum never falls. A heap is up to 3 times slower; a scan costs
 * 20 us for each eviction if weights are random. A hit does not touch the queue: a counter moves when the
 * floor reaches its list. Victims are exact minima, so the sum of all counts is at most N, and floor <= N /
 * k (take_minimum).
 *
 * Invariants, V the sum of max(count, floor) over all counters
 *   1. V <= N; floor >= error for every entry; minimum <= floor;
 *   2. every entry is once in the chain of its key's bucket. The bucket has the tag of the first entry, and,
 *      from the first eviction on, MORE if there are others;
 *   3. from the first eviction on, every entry is in one list. The list's least count is >= minimum, and <=
 *      the entry's;
 *   4. a key that is not monitored weighs at most its bucket's bound, and that is at most the floor. If the
 *      floor does not fit into a bound, the filter is not used. Before the first eviction a bound is a mark;
 *   5. links are place + 1, and 0 ends a list. So zeroed memory is an empty summary.
 * Cost in cache lines: a hit 2, a newcomer that the filter takes 1, an eviction about 8. Between two hits a
 * counter moves at most LEVELS times (on average 3 if all keys are new with random weights up to 2^20, 0.01
 * with weights of 1).
 * Memory: 36 bytes per counter, and 8 per bucket. Buckets are a power of two: 4 to 8 per counter, or
 * 2 to 4 if there are more than MANY_COUNTERS.
 * Source: Ahuja, Mehlhorn, Orlin and Tarjan, "Faster Algorithms for the Shortest Path Problem", JACM 1990,
 * section 2. */
#include <stdatomic.h>

#include "runtime/base/machine.h"
#include "runtime/stream/space_saving_layout.h"

/* --- memory ------------------------------------------------------------------------------------ */

static size_t align_up(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

static size_t bucket_count(uint32_t capacity)
{
    size_t count = 16, wanted = capacity <= MANY_COUNTERS ? 4 * (size_t)capacity : 2 * (size_t)capacity;
    while (count < wanted)
        count *= 2;
    return count;
}

static size_t counters_offset(void)
{
    return align_up(sizeof(struct hcct_summary));
}

static size_t links_offset(uint32_t capacity)
{
    return counters_offset() + align_up(capacity * sizeof(struct counter));
}

static size_t buckets_offset(uint32_t capacity)
{
    return links_offset(capacity) + align_up(capacity * sizeof(uint32_t));
}

size_t hcct_space_saving_bytes(uint32_t capacity)
{
    return buckets_offset(capacity) + bucket_count(capacity) * sizeof(struct bucket);
}

/* While a summary has few entries, it uses few buckets, which share cache lines and pages. */
static uint32_t first_shift(const struct hcct_summary *summary)
{
    uint32_t bits = (uint32_t)__builtin_ctz(summary->bucket_count);
    return 64 - (bits < FIRST_BUCKETS_LOG2 ? bits : FIRST_BUCKETS_LOG2);
}

struct hcct_summary *hcct_space_saving_init(void *memory, uint32_t capacity)
{
    struct hcct_summary *summary = memory;
    char *bytes = memory;

    summary->counters = (struct counter *)(void *)(bytes + counters_offset());
    summary->next_in_list = (uint32_t *)(void *)(bytes + links_offset(capacity));
    summary->buckets = (struct bucket *)(void *)(bytes + buckets_offset(capacity));
    summary->bucket_count = (uint32_t)bucket_count(capacity);
    summary->shift = first_shift(summary);
    summary->capacity = summary->first_capacity = capacity;
    return summary;
}

static void set_floor(struct hcct_summary *summary, uint64_t floor)
{
    __atomic_store_n(&summary->floor, floor, __ATOMIC_RELAXED); /* others ask whether it is 0 */
    summary->limit = floor <= BOUND_MAX ? (uint32_t)floor : 0;
}

/* Those in use: a child of fork copies each page that it writes to. */
static void clear_buckets(struct hcct_summary *summary)
{
    for (size_t at = 0; at < (size_t)1 << (64 - summary->shift); at++) {
        set_link(&summary->buckets[at].bound, 0);
        set_link(&summary->buckets[at].first, 0);
    }
}

void hcct_space_saving_clear(struct hcct_summary *summary)
{
    for (uint32_t place = 0; place < summary->size; place++) {
        struct counter *counter = &summary->counters[place];
        set_link(&counter->key, 0);
        set_link(&counter->node, 0);
        set_link(&counter->next_in_bucket, 0);
        counter->count = counter->error = 0;
    }
    __builtin_memset(summary->next_in_list, 0, summary->size * sizeof(uint32_t));
    clear_buckets(summary);
    __builtin_memset(summary->lists, 0, sizeof(summary->lists));
    __builtin_memset(summary->used_digits, 0, sizeof(summary->used_digits));
    summary->used_levels = 0;
    summary->filed = false;
    summary->since = 0;
    summary->size = 0;
    __atomic_store_n(&summary->total, 0, __ATOMIC_RELAXED); /* others may ask */
    summary->capacity = summary->first_capacity;
    summary->bucket_count = (uint32_t)bucket_count(summary->capacity);
    set_link(&summary->shift, first_shift(summary));
    set_floor(summary, 0);
    summary->minimum = 0;
    summary->absorbed = 0;
}

/* --- the queue --------------------------------------------------------------------------------- */

static inline void file_counter(struct hcct_summary *summary, uint32_t link)
{
    uint64_t count = summary->counters[link - 1].count;
    unsigned level = level_of(summary, count);
    unsigned digit = digit_of(count, level);

    summary->next_in_list[link - 1] = summary->lists[level][digit];
    summary->lists[level][digit] = link;
    summary->used_digits[level] |= UINT64_C(1) << digit;
    summary->used_levels |= UINT32_C(1) << level;
}

static inline void mark_empty(struct hcct_summary *summary, unsigned level, unsigned digit)
{
    summary->lists[level][digit] = 0;
    summary->used_digits[level] &= ~(UINT64_C(1) << digit);
    if (summary->used_digits[level] == 0)
        summary->used_levels &= ~(UINT32_C(1) << level);
}

/* Moves the counters of the lowest list, which is not of level 0, to the lists where their counts belong
 * now. First the minimum becomes the least of their counts, if that is still in the list's range. No other
 * counter is below it then. So counters that are still in the range go down at least one level. The others
 * have grown since they were filed, and go up. */
static void spread(struct hcct_summary *summary, unsigned level, unsigned digit)
{
    uint32_t first = summary->lists[level][digit];
    uint64_t lowest = UINT64_MAX;

    for (uint32_t link = first; link != 0; link = summary->next_in_list[link - 1]) {
        uint64_t count = summary->counters[link - 1].count;
        lowest = count < lowest ? count : lowest;
    }
    mark_empty(summary, level, digit);
    if (level_of(summary, lowest) == level && digit_of(lowest, level) == digit)
        summary->minimum = lowest;
    for (uint32_t link = first, next; link != 0; link = next) {
        next = summary->next_in_list[link - 1];
        file_counter(summary, link);
    }
}

/* Takes a counter with the smallest count out of the queue, and raises the floor to that count.
 *
 * The count is at most N / k: k counters are in use, and the sum of their counts is at most N, because a hit
 * adds its weight to both, and a newcomer's count is its victim's plus its weight. The smallest of k numbers
 * is at most their mean. It is not below earlier floors, because no count falls.
 *
 * The victim must be an exact minimum. If it were only <= N / k, its newcomer would take over a floor above
 * the victim's count, and the sum would pass N: with k = 4, fifteen updates of weight 1 can lead to 4, 4, 4,
 * 5, all above N / k.
 * Cost: at most 2 k counters. A step that takes nothing moves counters down, or up to where they belong.
 * Each of these is met at most once more in the call. */
static uint32_t take_minimum(struct hcct_summary *summary)
{
    for (;;) {
        unsigned level = (unsigned)__builtin_ctz(summary->used_levels);
        unsigned digit = (unsigned)__builtin_ctzll(summary->used_digits[level]);
        if (level != 0) {
            spread(summary, level, digit);
            continue;
        }

        uint32_t link = summary->lists[0][digit];
        uint32_t next = summary->next_in_list[link - 1];
        uint64_t count = summary->counters[link - 1].count;
        if (next != 0)
            summary->lists[0][digit] = next;
        else
            mark_empty(summary, 0, digit);
        if (level_of(summary, count) == 0 && digit_of(count, 0) == digit) {
            summary->minimum = count;
            if (summary->floor < count)
                set_floor(summary, count);
            return link - 1;
        }
        file_counter(summary, link);
    }
}

/* --- the index and the filter ------------------------------------------------------------------ */

/* Whether the bucket's tag proves that its first entry has another key. Not if the bucket is empty, and the
 * key's tag 0. */
static inline bool is_other(const struct bucket *bucket, uint64_t key)
{
    return !hcct_machine_is_equal_byte((uint8_t)key, tag_of(bucket));
}

/* Makes `link` the first of the bucket; 0: there is none left. */
static void set_first(const struct hcct_summary *summary, struct bucket *bucket, uint32_t link)
{
    const struct counter *counter = link ? &summary->counters[link - 1] : NULL;
    set_link(&bucket->first, counter ? link | (uint32_t)counter->key << LINK_BITS : 0);
    if (summary->filed)
        set_link(&bucket->bound,
                 (bucket->bound & BOUND_MAX) | (counter && counter->next_in_bucket ? MORE : 0));
}

static void enter_bucket(struct hcct_summary *summary, uint32_t place, uint64_t product)
{
    struct bucket *bucket = bucket_of(summary, product);
    set_link(&summary->counters[place].next_in_bucket, bucket->first & LINK_MASK);
    set_first(summary, bucket, place + 1);
    set_mark(summary, bucket, place + 1, product);
}

/* Doubles the number of buckets in use, before any bucket has a bound. A thread that looks without the lock
 * meanwhile (hcct_space_saving_find) may find nothing. */
static void spread_buckets(struct hcct_summary *summary)
{
    clear_buckets(summary);
    set_link(&summary->shift, summary->shift - 1);
    for (uint32_t place = 0; place < summary->size; place++)
        if (summary->counters[place].key)
            enter_bucket(summary, place, hcct_key_product(summary->counters[place].key));
}

/* Removes an entry from its chain. The bucket's bound grows to its count, which its key does not exceed. */
static void leave_bucket(struct hcct_summary *summary, uint32_t place, uint64_t product)
{
    struct bucket *bucket = bucket_of(summary, product);
    const struct counter *counter = &summary->counters[place];
    uint32_t first = bucket->first & LINK_MASK, link = first, next;

    if ((bucket->bound & BOUND_MAX) < counter->count)
        set_link(&bucket->bound, counter->count < BOUND_MAX ? (uint32_t)counter->count : BOUND_MAX);
    if (first == place + 1) {
        set_first(summary, bucket, counter->next_in_bucket);
        return;
    }
    while ((next = summary->counters[link - 1].next_in_bucket) != place + 1)
        link = next;
    set_link(&summary->counters[link - 1].next_in_bucket, counter->next_in_bucket);
    set_first(summary, bucket, first);
}

/* Adds a newcomer to its bucket's bound, if the bound stays at most the floor. Returns whether it did. */
static inline bool absorb(struct hcct_summary *summary, struct bucket *bucket, uint64_t weight)
{
    if (weight > summary->limit || (bucket->bound & BOUND_MAX) + weight > summary->limit)
        return false;
    set_link(&bucket->bound, bucket->bound + (uint32_t)weight);
    summary->absorbed += weight;
    return true;
}

/* Raises the floor, paid by weight that the filter took (space_saving_layout.h). */
static void lift(struct hcct_summary *summary)
{
    const uint64_t price = LIFT_PRICE * (uint64_t)summary->capacity;
    if (summary->absorbed < price)
        return;
    set_floor(summary, summary->floor + summary->absorbed / price);
    summary->absorbed %= price;
}

/* --- becoming smaller ----------------------------------------------------------------------------- */

/* What others read without the lock is stored as everywhere. */
static void put(struct counter *to, const struct counter *counter)
{
    to->count = counter->count;
    to->error = counter->error;
    set_link(&to->node, counter->node);
    set_link(&to->key, counter->key);
}

static void swap(struct counter *a, struct counter *b)
{
    struct counter counter = *a;
    put(a, b);
    put(b, &counter);
}

/* Puts the `kept` largest counts in front (quickselect; with equal counts in the middle it ends where they
 * do). Cost: O(size), and O(size * size) if somebody made the counts for it, which takes a call for each. */
static void select_largest(struct counter *counters, uint32_t size, uint32_t kept)
{
    for (uint32_t first = 0, end = size; end - first > 1;) {
        uint64_t middle = counters[first + (end - first) / 2].count;
        uint32_t larger = first, smaller = end;
        for (uint32_t at = first; at < smaller;) {
            if (counters[at].count > middle)
                swap(&counters[at++], &counters[larger++]);
            else if (counters[at].count < middle)
                swap(&counters[at], &counters[--smaller]);
            else
                at++;
        }
        if (kept < larger)
            end = larger;
        else if (kept > smaller)
            first = smaller;
        else
            return;
    }
}

/* The index and the queue of those that are left, as a full summary has them. */
static void index_anew(struct hcct_summary *summary)
{
    for (size_t at = 0; at < summary->bucket_count; at++) {
        set_link(&summary->buckets[at].first, 0);
        set_link(&summary->buckets[at].bound, summary->buckets[at].bound & BOUND_MAX);
    }
    __builtin_memset(summary->lists, 0, sizeof summary->lists);
    __builtin_memset(summary->used_digits, 0, sizeof summary->used_digits);
    summary->used_levels = 0;
    for (uint32_t place = 0; place < summary->size; place++) {
        enter_bucket(summary, place, hcct_key_product(summary->counters[place].key));
        file_counter(summary, place + 1);
    }
}

static void raise_bound(struct bucket *bucket, uint64_t least)
{
    if ((bucket->bound & BOUND_MAX) < least)
        set_link(&bucket->bound, (bucket->bound & MORE) | (least < BOUND_MAX ? (uint32_t)least : BOUND_MAX));
}

/* Only the `capacity` largest counts stay. The floor becomes at least the largest of the others. The minimum
 * is still none above any of them: as many counts were not below it before. */
static void keep_largest(struct hcct_summary *summary, void (*release)(hcct_node node))
{
    struct counter *counters = summary->counters;
    uint32_t size = summary->size, kept = summary->capacity < size ? summary->capacity : size;
    uint64_t floor = summary->floor;
    select_largest(counters, size, kept);
    for (uint32_t place = kept; place < size; place++)
        floor = counters[place].count > floor ? counters[place].count : floor;
    set_floor(summary, floor);
    summary->size = kept;
    index_anew(summary);
    for (uint32_t place = kept; place < size; place++) {
        raise_bound(bucket_of(summary, hcct_key_product(counters[place].key)), counters[place].count);
        release(counters[place].node);
        set_link(&counters[place].key, 0);
        set_link(&counters[place].node, 0);
    }
}

void hcct_space_saving_shrink(struct hcct_summary *summary, uint32_t kept, void (*release)(hcct_node node))
{
    clear_buckets(summary); /* their bounds are marks */
    summary->since = summary->total;
    summary->capacity = kept;
    summary->filed = true;
    summary->bucket_count = (uint32_t)bucket_count(kept);
    set_link(&summary->shift, 64 - (uint32_t)__builtin_ctz(summary->bucket_count));
    keep_largest(summary, release);
}

void hcct_space_saving_give_unused(struct hcct_summary *summary, void (*give)(void *memory, size_t bytes))
{
    uint32_t used = summary->size ? summary->capacity : 0,
             buckets = summary->size ? summary->bucket_count : 0;
    give(summary->counters + used, (summary->first_capacity - used) * sizeof *summary->counters);
    give(summary->next_in_list + used, (summary->first_capacity - used) * sizeof *summary->next_in_list);
    give(summary->buckets + buckets,
         (bucket_count(summary->first_capacity) - buckets) * sizeof *summary->buckets);
}

/* --- counting ---------------------------------------------------------------------------------- */

/* Prefetches the next victim. It is usually the next in the list, as the rest of a list was filed
 * together. */
static void prefetch_victim(const struct hcct_summary *summary, uint32_t place)
{
    uint32_t next = summary->next_in_list[place];
    if (next == 0)
        return;
    uint64_t product = hcct_key_product(summary->counters[next - 1].key);
    hcct_machine_prefetch(bucket_of(summary, product));
    if (summary->next_in_list[next - 1] != 0)
        hcct_machine_prefetch(&summary->counters[summary->next_in_list[next - 1] - 1]);
}

/* Empties a counter for a newcomer, whose error is the larger of the victim's count and the floor. */
static uint32_t evict(struct hcct_summary *summary, hcct_node *evicted)
{
    if (!summary->filed) {
        while (summary->bucket_count >> (64 - summary->shift) > 1)
            spread_buckets(summary);
        for (uint32_t link = 1; link <= summary->capacity; link++)
            file_counter(summary, link);
        summary->filed = true;
        summary->since = summary->total;
        for (size_t at = 0; at < summary->bucket_count; at++)
            if (summary->buckets[at].first) { /* a write only where needed: untouched pages stay untouched */
                set_link(&summary->buckets[at].bound, 0);
                set_first(summary, &summary->buckets[at], summary->buckets[at].first & LINK_MASK);
            }
    }
    uint32_t place = take_minimum(summary);
    uint64_t product = hcct_key_product(summary->counters[place].key);
    prefetch_victim(summary, place);
    leave_bucket(summary, place, product);
    *evicted = summary->counters[place].node;
    set_link(&summary->counters[place].key, 0);
    return place;
}

static uint32_t add_newcomer(struct hcct_summary *summary, uint64_t key, uint64_t product, uint64_t weight,
                             hcct_node node, hcct_node *evicted)
{
    if (summary->size >> (62 - summary->shift) && summary->bucket_count >> (64 - summary->shift) > 1 &&
        !summary->filed)
        spread_buckets(summary);
    uint32_t place = summary->size < summary->capacity ? summary->size++ : evict(summary, evicted);
    struct counter *counter = &summary->counters[place];

    counter->error = summary->floor;
    counter->count = summary->floor + weight;
    set_link(&counter->node, node);
    set_link(&counter->key, key);
    enter_bucket(summary, place, product);
    if (summary->filed)
        file_counter(summary, place + 1);
    return place;
}

/* N stops at 2^64 - 1, and weight beyond that is not counted. As no count is above N, none can wrap. */
static inline uint64_t add_to_total(struct hcct_summary *summary, uint64_t weight)
{
    uint64_t total = __atomic_load_n(&summary->total, __ATOMIC_RELAXED);
    if (__builtin_expect(weight > UINT64_MAX - total, 0))
        weight = UINT64_MAX - total;
    /* others may be in hcct_space_saving_add_found */
    __atomic_fetch_add(&summary->total, weight, __ATOMIC_RELAXED);
    return weight;
}

static inline struct counter *find_counter(const struct hcct_summary *summary, const struct bucket *bucket,
                                           uint64_t key)
{
    uint32_t link = bucket->first & LINK_MASK;
    while (link != 0 && summary->counters[link - 1].key != key)
        link = summary->counters[link - 1].next_in_bucket;
    return link != 0 ? &summary->counters[link - 1] : NULL;
}

/* The slow path: a key that may be monitored, or that the filter did not take. */
static __attribute__((noinline)) uint32_t add_slow(struct hcct_summary *summary, uint64_t key,
                                                   uint64_t product, uint64_t weight, hcct_node node,
                                                   hcct_node *evicted, hcct_node *unused)
{
    struct bucket *bucket = bucket_of(summary, product);
    struct counter *counter = find_counter(summary, bucket, key);
    if (counter) {
        if (node != 0 && counter->node == 0)
            hcct_space_saving_set_node(summary, (uint32_t)(counter - summary->counters), node);
        else
            *unused = node;
        /* others may be in hcct_space_saving_add_found */
        __atomic_fetch_add(&counter->count, weight, __ATOMIC_RELAXED);
        return (uint32_t)(counter - summary->counters);
    }
    if (weight && absorb(summary, bucket, weight)) {
        *unused = node;
        return HCCT_NO_PLACE;
    }
    return add_newcomer(summary, key, product, weight, node, evicted);
}

uint32_t hcct_space_saving_add(struct hcct_summary *summary, uint64_t key, uint64_t weight, hcct_node node,
                               hcct_node *evicted, hcct_node *unused)
{
    uint64_t product = hcct_key_product(key);
    struct bucket *bucket = bucket_of(summary, product);
    *evicted = 0;
    *unused = 0;
    weight = add_to_total(summary, weight);
    lift(summary);
    if (bucket->bound < summary->limit && is_other(bucket, key) && absorb(summary, bucket, weight)) {
        *unused = node;
        return HCCT_NO_PLACE;
    }
    return add_slow(summary, key, product, weight, node, evicted, unused);
}

/* A key that the filter cannot take by a look at its bucket, and the bucket's first counter. That of an empty
 * bucket is in front of all counters, where the last list heads are: those of no count, so they are 0, and no
 * key. */
struct rest {
    uint64_t key;
    struct counter *first;
};
enum { TOP_BITS = 64 - (LEVELS - 1) * DIGIT_BITS }; /* of a count, in the highest digit */
_Static_assert(sizeof(struct counter) <= (DIGITS - (1 << TOP_BITS)) * sizeof(uint32_t) &&
                   sizeof(struct hcct_summary) - offsetof(struct hcct_summary, lists) ==
                       sizeof(uint32_t[LEVELS][DIGITS]),
               "the heads in front of the counters are of no count");

/* Where the bucket's first counter is, in bytes from the place in front of all counters. The first shift
 * takes the tag off. */
static inline uint32_t offset_of_first(const struct bucket *bucket)
{
    enum { COUNTER_LOG2 = 5 };
    _Static_assert(sizeof(struct counter) == 1 << COUNTER_LOG2 && COUNTER_LOG2 <= 32 - LINK_BITS, "fits");
    return bucket->first << (32 - LINK_BITS) >> (32 - LINK_BITS - COUNTER_LOG2);
}

/* Absorbs the keys of a chunk that the filter can take by a look at their buckets. Returns how many are left,
 * in `rest`. `ahead` more keys follow the chunk. */
static uint32_t absorb_ones(struct hcct_summary *summary, const uint64_t *keys, uint32_t count,
                            uint32_t ahead, struct rest *rest)
{
    struct bucket *buckets = summary->buckets;
    struct counter *before = summary->counters - 1;
    uint32_t shift = summary->shift, limit = summary->limit;
    const uint64_t *end = keys + count, *later = end + ahead;
    struct rest *left = rest;
    uint64_t factor = HCCT_KEY_FACTOR;
    __asm__("" : "+r"(factor)); /* a number that the compiler does not know stays in its register */
    for (intptr_t i = -(intptr_t)count; i != 0; i++) {
        __asm__("" : "+r"(i)); /* counts up to 0, which needs no comparison */
        uint64_t key = end[i];
        struct bucket *bucket = &buckets[key * factor >> shift];
        __asm__("" : "+r"(bucket)); /* one address for all that follows */
        hcct_machine_prefetch(&buckets[later[i] * factor >> shift]);
        if (is_other(bucket, key) && hcct_machine_increment_below(&bucket->bound, limit))
            continue;
        struct counter *first = (struct counter *)(void *)((char *)before + offset_of_first(bucket));
        hcct_machine_prefetch(first);
        *left++ = (struct rest){ key, first };
    }
    summary->absorbed += count - (uint32_t)(left - rest);
    return (uint32_t)(left - rest);
}

/* Whether the visitor wants this counter. A count that a newcomer took over from its victim does not matter:
 * it is its error. */
static inline bool is_to_be_seen(const struct counter *counter, uint32_t challenge, uint64_t wanted)
{
    return counter->node
               ? (counter->count & (challenge - 1)) == 0 && counter->count - counter->error >= challenge
               : counter->count - counter->error >= wanted;
}

static __attribute__((noinline)) void see(const struct hcct_summary *summary, const struct counter *counter,
                                          hcct_node evicted, const struct hcct_visitor *visitor)
{
    struct hcct_entry entry = entry_at(summary, (uint32_t)(counter - summary->counters));
    visitor->visit(visitor->context, &entry, evicted);
}

/* Adds weight 1, which is in the total already. */
static __attribute__((noinline)) void add_one(struct hcct_summary *summary, uint64_t key,
                                              const struct hcct_visitor *visitor)
{
    uint64_t product = hcct_key_product(key);
    struct bucket *bucket = bucket_of(summary, product);
    struct counter *counter = find_counter(summary, bucket, key);
    hcct_node evicted = 0;
    if (counter)
        counter->count++;
    else if (absorb(summary, bucket, 1))
        return;
    else
        counter = &summary->counters[add_newcomer(summary, key, product, 1, 0, &evicted)];
    if (evicted || is_to_be_seen(counter, visitor->challenge, visitor->wanted))
        see(summary, counter, evicted, visitor);
}

/* Adds the rest of a chunk. Mostly the counter is the one that was seen first. What came before in the chunk
 * may have given it to another key. */
static void add_rest(struct hcct_summary *summary, const struct rest *rest, uint32_t count,
                     const struct hcct_visitor *visitor)
{
    uint32_t challenge = visitor->challenge;
    uint64_t wanted = visitor->wanted;
    for (const struct rest *end = rest + count; rest != end; rest++) {
        struct counter *counter = rest->first;
        if (counter->key != rest->key) {
            add_one(summary, rest->key, visitor);
            continue;
        }
        counter->count++;
        if (__builtin_expect(is_to_be_seen(counter, challenge, wanted), 0))
            see(summary, counter, 0, visitor);
    }
}

void hcct_space_saving_add_ones(struct hcct_summary *summary, const uint64_t *keys, uint32_t count,
                                const struct hcct_visitor *visitor)
{
    enum { CHUNK = 64, AHEAD = 24 }; /* cache lines that are loaded at the same time */
    struct rest rest[CHUNK];
    lift(summary);
    count = (uint32_t)add_to_total(summary, count);
    const struct bucket *buckets = summary->buckets;
    uint32_t ahead = count < AHEAD ? count : AHEAD, shift = summary->shift;
    for (uint32_t i = 0; i < ahead; i++)
        hcct_machine_prefetch(&buckets[hcct_key_product(keys[i]) >> shift]);
    for (uint32_t start = 0; start < count; start += CHUNK) {
        uint32_t behind = count - start, size = behind < CHUNK ? behind : CHUNK;
        uint32_t left =
            absorb_ones(summary, keys + start, size, behind - size < AHEAD ? behind - size : AHEAD, rest);
        add_rest(summary, rest, left, visitor);
    }
}

uint32_t hcct_space_saving_add_found(struct hcct_summary *summary, const uint64_t *keys,
                                     const uint32_t *places, uint32_t count,
                                     const struct hcct_visitor *visitor, bool alone)
{
    uint32_t added = 0;
    if (count > UINT64_MAX - __atomic_load_n(&summary->total, __ATOMIC_RELAXED))
        return 0;
    for (; added < count; added++) {
        struct counter *counter = &summary->counters[places[added]];
        if (__builtin_expect(places[added] >= summary->capacity || read_link(&counter->key) != keys[added],
                             0))
            break;
        uint64_t raised = alone ? ++counter->count : __atomic_add_fetch(&counter->count, 1, __ATOMIC_RELAXED);
        if (__builtin_expect((raised & (visitor->challenge - 1)) == 0, 0)) {
            struct hcct_entry entry = { keys[added], raised, counter->error, read_link(&counter->node) };
            visitor->visit(visitor->context, &entry, 0);
        }
    }
    __atomic_fetch_add(&summary->total, added, __ATOMIC_RELAXED);
    return added;
}

/* --- two summaries ------------------------------------------------------------------------------- */

static uint64_t sum_of(uint64_t a, uint64_t b)
{
    return a < UINT64_MAX - b ? a + b : UINT64_MAX;
}

/* What a key weighs at most where it is not monitored. */
static uint64_t most_of(const struct hcct_summary *summary, uint64_t product)
{
    if (!summary->filed)
        return 0;
    uint32_t bound = bucket_of(summary, product)->bound & BOUND_MAX;
    return bound < BOUND_MAX ? bound : summary->floor;
}

/* A key is in one of the two, or in both. Where it is missing it may have had the most of an unmonitored key:
 * its count grows by that, and so does its error.
 *
 * Why the floor stays at most N / k: let V be that of space_saving_layout.h, for each of the two. Of the k
 * largest sums each is at most the sum of two terms, one of each V: a monitored key's, or the floor. So
 * they add up to no more than both V, and the largest that is left out is not above their mean. */
void hcct_space_saving_merge(struct hcct_summary *into, struct hcct_summary *from,
                             void (*release)(hcct_node node))
{
    uint32_t size = into->size;
    for (uint32_t place = 0; place < size; place++) {
        struct counter *counter = &into->counters[place];
        uint64_t product = hcct_key_product(counter->key), most = most_of(from, product);
        struct counter *other = find_counter(from, bucket_of(from, product), counter->key);
        counter->count = sum_of(counter->count, other ? other->count : most);
        counter->error = sum_of(counter->error, other ? other->error : most);
        if (other && counter->node)
            release(other->node);
        else if (other)
            set_link(&counter->node, other->node);
        if (other)
            other->node = other->count = 0; /* done */
    }
    for (uint32_t place = 0; place < from->size; place++) {
        const struct counter *counter = &from->counters[place];
        uint64_t most = most_of(into, hcct_key_product(counter->key));
        struct counter *moved = &into->counters[into->size];
        if (!counter->count)
            continue;
        moved->count = sum_of(counter->count, most);
        moved->error = sum_of(counter->error, most);
        set_link(&moved->node, counter->node);
        set_link(&moved->key, counter->key);
        into->size++;
    }
    for (size_t at = 0; from->filed && at < into->bucket_count; at++)
        raise_bound(&into->buckets[at],
                    (uint64_t)(into->buckets[at].bound & BOUND_MAX) + (from->buckets[at].bound & BOUND_MAX));
    into->absorbed += from->absorbed;
    add_to_total(into, from->total);
    set_floor(into, sum_of(into->floor, from->floor));
    keep_largest(into, release);
    hcct_space_saving_clear(from);
}

/* --- reading ----------------------------------------------------------------------------------- */

uint32_t hcct_space_saving_place_of(const struct hcct_summary *summary, uint64_t key)
{
    const struct counter *counter = find_counter(summary, bucket_of(summary, hcct_key_product(key)), key);
    return counter ? (uint32_t)(counter - summary->counters) : HCCT_NO_PLACE;
}

struct hcct_entry hcct_space_saving_entry(const struct hcct_summary *summary, uint32_t place)
{
    return entry_at(summary, place);
}

void hcct_space_saving_set_node(struct hcct_summary *summary, uint32_t place, hcct_node node)
{
    uint64_t product = hcct_key_product(summary->counters[place].key);
    set_link(&summary->counters[place].node, node);
    set_mark(summary, bucket_of(summary, product), place + 1, product);
}

bool hcct_space_saving_is_full(const struct hcct_summary *summary)
{
    return summary->size == summary->capacity && !summary->filed;
}

uint64_t hcct_space_saving_since(const struct hcct_summary *summary)
{
    return summary->since;
}

uint32_t hcct_space_saving_capacity(const struct hcct_summary *summary)
{
    return summary->capacity;
}

uint32_t hcct_space_saving_size(const struct hcct_summary *summary)
{
    return summary->size;
}

uint64_t hcct_space_saving_total(const struct hcct_summary *summary)
{
    return __atomic_load_n(&summary->total, __ATOMIC_RELAXED);
}

uint64_t hcct_space_saving_floor(const struct hcct_summary *summary)
{
    return __atomic_load_n(&summary->floor, __ATOMIC_RELAXED);
}
