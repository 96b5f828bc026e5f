/* See blocks.h.
 *
 * A bucket is a cache line with four places. A block is in the bucket that its hash says, or in one of the
 * next ones. Each bucket counts the blocks that passed it because it was full. A search ends at a bucket that
 * none has passed. So nothing has to move when a block is removed.
 *
 *    place   bits
 *    first   0..7    context, high part
 *            8..15   in a bucket's first two places: how many blocks passed it, low and high part
 *            16..63  address; 0: the place is empty
 *    second  0..15   context, low part
 *            16..63  bytes */
#include "runtime/heap/blocks.h"

#include "runtime/base/key_hash.h"
#include "runtime/base/memory.h"

enum { PLACES = 4, PASSED_BITS = 0xff00, PASSED_MOST = 0xffff };

struct bucket {
    _Alignas(64) struct hcct_heap_packed places[PLACES];
};

struct table {
    struct bucket *buckets;
    uint32_t bucket_count, count;
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
    place->address = (uint64_t)address << 16 | (place->address & PASSED_BITS) | (block.context >> 16 & 0xff);
    place->bytes = block.bytes << 16 | (block.context & 0xffff);
}

static uint32_t passed(const struct bucket *bucket)
{
    return (uint32_t)(bucket->places[0].address >> 8 & 0xff) |
           (uint32_t)(bucket->places[1].address & PASSED_BITS);
}

/* One more, or one less. At the largest number the count is not known any more, and stays. */
static void change_passed(struct bucket *bucket, int change)
{
    uint32_t count = passed(bucket);
    if (count == PASSED_MOST)
        return;
    count += (uint32_t)change;
    bucket->places[0].address = (bucket->places[0].address & ~(uint64_t)PASSED_BITS) | (count & 0xff) << 8;
    bucket->places[1].address = (bucket->places[1].address & ~(uint64_t)PASSED_BITS) | (count & PASSED_BITS);
}

static uint64_t hash_of(uintptr_t address)
{
    return hcct_key_hash(address);
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
static struct hcct_heap_packed *place_in(struct bucket *bucket, uintptr_t address)
{
    for (unsigned i = 0; i < PLACES; i++)
        if (address_of(&bucket->places[i]) == address)
            return &bucket->places[i];
    return NULL;
}

/* The place of the block, or NULL; *at is its bucket. */
static struct hcct_heap_packed *find(const struct table *table, uintptr_t address, uint64_t hash,
                                     uint32_t *at)
{
    if (!table->bucket_count)
        return NULL;
    *at = home_of(table, hash);
    for (uint32_t i = 0; i < table->bucket_count; i++, *at = next_of(table, *at)) {
        struct hcct_heap_packed *place = place_in(&table->buckets[*at], address);
        if (place || !passed(&table->buckets[*at]))
            return place;
    }
    return NULL;
}

/* The table has an empty place, and not this block. */
static void add(struct table *table, uintptr_t address, uint64_t hash, struct hcct_heap_block block)
{
    uint32_t at = home_of(table, hash);
    struct hcct_heap_packed *place;
    for (; !(place = place_in(&table->buckets[at], 0)); at = next_of(table, at))
        change_passed(&table->buckets[at], 1);
    put(place, address, block);
    table->count++;
}

static bool grow(struct table *table)
{
    uint32_t buckets = table->bucket_count;
    struct table more = { NULL, buckets ? buckets + buckets / 4 : FIRST_BUCKETS, 0 };
    if (more.bucket_count < buckets)
        return false;
    more.buckets = hcct_memory_map((size_t)more.bucket_count * sizeof *more.buckets);
    if (!more.buckets)
        return false;
    for (size_t i = 0; i < (size_t)buckets * PLACES; i++) {
        const struct hcct_heap_packed *place = &table->buckets[i / PLACES].places[i % PLACES];
        uintptr_t address = address_of(place);
        if (address)
            add(&more, address, hash_of(address), block_of(place));
    }
    hcct_memory_unmap(table->buckets, (size_t)buckets * sizeof *table->buckets);
    *table = more;
    return true;
}

enum hcct_heap_put hcct_heap_blocks_put(uintptr_t address, struct hcct_heap_block *block)
{
    uint64_t hash = hash_of(address);
    struct table *table = table_of(hash);
    uint32_t at;
    struct hcct_heap_packed *place = find(table, address, hash, &at);
    if (place) {
        struct hcct_heap_block before = block_of(place);
        put(place, address, *block);
        *block = before;
        return HCCT_HEAP_REPLACED;
    }
    /* 13/16 full: a search then seldom reads a second bucket */
    if (table->count >= table->bucket_count / 4 * 13 && !grow(table) &&
        table->count >= (uint64_t)table->bucket_count * PLACES)
        return HCCT_HEAP_NO_MEMORY;
    add(table, address, hash, *block);
    return HCCT_HEAP_ADDED;
}

bool hcct_heap_blocks_take(uintptr_t address, struct hcct_heap_block *block)
{
    uint64_t hash = hash_of(address);
    struct table *table = table_of(hash);
    uint32_t found;
    struct hcct_heap_packed *place = find(table, address, hash, &found);
    if (!place)
        return false;
    *block = block_of(place);
    put(place, 0, (struct hcct_heap_block){ 0 });
    for (uint32_t at = home_of(table, hash); at != found; at = next_of(table, at))
        change_passed(&table->buckets[at], -1);
    table->count--;
    return true;
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
                *to++ = (struct hcct_heap_packed){ place->address & ~(uint64_t)PASSED_BITS, place->bytes };
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

void hcct_heap_blocks_clear(void)
{
    for (uint32_t t = 0; t < TABLES; t++)
        hcct_memory_unmap(tables[t].buckets, (size_t)tables[t].bucket_count * sizeof *tables[t].buckets);
    hcct_heap_blocks_abandon();
}

void hcct_heap_blocks_abandon(void)
{
    for (uint32_t t = 0; t < TABLES; t++)
        tables[t] = (struct table){ 0 };
}

static bool check_table(struct table *table)
{
    uint32_t count = 0;
    for (size_t i = 0; i < place_count(table); i++) {
        struct hcct_heap_packed *place = occupied(table, i);
        uint32_t at;
        if (!place)
            continue;
        uint64_t hash = hash_of(address_of(place));
        count++;
        if (table_of(hash) != table || find(table, address_of(place), hash, &at) != place)
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
