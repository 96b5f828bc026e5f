/* Space Saving with the data structure of its authors, the Stream-Summary, with weights.
 *
 * Counters of equal count are in one list, their bucket. Buckets are in a list in ascending order. The first
 * counter of the first bucket is the next victim. A hit moves a counter to the bucket of its new count. The
 * search for that bucket runs upwards from the old one and downwards from the last one at the same time.
 *
 * Invariants
 *   1. the sum of all counts is N; count >= floor >= error for every counter;
 *   2. buckets are in strictly ascending order, and none is empty. Bucket 0 is the sentinel, before the
 *      first and behind the last;
 *   3. every counter is in one bucket, and once in the index chain of its key's hash. Links are place + 1,
 *      and 0 ends a list.
 * Guarantee: deterministic, e <= N / capacity.
 * Cost: O(1) with weights of 1. With other weights the search passes all counts between: O(capacity) at
 * worst, for streams of many different large weights.
 * Memory: 36 bytes per counter; 20 per bucket, and there may be as many as counters; 4 for each head of the
 * index, 1 to 2 per counter.
 * Source: Metwally, Agrawal and El Abbadi, "Efficient Computation of Frequent and Top-k Elements in Data
 * Streams", ICDT 2005, section 3. */
#include "lab/stream/algorithm.h"

#include <stdlib.h>

#include "format/layout.h"
#include "runtime/base/key_hash.h"

enum { ALIGNMENT = 64 };

/* Packed: otherwise a million of them would take 72 MB. */
#define PACKED __attribute__((packed, aligned(4)))

struct PACKED counter {
    uint64_t key; /* 0: never used */
    uint64_t error;
    uint32_t bucket;
    uint32_t previous, next; /* in the bucket */
    uint32_t next_in_index;
    hcct_node node;
};

struct PACKED bucket {
    uint64_t count;
    uint32_t first; /* counter */
    uint32_t previous, next;
};

struct hcct_summary {
    uint64_t total, floor;
    struct counter *counters; /* [capacity] */
    struct bucket *buckets;   /* [capacity + 1] */
    uint32_t *index;          /* [index_mask + 1] */
    uint32_t index_mask, capacity, size;
    uint32_t bucket_end;  /* buckets from here on were never used */
    uint32_t free_bucket; /* the first free bucket, linked by `next`; 0: none */
};

/* --- memory ------------------------------------------------------------------------------------ */

static size_t align_up(size_t size)
{
    return (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

static size_t index_heads(uint32_t capacity)
{
    size_t heads = 16;
    while (heads < capacity)
        heads *= 2;
    return heads;
}

static size_t buckets_offset(uint32_t capacity)
{
    return align_up(sizeof(struct hcct_summary)) + align_up(capacity * sizeof(struct counter));
}

static size_t index_offset(uint32_t capacity)
{
    return buckets_offset(capacity) + align_up(((size_t)capacity + 1) * sizeof(struct bucket));
}

static size_t bytes_for(uint32_t capacity)
{
    return index_offset(capacity) + index_heads(capacity) * sizeof(uint32_t);
}

static struct hcct_summary *open(const struct hcct_demand *demand)
{
    char *start = hcct_summary_memory(bytes_for(demand->capacity));
    struct hcct_summary *summary = (void *)start;
    summary->counters = (struct counter *)(void *)(start + align_up(sizeof *summary));
    summary->buckets = (struct bucket *)(void *)(start + buckets_offset(demand->capacity));
    summary->index = (uint32_t *)(void *)(start + index_offset(demand->capacity));
    summary->index_mask = (uint32_t)(index_heads(demand->capacity) - 1);
    summary->capacity = demand->capacity;
    summary->bucket_end = 1;
    return summary;
}

static void close(struct hcct_summary *summary)
{
    free(summary);
}

static size_t bytes(const struct hcct_summary *summary)
{
    return bytes_for(summary->capacity);
}

/* --- buckets ----------------------------------------------------------------------------------- */

/* Makes a bucket behind `after`. There are never more buckets than counters, because the counter that moves
 * is in none. */
static uint32_t make_bucket(struct hcct_summary *summary, uint32_t after, uint64_t count)
{
    struct bucket *buckets = summary->buckets;
    uint32_t made = summary->free_bucket ? summary->free_bucket : summary->bucket_end++;
    if (made == summary->free_bucket)
        summary->free_bucket = buckets[made].next;
    buckets[made] = (struct bucket){ .count = count, .previous = after, .next = buckets[after].next };
    buckets[buckets[after].next].previous = made;
    buckets[after].next = made;
    return made;
}

static void free_bucket(struct hcct_summary *summary, uint32_t at)
{
    struct bucket *buckets = summary->buckets;
    buckets[buckets[at].previous].next = buckets[at].next;
    buckets[buckets[at].next].previous = buckets[at].previous;
    buckets[at] = (struct bucket){ .next = summary->free_bucket };
    summary->free_bucket = at;
}

/* Finds the last bucket whose count is at most `count`. `from` is such a bucket; the sentinel counts as
 * lower than all. */
static uint32_t find_bucket(const struct hcct_summary *summary, uint32_t from, uint64_t count)
{
    const struct bucket *buckets = summary->buckets;
    uint32_t low = from, high = buckets[0].previous;
    for (;;) {
        uint32_t next = buckets[low].next;
        if (next == 0 || buckets[next].count > count)
            return low;
        low = next;
        if (buckets[high].count <= count)
            return high;
        high = buckets[high].previous;
    }
}

/* Takes the counter out of its bucket. `found` is the bucket that find_bucket returned for it. Returns
 * `found`, or the bucket before it if `found` was the counter's own and is empty now. */
static uint32_t detach(struct hcct_summary *summary, uint32_t place, uint32_t found)
{
    struct counter *counters = summary->counters, *counter = &counters[place];
    struct bucket *bucket = &summary->buckets[counter->bucket];
    if (counter->next)
        counters[counter->next - 1].previous = counter->previous;
    if (counter->previous)
        counters[counter->previous - 1].next = counter->next;
    else
        bucket->first = counter->next;
    if (bucket->first)
        return found;
    found = found == counter->bucket ? bucket->previous : found;
    free_bucket(summary, counter->bucket);
    return found;
}

/* Puts the counter into the bucket of `count`: `after`, or a new one behind it. */
static void attach(struct hcct_summary *summary, uint32_t place, uint32_t after, uint64_t count)
{
    uint32_t at =
        after && summary->buckets[after].count == count ? after : make_bucket(summary, after, count);
    struct counter *counter = &summary->counters[place];
    counter->bucket = at;
    counter->previous = 0;
    counter->next = summary->buckets[at].first;
    if (counter->next)
        summary->counters[counter->next - 1].previous = place + 1;
    summary->buckets[at].first = place + 1;
}

/* --- counting ---------------------------------------------------------------------------------- */

static void unindex(struct hcct_summary *summary, uint32_t place)
{
    uint32_t *link = &summary->index[hcct_key_hash(summary->counters[place].key) & summary->index_mask];
    while (*link != place + 1)
        link = &summary->counters[*link - 1].next_in_index;
    *link = summary->counters[place].next_in_index;
}

static uint32_t evict(struct hcct_summary *summary, hcct_node *evicted)
{
    uint32_t least = summary->buckets[0].next, place = summary->buckets[least].first - 1;
    summary->floor = summary->buckets[least].count;
    unindex(summary, place);
    *evicted = summary->counters[place].node;
    return place;
}

static uint32_t add_newcomer(struct hcct_summary *summary, uint64_t key, uint64_t weight, hcct_node node,
                             hcct_node *evicted)
{
    bool grows = summary->size < summary->capacity;
    uint32_t place = grows ? summary->size++ : evict(summary, evicted);
    uint32_t *head = &summary->index[hcct_key_hash(key) & summary->index_mask];
    struct counter *counter = &summary->counters[place];
    uint64_t count = summary->floor + weight;
    uint32_t after = find_bucket(summary, grows ? 0 : counter->bucket, count);
    if (!grows)
        after = detach(summary, place, after);
    counter->key = key;
    counter->error = summary->floor;
    counter->node = node;
    counter->next_in_index = *head;
    *head = place + 1;
    attach(summary, place, after, count);
    return place;
}

static void raise(struct hcct_summary *summary, uint32_t place, uint64_t weight)
{
    uint32_t from = summary->counters[place].bucket;
    uint64_t count = summary->buckets[from].count + weight;
    uint32_t after = find_bucket(summary, from, count);
    if (weight != 0)
        attach(summary, place, detach(summary, place, after), count);
}

static uint32_t add(struct hcct_summary *summary, uint64_t key, uint64_t weight, hcct_node node,
                    hcct_node *evicted, hcct_node *unused)
{
    *evicted = *unused = 0;
    if (__builtin_expect(weight > UINT64_MAX - summary->total, 0))
        weight = UINT64_MAX - summary->total; /* N stops at 2^64 - 1 */
    summary->total += weight;
    for (uint32_t link = summary->index[hcct_key_hash(key) & summary->index_mask]; link != 0;
         link = summary->counters[link - 1].next_in_index) {
        struct counter *counter = &summary->counters[link - 1];
        if (counter->key != key)
            continue;
        raise(summary, link - 1, weight);
        if (node != 0 && counter->node == 0)
            counter->node = node;
        else
            *unused = node;
        return link - 1;
    }
    return add_newcomer(summary, key, weight, node, evicted);
}

/* --- reading ----------------------------------------------------------------------------------- */

static struct hcct_entry entry(const struct hcct_summary *summary, uint32_t place)
{
    const struct counter *counter = &summary->counters[place];
    return (struct hcct_entry){ counter->key, counter->key ? summary->buckets[counter->bucket].count : 0,
                                counter->error, counter->node };
}

static uint32_t size(const struct hcct_summary *summary)
{
    return summary->size;
}

static uint64_t total(const struct hcct_summary *summary)
{
    return summary->total;
}

static uint64_t floor_of(const struct hcct_summary *summary)
{
    return summary->floor;
}

/* --- checking ---------------------------------------------------------------------------------- */

static bool buckets_hold(const struct hcct_summary *summary)
{
    uint64_t sum = 0, before = 0;
    uint32_t seen = 0, behind = 0;
    for (uint32_t at = summary->buckets[0].next; at != 0; behind = at, at = summary->buckets[at].next) {
        const struct bucket *bucket = &summary->buckets[at];
        if (at >= summary->bucket_end || bucket->previous != behind || bucket->first == 0 ||
            (behind != 0 && bucket->count <= before) || bucket->count < summary->floor)
            return false;
        before = bucket->count;
        uint32_t previous = 0;
        for (uint32_t link = bucket->first; link != 0; link = summary->counters[link - 1].next) {
            const struct counter *counter = &summary->counters[link - 1];
            if (link > summary->size || ++seen > summary->size || counter->bucket != at ||
                counter->previous != previous || counter->error > summary->floor || counter->key == 0 ||
                __builtin_add_overflow(sum, bucket->count, &sum))
                return false;
            previous = link;
        }
    }
    return seen == summary->size && summary->buckets[0].previous == behind && sum == summary->total;
}

static bool check(const struct hcct_summary *summary)
{
    uint32_t links = 0;
    if (!buckets_hold(summary) || summary->floor > summary->total / summary->capacity)
        return false;
    for (size_t head = 0; head <= summary->index_mask; head++)
        for (uint32_t link = summary->index[head]; link != 0;
             link = summary->counters[link - 1].next_in_index)
            if (link > summary->size || ++links > summary->size ||
                (hcct_key_hash(summary->counters[link - 1].key) & summary->index_mask) != head)
                return false;
    return links == summary->size;
}

const struct hcct_algorithm hcct_space_saving_bucket = {
    .number = HCCT_ALGORITHM_SPACE_SAVING_BUCKET,
    .guarantee = HCCT_GUARANTEE_DETERMINISTIC,
    .open = open,
    .close = close,
    .bytes = bytes,
    .add = add,
    .entry = entry,
    .size = size,
    .total = total,
    .floor = floor_of,
    .check = check,
};
