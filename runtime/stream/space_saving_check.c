/* See space_saving_check.h. */
#include "runtime/stream/space_saving_check.h"

#include "runtime/stream/space_saving_layout.h"

static bool counters_hold(const struct hcct_summary *summary)
{
    uint64_t sum = 0;

    for (uint32_t place = 0; place < summary->capacity; place++) {
        const struct counter *counter = &summary->counters[place];
        if (place >= summary->size) {
            if (counter->key != 0 || counter->node != 0)
                return false;
            continue;
        }
        if (counter->key == 0 || counter->error > summary->floor || counter->count < summary->minimum)
            return false;
        if (__builtin_add_overflow(sum, counter->count < summary->floor ? summary->floor : counter->count,
                                   &sum))
            return false;
    }
    return sum <= summary->total && summary->size <= summary->capacity &&
           summary->floor <= summary->total / summary->capacity;
}

/* Whether the bucket's mark is right, while nothing was evicted. */
static bool mark_holds(const struct hcct_summary *summary, const struct bucket *bucket)
{
    uint32_t head = bucket->first & LINK_MASK;
    bool has_node = head != 0 && summary->counters[head - 1].node != 0;
    return bucket->bound == (has_node ? mark_of(hcct_key_product(summary->counters[head - 1].key)) : 0);
}

/* Invariant 2: there are as many links as entries, each in the right chain, and each entry is the first with
 * its key. The walk ends after `size` links in all, even if there is a cycle. */
static bool index_holds(const struct hcct_summary *summary)
{
    uint32_t links = 0;

    for (size_t at = 0; at < summary->bucket_count; at++) {
        uint32_t first = summary->buckets[at].first, head = first & LINK_MASK;
        if (head > summary->size || (head == 0 && first != 0) ||
            (!summary->filed && !mark_holds(summary, &summary->buckets[at])))
            return false;
        if (head != 0 && *tag_of(&summary->buckets[at]) != (uint8_t)summary->counters[head - 1].key)
            return false;
        bool has_more = head != 0 && summary->counters[head - 1].next_in_bucket != 0;
        if (summary->filed && (summary->buckets[at].bound > BOUND_MAX) != has_more)
            return false;
        for (uint32_t link = head; link != 0; link = summary->counters[link - 1].next_in_bucket) {
            if (link > summary->size || ++links > summary->size)
                return false;
            uint64_t key = summary->counters[link - 1].key;
            if (bucket_of(summary, hcct_key_product(key)) != &summary->buckets[at])
                return false;
            uint32_t other = head;
            while (summary->counters[other - 1].key != key)
                other = summary->counters[other - 1].next_in_bucket;
            if (other != link)
                return false;
        }
    }
    return links == summary->size;
}

/* Invariant 3 for one list. Adds the list's length to *links. */
static bool list_holds(const struct hcct_summary *summary, unsigned level, unsigned digit, uint32_t *links)
{
    unsigned shift = level * DIGIT_BITS;
    uint64_t above = summary->minimum >> shift & ~(uint64_t)(DIGITS - 1);
    uint64_t least = (above | digit) << shift;
    uint32_t first = summary->lists[level][digit];

    if ((first != 0) != ((summary->used_digits[level] >> digit & 1) != 0))
        return false;
    if (first != 0 &&
        (digit < digit_of(summary->minimum, level) || (level != 0 && least <= summary->minimum)))
        return false;
    for (uint32_t link = first; link != 0; link = summary->next_in_list[link - 1]) {
        if (link > summary->size || ++*links > summary->size || summary->counters[link - 1].count < least)
            return false;
    }
    return true;
}

bool hcct_space_saving_check(const struct hcct_summary *summary)
{
    uint32_t links = 0;

    if (!counters_hold(summary) || !index_holds(summary))
        return false;
    for (unsigned level = 0; level < LEVELS; level++) {
        if ((summary->used_digits[level] != 0) != ((summary->used_levels >> level & 1) != 0))
            return false;
        for (unsigned digit = 0; digit < DIGITS; digit++) {
            if (!list_holds(summary, level, digit, &links))
                return false;
        }
    }
    return links == (summary->filed ? summary->size : 0);
}
