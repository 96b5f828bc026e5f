/* See blocks.h.
 *
 * A bucket is a cache line with four places. A block is in its home, the bucket that its hash says, or, if
 * that was full, in one of the next ones. The home counts the blocks that are not in it, and knows how far
 * the farthest ever was. So most searches end in the home, and nothing has to move when a block is removed.
 *
 *    place   bits
 *    first   0..7    context, high part
 *            8..15   in a bucket's first place: how many of its blocks are elsewhere; in its second place:
 *                    how many buckets behind, at most
 *            16..63  address; 0: the place is empty
 *    second  0..15   context, low part
 *            16..63  bytes */
#include "runtime/heap/tables/blocks.h"

#include "runtime/base/memory.h"

/* A number that is AWAY_MOST is not known any more, and stays. */
enum { PLACES = 4, AWAY_BITS = 0xff00, AWAY_MOST = 0xff };

struct bucket {
    _Alignas(64) struct hcct_heap_packed places[PLACES];
};

struct table {
    struct bucket *buckets;
    uint32_t bucket_count, count;
    uint32_t limit; /* it grows when it has so many blocks */
};

enum { TABLES_LOG2 = 6, TABLES = 1 << TABLES_LOG2, FIRST_BUCKETS = 64 };
static struct table tables[TABLES];

static uintptr_t address_of(const struct hcct_heap_packed *place)
{
    return hcct_heap_packed_address(*place);
}

static struct hcct_heap_block block_of(const struct hcct_heap_packed *place)
{
    return hcct_heap_packed_block(*place);
}

static void put(struct hcct_heap_packed *place, uintptr_t address, struct hcct_heap_block block)
{
    place->address = (uint64_t)address << 16 | (place->address & AWAY_BITS) | (block.context >> 16 & 0xff);
    place->bytes = block.bytes << 16 | (block.context & 0xffff);
}

/* Whether blocks of the bucket are elsewhere. */
static inline bool has_away(const struct bucket *bucket)
{
    return (bucket->places[0].address | bucket->places[1].address) & AWAY_BITS;
}

static uint32_t away(const struct bucket *bucket, unsigned place)
{
    return bucket->places[place].address >> 8 & AWAY_MOST;
}

static void set_away(struct bucket *bucket, uint32_t count, uint32_t distance)
{
    bucket->places[0].address = (bucket->places[0].address & ~(uint64_t)AWAY_BITS) | count << 8;
    bucket->places[1].address = (bucket->places[1].address & ~(uint64_t)AWAY_BITS) | distance << 8;
}

static void add_away(struct bucket *bucket, uint32_t distance)
{
    uint32_t count = away(bucket, 0), farthest = away(bucket, 1);
    if (distance > AWAY_MOST)
        distance = AWAY_MOST;
    set_away(bucket, count < AWAY_MOST ? count + 1 : count, distance > farthest ? distance : farthest);
}

static void remove_away(struct bucket *bucket)
{
    uint32_t count = away(bucket, 0);
    if (count < AWAY_MOST)
        set_away(bucket, count - 1, count > 1 ? away(bucket, 1) : 0);
}

static struct table *table_of(uint64_t hash)
{
    return &tables[hash >> (64 - TABLES_LOG2)];
}

/* The bucket where the search for a block begins. */
static uint32_t home_of(const struct table *table, uint64_t hash)
{
    return (uint32_t)(((hash << TABLES_LOG2 >> 32) * table->bucket_count) >> 32);
}

static uint32_t next_of(const struct table *table, uint32_t at)
{
    return at + 1 == table->bucket_count ? 0 : at + 1;
}

/* The bucket's place with that address, or NULL. With 0: an empty one. */
static inline __attribute__((always_inline)) struct hcct_heap_packed *place_in(struct bucket *bucket,
                                                                               uintptr_t address)
{
    for (unsigned i = 0; i < PLACES; i++)
        if (address_of(&bucket->places[i]) == address)
            return &bucket->places[i];
    return NULL;
}

/* The place of the block behind its home, or NULL. */
static __attribute__((noinline)) struct hcct_heap_packed *find_behind(const struct table *table,
                                                                      uintptr_t address, uint32_t home)
{
    uint32_t farthest = away(&table->buckets[home], 1), at = home;
    if (farthest == AWAY_MOST)
        farthest = table->bucket_count - 1;
    for (uint32_t i = 0; i < farthest; i++) {
        at = next_of(table, at);
        struct hcct_heap_packed *place = place_in(&table->buckets[at], address);
        if (place)
            return place;
    }
    return NULL;
}

/* The place of the block, or NULL. The table has buckets. */
static struct hcct_heap_packed *find(const struct table *table, uintptr_t address, uint64_t hash)
{
    uint32_t home = home_of(table, hash);
    struct bucket *bucket = &table->buckets[home];
    struct hcct_heap_packed *place = place_in(bucket, address);
    return place || !has_away(bucket) ? place : find_behind(table, address, home);
}

/* The table has an empty place, and not this block. */
static void add(struct table *table, uintptr_t address, uint64_t hash, struct hcct_heap_block block)
{
    uint32_t home = home_of(table, hash), at = home, distance = 0;
    struct hcct_heap_packed *place;
    for (; !(place = place_in(&table->buckets[at], 0)); at = next_of(table, at))
        distance++;
    put(place, address, block);
    if (distance)
        add_away(&table->buckets[home], distance);
    table->count++;
}

static bool grow(struct table *table)
{
    uint32_t buckets = table->bucket_count;
    struct table more = { .bucket_count = buckets ? buckets + buckets / 4 : FIRST_BUCKETS };
    if (more.bucket_count < buckets)
        return false;
    more.limit = more.bucket_count / 4 * 13;
    more.buckets = hcct_memory_map((size_t)more.bucket_count * sizeof *more.buckets);
    if (!more.buckets)
        return false;
    for (size_t i = 0; i < (size_t)buckets * PLACES; i++) {
        const struct hcct_heap_packed *place = &table->buckets[i / PLACES].places[i % PLACES];
        uintptr_t address = address_of(place);
        if (address)
            add(&more, address, hcct_heap_blocks_hash(address), block_of(place));
    }
    struct bucket *old = table->buckets;
    /* pairs with hcct_heap_blocks_prefetch */
    __atomic_store_n(&table->buckets, more.buckets, __ATOMIC_RELAXED);
    __atomic_store_n(&table->bucket_count, more.bucket_count, __ATOMIC_RELAXED);
    table->limit = more.limit;
    hcct_memory_unmap(old, (size_t)buckets * sizeof *old);
    return true;
}

static __attribute__((noinline)) enum hcct_heap_put put_slowly(struct table *table, uintptr_t address,
                                                               uint64_t hash, struct hcct_heap_block block)
{
    if (table->bucket_count && find(table, address, hash))
        return HCCT_HEAP_KNOWN;
    if (table->count >= table->limit && !grow(table) &&
        table->count >= (uint64_t)table->bucket_count * PLACES)
        return HCCT_HEAP_NO_MEMORY;
    add(table, address, hash, block);
    return HCCT_HEAP_ADDED;
}

/* Usually the first bucket has an empty place, and no block elsewhere. */
enum hcct_heap_put hcct_heap_blocks_put(uintptr_t address, uint64_t hash, struct hcct_heap_block block)
{
    struct table *table = table_of(hash);
    if (__builtin_expect(table->count >= table->limit, 0))
        return put_slowly(table, address, hash, block);
    struct bucket *bucket = &table->buckets[home_of(table, hash)];
    struct hcct_heap_packed *empty = place_in(bucket, 0);
    if (!empty || has_away(bucket) || place_in(bucket, address))
        return put_slowly(table, address, hash, block);
    put(empty, address, block);
    table->count++;
    return HCCT_HEAP_ADDED;
}

struct hcct_heap_block hcct_heap_blocks_replace(uintptr_t address, struct hcct_heap_block block)
{
    uint64_t hash = hcct_heap_blocks_hash(address);
    struct hcct_heap_packed *place = find(table_of(hash), address, hash);
    struct hcct_heap_block before = block_of(place);
    put(place, address, block);
    return before;
}

static void empty_place(struct table *table, struct hcct_heap_packed *place, struct hcct_heap_block *block)
{
    *block = block_of(place);
    place->address &= AWAY_BITS;
    place->bytes = 0;
    table->count--;
}

static __attribute__((noinline)) bool take_behind(struct table *table, uintptr_t address, uint32_t home,
                                                  struct hcct_heap_block *block)
{
    struct hcct_heap_packed *place = find_behind(table, address, home);
    if (!place)
        return false;
    empty_place(table, place, block);
    remove_away(&table->buckets[home]);
    return true;
}

bool hcct_heap_blocks_take(uintptr_t address, uint64_t hash, struct hcct_heap_block *block)
{
    struct table *table = table_of(hash);
    if (__builtin_expect(!table->bucket_count, 0))
        return false;
    uint32_t home = home_of(table, hash);
    struct bucket *bucket = &table->buckets[home];
    struct hcct_heap_packed *place = place_in(bucket, address);
    if (!place)
        return has_away(bucket) && take_behind(table, address, home, block);
    empty_place(table, place, block);
    return true;
}

void hcct_heap_blocks_prefetch(uint64_t hash)
{
    const struct table *table = table_of(hash);
    /* Pairs with grow. The two may not fit each other: a prefetch of any address does no harm. */
    uint64_t buckets = __atomic_load_n(&table->bucket_count, __ATOMIC_RELAXED);
    const struct bucket *first = __atomic_load_n(&table->buckets, __ATOMIC_RELAXED);
    __builtin_prefetch((const char *)first + ((hash << TABLES_LOG2 >> 32) * buckets >> 32) * sizeof *first,
                       1);
}

/* Place number `i` of the table, or NULL if it is empty. */
static struct hcct_heap_packed *occupied(const struct table *table, size_t i)
{
    struct hcct_heap_packed *place = &table->buckets[i / PLACES].places[i % PLACES];
    return address_of(place) ? place : NULL;
}

static size_t place_count(const struct table *table)
{
    return (size_t)table->bucket_count * PLACES;
}

size_t hcct_heap_blocks_count(void)
{
    size_t count = 0;
    for (uint32_t t = 0; t < TABLES; t++)
        count += tables[t].count;
    return count;
}

void hcct_heap_blocks_copy(struct hcct_heap_packed *to)
{
    for (struct table *table = tables; table < tables + TABLES; table++)
        for (size_t i = 0; i < place_count(table); i++) {
            const struct hcct_heap_packed *place = occupied(table, i);
            if (place)
                *to++ = (struct hcct_heap_packed){ place->address & ~(uint64_t)AWAY_BITS, place->bytes };
        }
}

void hcct_heap_blocks_move(const uint32_t *to)
{
    for (struct table *table = tables; table < tables + TABLES; table++)
        for (size_t i = 0; i < place_count(table); i++) {
            struct hcct_heap_packed *place = occupied(table, i);
            if (!place)
                continue;
            struct hcct_heap_block block = block_of(place);
            block.context = to[block.context];
            put(place, address_of(place), block);
        }
}

/* The pointers to the buckets stay: the thread that was changing them may go on in this child, if the handler
 * of a fault has forked. */
void hcct_heap_blocks_abandon(void)
{
    for (uint32_t t = 0; t < TABLES; t++) {
        /* pairs with hcct_heap_blocks_prefetch */
        __atomic_store_n(&tables[t].bucket_count, 0, __ATOMIC_RELAXED);
        tables[t].count = tables[t].limit = 0;
    }
}

void hcct_heap_blocks_clear(void)
{
    for (uint32_t t = 0; t < TABLES; t++) {
        if (!tables[t].bucket_count)
            continue;
        hcct_memory_unmap(tables[t].buckets, (size_t)tables[t].bucket_count * sizeof *tables[t].buckets);
        /* pairs with hcct_heap_blocks_prefetch */
        __atomic_store_n(&tables[t].buckets, NULL, __ATOMIC_RELAXED);
    }
    hcct_heap_blocks_abandon();
}

static bool check_table(struct table *table)
{
    uint32_t count = 0;
    for (size_t i = 0; i < place_count(table); i++) {
        struct hcct_heap_packed *place = occupied(table, i);
        if (!place)
            continue;
        uint64_t hash = hcct_heap_blocks_hash(address_of(place));
        count++;
        if (table_of(hash) != table || find(table, address_of(place), hash) != place)
            return false;
    }
    return count == table->count;
}

bool hcct_heap_blocks_check(size_t *count)
{
    *count = 0;
    for (uint32_t t = 0; t < TABLES; t++) {
        if (!check_table(&tables[t]))
            return false;
        *count += tables[t].count;
    }
    return true;
}
