/* Space Saving whose smallest counter is found by a monotone radix queue (Ahuja, Mehlhorn, Orlin and Tarjan, "Faster
 * Algorithms for the Shortest Path Problem", JACM 1990, section 2), also known as a hierarchical timing wheel.
 *
 * Why this shape: counts only grow, so the minimum never falls, and needs neither a heap (up to 3 times slower) nor
 * scans (20 us for each eviction if weights are random). A list of the queue holds the counters whose filed count
 * first differs from the floor in one digit, by the value there; the lowest list is spread over lower levels when the
 * floor comes to it. Hits do not touch the queue: a counter stays where it was filed, and moves when the floor gets
 * there. Victims are exact minima, so the sum of all counts is at most N, which proves invariant 3 of summary.h (see
 * take_minimum). Any counter <= N / k would not do: newcomers that take over a floor above their victim's count make
 * the sum pass N, and with k = 4 and weights of 1 fifteen updates can lead to 4, 4, 4, 5, all above N / k.
 *
 * In front of a full summary stands a filter (Homem and Carvalho, "Finding top-k elements in data streams", Information
 * Sciences 2010): a cell bounds the weight of the keys of its hash that are not monitored. A newcomer that cannot pass
 * the floor with it only adds to the cell, so that most keys that occur once evict nobody; and where the cell tells
 * that no key of its hash is monitored, which is so for most, the index is not even looked at.
 *
 * Invariants
 *   1. the sum of all counts is at most N; count >= floor >= error for every entry;
 *   2. every entry is in the index chain of its key's hash, once;
 *   3. from the first eviction on, every entry is in one list, whose least count is >= floor and <= the entry's;
 *   4. a key that is not monitored weighs at most its cell's bound, and that is at most the floor, while the floor fits
 *      into a bound (beyond it, the filter is not used); a cell has the number of its keys that are monitored, or the
 *      largest number that it can hold if there ever were so many;
 *   5. links are place + 1, 0 ends a list: zeroed memory is an empty summary, and untouched pages stay untouched.
 * Cost: a hit, two cache lines; an eviction, about eight, and at most LEVELS moves of a counter between two hits of it
 * (3 on average where all keys are new and weights are random up to 2^20, 0.01 where they are 1).
 * A newcomer that the filter takes: one cache line of it, and one of the index for one in six.
 * Memory: 36 bytes per counter, 4 bytes for each head of the index, a power of two, 2 to 4 per counter, and the filter
 * with twice as many cells. */
#include "runtime/summary.h"

#include "runtime/key_hash.h"

enum {
    DIGIT_BITS = 6, /* one word has a bit for each list of a level */
    DIGITS = 1 << DIGIT_BITS,
    LEVELS = (64 + DIGIT_BITS - 1) / DIGIT_BITS,
    ALIGNMENT = 64
};

/* A cell of the filter. */
#define CELL_BOUND UINT32_C(0x03ffffff)
#define CELL_ONE (CELL_BOUND + 1) /* monitored key */
#define CELL_MANY (~CELL_BOUND)

/* Half a cache line: a hit touches this and a head of the index only. The queue's links are not in it: following a
 * list through a dense array, and the counts out of order behind it, made spreading a quarter cheaper. */
struct counter {
    uint64_t key; /* 0: never used */
    uint64_t count;
    uint64_t error;
    uint32_t next_in_index;
    hcct_node node;
};
_Static_assert(sizeof(struct counter) == 32, "two counters to a cache line");

struct hcct_summary {
    uint64_t total;
    uint64_t floor;           /* what the queue is filed against */
    struct counter *counters; /* [capacity] */
    uint32_t *next_in_list;   /* [capacity] */
    uint32_t *index;          /* [index_mask + 1] */
    uint32_t *cells;          /* [2 * (index_mask + 1)] the filter, by other bits of the hash */
    uint32_t index_mask;
    uint32_t capacity;
    uint32_t size;
    bool filed;                   /* the queue is in use: from the first eviction on */
    uint32_t used_levels;         /* bit l: used_digits[l] != 0 */
    uint64_t used_digits[LEVELS]; /* bit d: lists[l][d] != 0 */
    uint32_t lists[LEVELS][DIGITS];
};

/* --- memory ------------------------------------------------------------------------------------ */

static size_t align_up(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

static size_t index_heads(uint32_t capacity)
{
    size_t heads = 16;
    while (heads < 2 * (size_t)capacity)
        heads *= 2;
    return heads;
}

static size_t counters_offset(void)
{
    return align_up(sizeof(struct hcct_summary));
}

static size_t links_offset(uint32_t capacity)
{
    return counters_offset() + align_up(capacity * sizeof(struct counter));
}

static size_t index_offset(uint32_t capacity)
{
    return links_offset(capacity) + align_up(capacity * sizeof(uint32_t));
}

static size_t cells_offset(uint32_t capacity)
{
    return align_up(index_offset(capacity) + index_heads(capacity) * sizeof(uint32_t));
}

size_t hcct_summary_bytes(uint32_t capacity)
{
    return cells_offset(capacity) + 2 * index_heads(capacity) * sizeof(uint32_t);
}

struct hcct_summary *hcct_summary_init(void *memory, uint32_t capacity)
{
    struct hcct_summary *summary = memory;
    char *bytes = memory;

    summary->counters = (struct counter *)(void *)(bytes + counters_offset());
    summary->next_in_list = (uint32_t *)(void *)(bytes + links_offset(capacity));
    summary->index = (uint32_t *)(void *)(bytes + index_offset(capacity));
    summary->cells = (uint32_t *)(void *)(bytes + cells_offset(capacity));
    summary->index_mask = (uint32_t)(index_heads(capacity) - 1);
    summary->capacity = capacity;
    return summary;
}

void hcct_summary_clear(struct hcct_summary *summary)
{
    __builtin_memset(summary->counters, 0, summary->size * sizeof(struct counter));
    __builtin_memset(summary->next_in_list, 0, summary->size * sizeof(uint32_t));
    __builtin_memset(summary->index, 0, ((size_t)summary->index_mask + 1) * sizeof(uint32_t));
    __builtin_memset(summary->cells, 0, 2 * ((size_t)summary->index_mask + 1) * sizeof(uint32_t));
    __builtin_memset(summary->lists, 0, sizeof(summary->lists));
    __builtin_memset(summary->used_digits, 0, sizeof(summary->used_digits));
    summary->used_levels = 0;
    summary->filed = false;
    summary->size = 0;
    summary->total = 0;
    summary->floor = 0;
}

/* --- the queue --------------------------------------------------------------------------------- */

/* The highest digit in which `count` and the floor differ; 0 if none. */
static inline unsigned level_of(const struct hcct_summary *summary, uint64_t count)
{
    return (unsigned)(63 - __builtin_clzll((count ^ summary->floor) | 1)) / DIGIT_BITS;
}

static inline unsigned digit_of(uint64_t count, unsigned level)
{
    return (unsigned)(count >> (level * DIGIT_BITS)) & (DIGITS - 1);
}

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

/* Moves the counters of the lowest list, which is not of level 0, to where their counts belong now. The floor goes to
 * their minimum first, if that is still in the list's range; then no other counter is below it, and all that stay
 * in the range go at least one level down. The others have grown since they were filed, and go up. */
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
        summary->floor = lowest;
    for (uint32_t link = first, next; link != 0; link = next) {
        next = summary->next_in_list[link - 1];
        file_counter(summary, link);
    }
}

/* Takes a counter with the smallest count of all out of the queue, and makes that count the floor. It is <= N / k: k
 * counters are in use, their counts add up to N (a hit adds its weight to both; a newcomer's count is its victim's plus
 * the weight), and the smallest of k numbers is at most their mean. It is >= all earlier floors, since no count falls.
 * Ends: a step that takes nothing moves counters down, or up to where they belong; each is then met at most once
 * more in this call, so no call visits more than 2 k counters. */
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
            summary->floor = count;
            return link - 1;
        }
        file_counter(summary, link);
    }
}

/* --- counting ---------------------------------------------------------------------------------- */

static void unindex(struct hcct_summary *summary, uint32_t place, uint64_t hash)
{
    uint32_t *link = &summary->index[hash & summary->index_mask];

    while (*link != place + 1)
        link = &summary->counters[*link - 1].next_in_index;
    *link = summary->counters[place].next_in_index;
}

/* --- the filter -------------------------------------------------------------------------------- */

static uint32_t *cell_of(const struct hcct_summary *summary, uint64_t hash)
{
    return &summary->cells[hash >> 32 & (2 * (uint64_t)summary->index_mask + 1)];
}

/* Whether the filter takes a newcomer: key and weight then stay below the floor with all that share its cell. */
static inline bool absorb(const struct hcct_summary *summary, uint32_t *cell, uint64_t weight)
{
    if (summary->size < summary->capacity || summary->floor > CELL_BOUND || weight > summary->floor ||
        (*cell & CELL_BOUND) + weight > summary->floor)
        return false;
    *cell += (uint32_t)weight;
    return true;
}

static void enter_cell(uint32_t *cell)
{
    if ((*cell & CELL_MANY) != CELL_MANY)
        *cell += CELL_ONE;
}

/* An evicted key weighs at most the floor, which is its count; every other key of the cell already did. */
static void leave_cell(const struct hcct_summary *summary, uint32_t *cell)
{
    uint32_t monitored = *cell & CELL_MANY;
    uint32_t bound = summary->floor > CELL_BOUND ? CELL_BOUND : (uint32_t)summary->floor;
    *cell = (monitored == CELL_MANY ? monitored : monitored - CELL_ONE) | bound;
}

/* The victim after this one, mostly: the rest of its list was filed together with it. */
static void prefetch_victim(const struct hcct_summary *summary, uint32_t place)
{
    uint32_t next = summary->next_in_list[place];
    if (next == 0)
        return;
    uint64_t hash = hcct_key_hash(summary->counters[next - 1].key);
    __builtin_prefetch(&summary->index[hash & summary->index_mask], 1);
    __builtin_prefetch(cell_of(summary, hash), 1);
    if (summary->next_in_list[next - 1] != 0)
        __builtin_prefetch(&summary->counters[summary->next_in_list[next - 1] - 1], 1);
}

/* Empties a counter for a newcomer: its count and the floor are then the newcomer's error. */
static uint32_t evict(struct hcct_summary *summary, hcct_node *evicted)
{
    if (!summary->filed) {
        for (uint32_t link = 1; link <= summary->capacity; link++)
            file_counter(summary, link);
        summary->filed = true;
    }
    uint32_t place = take_minimum(summary);
    uint64_t hash = hcct_key_hash(summary->counters[place].key);
    prefetch_victim(summary, place);
    unindex(summary, place, hash);
    leave_cell(summary, cell_of(summary, hash));
    *evicted = summary->counters[place].node;
    return place;
}

static uint32_t add_newcomer(struct hcct_summary *summary, uint64_t key, uint64_t hash, uint64_t weight,
                             hcct_node *evicted)
{
    uint32_t place = summary->size < summary->capacity ? summary->size++ : evict(summary, evicted);
    struct counter *counter = &summary->counters[place];

    counter->key = key;
    counter->error = summary->floor;
    counter->count = summary->floor + weight;
    uint32_t *head = &summary->index[hash & summary->index_mask];
    counter->next_in_index = *head;
    *head = place + 1;
    enter_cell(cell_of(summary, hash));
    if (summary->filed)
        file_counter(summary, place + 1);
    return place;
}

/* N stops at 2^64 - 1, and what is beyond is not counted: no count is above N, so none can wrap. */
static inline uint64_t add_to_total(struct hcct_summary *summary, uint64_t weight)
{
    if (__builtin_expect(weight > UINT64_MAX - summary->total, 0))
        weight = UINT64_MAX - summary->total;
    summary->total += weight;
    return weight;
}

/* For a key that may be monitored, or that the filter did not take. */
static __attribute__((noinline)) uint32_t add_slow(struct hcct_summary *summary, uint64_t key, uint64_t hash,
                                                   uint64_t weight, hcct_node node, hcct_node *evicted,
                                                   hcct_node *unused)
{
    uint32_t *cell = cell_of(summary, hash);
    for (uint32_t link = summary->index[hash & summary->index_mask]; link != 0;
         link = summary->counters[link - 1].next_in_index) {
        struct counter *counter = &summary->counters[link - 1];
        if (counter->key != key)
            continue;
        counter->count += weight;
        if (node != 0 && counter->node == 0)
            counter->node = node;
        else
            *unused = node;
        return link - 1;
    }
    if (absorb(summary, cell, weight)) {
        *unused = node;
        return HCCT_NO_PLACE;
    }
    uint32_t place = add_newcomer(summary, key, hash, weight, evicted);
    summary->counters[place].node = node;
    return place;
}

uint32_t hcct_summary_add(struct hcct_summary *summary, uint64_t key, uint64_t weight, hcct_node node,
                          hcct_node *evicted, hcct_node *unused)
{
    uint64_t hash = hcct_key_hash(key);
    uint32_t *cell = cell_of(summary, hash);
    *evicted = 0;
    *unused = 0;
    weight = add_to_total(summary, weight);
    if ((*cell & CELL_MANY) == 0 && absorb(summary, cell, weight)) {
        *unused = node;
        return HCCT_NO_PLACE;
    }
    return add_slow(summary, key, hash, weight, node, evicted, unused);
}

void hcct_summary_add_ones(struct hcct_summary *summary, const uint64_t *keys, uint32_t count,
                           hcct_summary_visit *visit, void *context)
{
    enum { CHUNK = 32 }; /* cache lines that are under way at once */
    uint64_t hashes[CHUNK];
    for (uint32_t start = 0; start < count; start += CHUNK) {
        uint32_t size = count - start < CHUNK ? count - start : CHUNK;
        for (uint32_t i = 0; i < size; i++) {
            hashes[i] = hcct_key_hash(keys[start + i]);
            __builtin_prefetch(cell_of(summary, hashes[i]), 1);
        }
        for (uint32_t i = 0; i < size; i++) {
            hcct_node evicted = 0, unused = 0;
            uint32_t *cell = cell_of(summary, hashes[i]);
            uint64_t weight = add_to_total(summary, 1);
            if ((*cell & CELL_MANY) == 0 && absorb(summary, cell, weight))
                continue;
            uint32_t place = add_slow(summary, keys[start + i], hashes[i], weight, 0, &evicted, &unused);
            if (place != HCCT_NO_PLACE)
                visit(context, keys[start + i], place, evicted);
        }
    }
}

/* --- reading ----------------------------------------------------------------------------------- */

struct hcct_entry hcct_summary_entry(const struct hcct_summary *summary, uint32_t place)
{
    const struct counter *counter = &summary->counters[place];
    return (struct hcct_entry){ counter->key, counter->count, counter->error, counter->node };
}

void hcct_summary_set_node(struct hcct_summary *summary, uint32_t place, hcct_node node)
{
    summary->counters[place].node = node;
}

uint32_t hcct_summary_capacity(const struct hcct_summary *summary)
{
    return summary->capacity;
}

uint32_t hcct_summary_size(const struct hcct_summary *summary)
{
    return summary->size;
}

uint64_t hcct_summary_total(const struct hcct_summary *summary)
{
    return summary->total;
}

uint64_t hcct_summary_floor(const struct hcct_summary *summary)
{
    return summary->floor;
}

/* --- checking ---------------------------------------------------------------------------------- */

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
        if (counter->key == 0 || counter->error > summary->floor || counter->count < summary->floor)
            return false;
        if (__builtin_add_overflow(sum, counter->count, &sum))
            return false;
    }
    return sum <= summary->total && summary->size <= summary->capacity &&
           summary->floor <= summary->total / summary->capacity;
}

/* Invariant 2: as many links as entries, every one in the right chain, and each entry the first with its key there.
 * Chains are walked no further than `size` links in all, so a cycle ends too. */
static bool index_holds(const struct hcct_summary *summary)
{
    uint32_t links = 0;

    for (size_t head = 0; head <= summary->index_mask; head++) {
        for (uint32_t link = summary->index[head]; link != 0;
             link = summary->counters[link - 1].next_in_index) {
            if (link > summary->size || ++links > summary->size)
                return false;
            uint64_t key = summary->counters[link - 1].key;
            if ((hcct_key_hash(key) & summary->index_mask) != head)
                return false;
            uint32_t first = summary->index[head];
            while (summary->counters[first - 1].key != key)
                first = summary->counters[first - 1].next_in_index;
            if (first != link)
                return false;
        }
    }
    return links == summary->size;
}

/* Invariant 3 for one list; adds its length to *links. */
static bool list_holds(const struct hcct_summary *summary, unsigned level, unsigned digit, uint32_t *links)
{
    unsigned shift = level * DIGIT_BITS;
    uint64_t above = summary->floor >> shift & ~(uint64_t)(DIGITS - 1);
    uint64_t least = (above | digit) << shift;
    uint32_t first = summary->lists[level][digit];

    if ((first != 0) != ((summary->used_digits[level] >> digit & 1) != 0))
        return false;
    if (first != 0 && (digit < digit_of(summary->floor, level) || (level != 0 && least <= summary->floor)))
        return false;
    for (uint32_t link = first; link != 0; link = summary->next_in_list[link - 1]) {
        if (link > summary->size || ++*links > summary->size || summary->counters[link - 1].count < least)
            return false;
    }
    return true;
}

bool hcct_summary_check(const struct hcct_summary *summary)
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
