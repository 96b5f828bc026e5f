/* See blocks.h. */
#include "runtime/heap/tables/blocks.h"

#include <string.h>

#include "runtime/base/memory.h"

enum {
    PLACES = HCCT_HEAP_PLACES,
    TABLES = HCCT_HEAP_TABLES,
    FIRST_COUNT = 64 - HCCT_HEAP_GROUP + 1, /* all buckets are a page then */
};

struct hcct_heap_table hcct_heap_tables[TABLES];
static struct hcct_heap_table *const over = &hcct_heap_tables[HCCT_HEAP_OVER];
uint32_t hcct_heap_over_count;
/* The home of all blocks of a table that has no buckets yet. */
static struct hcct_heap_bucket nothing[HCCT_HEAP_GROUP];

/* --- large blocks -------------------------------------------------------------------------------- */

/* Their sizes, by number; of a number that is free: the next free one. Number 0 is none. */
static struct {
    uint64_t *sizes;
    uint32_t room, used, free;
} large;

static bool grow_large(void)
{
    uint32_t room = large.room ? 2 * large.room : 512;
    uint64_t *more = room <= HCCT_HEAP_LARGE ? hcct_memory_map(room * sizeof *more) : NULL;
    if (!more)
        return false;
    if (large.room) {
        memcpy(more, large.sizes, large.room * sizeof *more);
        hcct_memory_unmap(large.sizes, large.room * sizeof *more);
    }
    large.sizes = more;
    large.room = room;
    return true;
}

/* Returns the number of one more. 0: memory is short. */
static uint32_t add_large(uint64_t bytes)
{
    uint32_t number = large.free;
    if (number)
        large.free = (uint32_t)large.sizes[number];
    else if (large.used + 1 < large.room || grow_large())
        number = ++large.used;
    if (number)
        large.sizes[number] = bytes;
    return number;
}

static void remove_large(uint32_t number)
{
    large.sizes[number] = large.free;
    large.free = number;
}

/* --- places -------------------------------------------------------------------------------------- */

static bool is_used(struct hcct_heap_place place)
{
    return place.bucket->state >> place.at & 1;
}

static uintptr_t address_at(struct hcct_heap_place place)
{
    return (uintptr_t)place.bucket->rest[place.at] << 48 >> 16 | (uint32_t)-place.bucket->negated[place.at];
}

static struct hcct_heap_block block_at(struct hcct_heap_place place)
{
    struct hcct_heap_block block = hcct_heap_block_at(place);
    if (block.bytes >= HCCT_HEAP_LARGE)
        block.bytes = large.sizes[block.bytes - HCCT_HEAP_LARGE];
    return block;
}

/* --- buckets ------------------------------------------------------------------------------------- */

static uint64_t bucket_count(const struct hcct_heap_table *table)
{
    return (uint64_t)(hcct_heap_buckets_end(table) - table->buckets);
}

/* How far a block of the bucket may be. */
static uint64_t farthest(const struct hcct_heap_table *table, const struct hcct_heap_bucket *home)
{
    uint32_t behind = home->state / HCCT_HEAP_ONE_BEHIND;
    return behind < HCCT_HEAP_BEHIND_MOST ? behind : bucket_count(table) - 1;
}

static void add_away(struct hcct_heap_bucket *home, uint64_t distance)
{
    uint32_t used_and_away = home->state % HCCT_HEAP_ONE_BEHIND, behind = home->state / HCCT_HEAP_ONE_BEHIND;
    if (distance > behind)
        behind = distance < HCCT_HEAP_BEHIND_MOST ? (uint32_t)distance : HCCT_HEAP_BEHIND_MOST;
    if (used_and_away / HCCT_HEAP_ONE_AWAY < HCCT_HEAP_AWAY_MOST)
        used_and_away += HCCT_HEAP_ONE_AWAY;
    home->state = used_and_away | behind * HCCT_HEAP_ONE_BEHIND;
}

/* In a child that the handler of a fault has forked, hcct_heap_blocks_abandon may have taken the buckets away
 * from the thread, which goes on. */
static struct hcct_heap_bucket *next_of(const struct hcct_heap_table *table, struct hcct_heap_bucket *bucket)
{
    bool is_within = bucket >= table->buckets && bucket + 1 < hcct_heap_buckets_end(table);
    return is_within ? bucket + 1 : table->buckets;
}

/* The place of the block, in its home or behind. */
static struct hcct_heap_place find(const struct hcct_heap_table *table, uintptr_t address, uint64_t hash)
{
    struct hcct_heap_bucket *home = hcct_heap_bucket_of(table, hash, address), *bucket = home;
    const uint64_t most = farthest(table, home);
    for (uint64_t behind = 0; behind <= most; behind++) {
        for (unsigned i = 0; i < PLACES; i++) {
            struct hcct_heap_place place = { bucket, home, i };
            if (bucket->negated[i] == (uint32_t)-address && is_used(place) && address_at(place) == address)
                return place;
        }
        bucket = next_of(table, bucket);
    }
    return (struct hcct_heap_place){ NULL, home, 0 };
}

/* --- tables -------------------------------------------------------------------------------------- */

/* The table has an empty place, and not this block. */
static void add(struct hcct_heap_table *table, uintptr_t address, uint64_t hash, uint64_t rest)
{
    struct hcct_heap_bucket *home = hcct_heap_bucket_of(table, hash, address), *bucket = home;
    uint64_t distance = 0;
    for (; (bucket->state & HCCT_HEAP_ALL_USED) == HCCT_HEAP_ALL_USED; bucket = next_of(table, bucket))
        distance++;
    hcct_heap_bucket_fill(bucket, bucket->state, address, rest);
    if (distance)
        add_away(home, distance);
    table->count++;
}

/* Place number `i` of the table. */
static struct hcct_heap_place place_number(const struct hcct_heap_table *table, size_t i)
{
    return (struct hcct_heap_place){ &table->buckets[i / PLACES], NULL, i % PLACES };
}

static size_t place_count(const struct hcct_heap_table *table)
{
    return bucket_count(table) * PLACES;
}

/* pairs with hcct_heap_blocks_prefetch */
static void set_buckets(struct hcct_heap_table *table, struct hcct_heap_bucket *buckets, uint64_t first_count)
{
    __atomic_store_n(&table->buckets, buckets, __ATOMIC_RELAXED);
    __atomic_store_n(&table->first_count, first_count, __ATOMIC_RELAXED);
}

static void unmap(const struct hcct_heap_table *table)
{
    if (table->buckets != nothing)
        hcct_memory_unmap(table->buckets, bucket_count(table) * sizeof *table->buckets);
}

static bool grow(struct hcct_heap_table *table)
{
    const struct hcct_heap_table old = *table;
    struct hcct_heap_table more = { .first_count = FIRST_COUNT };
    if (old.buckets != nothing)
        more.first_count = old.first_count + old.first_count / 2;
    if (more.first_count >= UINT32_MAX / 4)
        return false;
    more.buckets = hcct_memory_map(bucket_count(&more) * sizeof *more.buckets);
    if (!more.buckets)
        return false;
    for (size_t i = 0; i < place_count(table); i++) {
        struct hcct_heap_place place = place_number(table, i);
        if (is_used(place))
            add(&more, address_at(place), hcct_heap_blocks_hash(address_at(place)),
                place.bucket->rest[place.at]);
    }
    set_buckets(table, more.buckets, more.first_count);
    table->limit = (uint32_t)(more.first_count * PLACES / 32 * 25);
    unmap(&old);
    return true;
}

/* The block as it is in a bucket, if it is at that address. 0: memory is short. */
static uint64_t make_rest(uintptr_t address, struct hcct_heap_block block)
{
    uint64_t size = block.bytes;
    if (size >= HCCT_HEAP_LARGE) {
        uint32_t number = add_large(size);
        if (!number)
            return 0;
        size = HCCT_HEAP_LARGE + number;
    }
    return size << 40 | (uint64_t)block.context << 16 | address >> 32;
}

static enum hcct_heap_put put(struct hcct_heap_table *table, uintptr_t address, uint64_t hash,
                              struct hcct_heap_block block)
{
    if (find(table, address, hash).bucket)
        return HCCT_HEAP_KNOWN;
    if (table->count >= table->limit && !grow(table) && table->count >= place_count(table))
        return HCCT_HEAP_NO_MEMORY;
    uint64_t rest = make_rest(address, block);
    if (!rest && block.bytes >= HCCT_HEAP_LARGE)
        return HCCT_HEAP_NO_MEMORY;
    add(table, address, hash, rest);
    return HCCT_HEAP_ADDED;
}

static bool take(struct hcct_heap_table *table, uintptr_t address, uint64_t hash,
                 struct hcct_heap_block *block)
{
    struct hcct_heap_place place = find(table, address, hash);
    if (!place.bucket)
        return false;
    *block = block_at(place);
    const uint64_t kept = hcct_heap_block_at(place).bytes;
    if (kept >= HCCT_HEAP_LARGE)
        remove_large((uint32_t)(kept - HCCT_HEAP_LARGE));
    hcct_heap_blocks_empty(table, place);
    return true;
}

enum hcct_heap_put hcct_heap_blocks_put(uintptr_t address, uint64_t hash, struct hcct_heap_block block)
{
    return put(hcct_heap_table_of(hash), address, hash, block);
}

bool hcct_heap_blocks_take(uintptr_t address, uint64_t hash, struct hcct_heap_block *block)
{
    return take(hcct_heap_table_of(hash), address, hash, block);
}

/* Keeps the block that is there as a large one. False if memory is short. */
static bool make_large(struct hcct_heap_place place)
{
    const uint64_t bytes = hcct_heap_block_at(place).bytes;
    uint32_t number = bytes < HCCT_HEAP_LARGE ? add_large(bytes) : 0;
    if (number)
        place.bucket->rest[place.at] ^= (bytes ^ (HCCT_HEAP_LARGE + number)) << 40;
    return number || bytes >= HCCT_HEAP_LARGE;
}

/* Others may read it. */
static void tell_over(void)
{
    __atomic_store_n(&hcct_heap_over_count, over->count, __ATOMIC_RELAXED);
}

enum hcct_heap_put hcct_heap_blocks_put_over(uintptr_t address, uint64_t hash, struct hcct_heap_block block)
{
    struct hcct_heap_place below = find(hcct_heap_table_of(hash), address, hash);
    if (!below.bucket || !make_large(below))
        return HCCT_HEAP_NO_MEMORY;
    enum hcct_heap_put done = put(over, address, hash, block);
    tell_over();
    return done;
}

bool hcct_heap_blocks_take_over(uintptr_t address, uint64_t hash, struct hcct_heap_block *block)
{
    bool done = over->count && take(over, address, hash, block);
    if (done)
        tell_over();
    return done;
}

/* --- all blocks ---------------------------------------------------------------------------------- */

size_t hcct_heap_blocks_count(void)
{
    size_t count = 0;
    for (uint32_t t = 0; t < TABLES; t++)
        count += hcct_heap_tables[t].count;
    return count;
}

/* The address itself is not made: as a pointer to the block, it could be left in a register. */
static struct hcct_heap_packed pack(struct hcct_heap_place place)
{
    const struct hcct_heap_block block = block_at(place);
    const uint64_t high = place.bucket->rest[place.at] << 48,
                   low = -((uint64_t)place.bucket->negated[place.at] << 16);
    return (struct hcct_heap_packed){ high | (low & UINT64_C(0xffffffff0000)) | block.context >> 16,
                                      block.bytes << 16 | (block.context & 0xffff) };
}

void hcct_heap_blocks_copy(struct hcct_heap_packed *to)
{
    for (const struct hcct_heap_table *table = hcct_heap_tables; table < hcct_heap_tables + TABLES; table++)
        for (size_t i = 0; i < place_count(table); i++) {
            struct hcct_heap_place place = place_number(table, i);
            if (is_used(place))
                *to++ = pack(place);
        }
}

/* to: NULL: none counts. */
static void move(const struct hcct_heap_table *table, const uint32_t *to)
{
    for (size_t i = 0; i < place_count(table); i++) {
        struct hcct_heap_place place = place_number(table, i);
        const uint32_t context = hcct_heap_block_at(place).context;
        const uint32_t next = to && context != HCCT_HEAP_UNCOUNTED ? to[context] : HCCT_HEAP_UNCOUNTED;
        if (is_used(place))
            place.bucket->rest[place.at] ^= (uint64_t)(context ^ next) << 16;
    }
}

void hcct_heap_blocks_move(const uint32_t *to)
{
    for (const struct hcct_heap_table *table = hcct_heap_tables; table < hcct_heap_tables + TABLES; table++)
        move(table, to);
}

void hcct_heap_blocks_uncount(void)
{
    for (const struct hcct_heap_table *table = hcct_heap_tables; table < hcct_heap_tables + TABLES; table++)
        move(table, NULL);
}

void hcct_heap_blocks_clear(void)
{
    for (const struct hcct_heap_table *table = hcct_heap_tables; table < hcct_heap_tables + TABLES; table++)
        unmap(table);
    if (large.room)
        hcct_memory_unmap(large.sizes, large.room * sizeof *large.sizes);
    hcct_heap_blocks_abandon();
}

void hcct_heap_blocks_abandon(void)
{
    for (struct hcct_heap_table *table = hcct_heap_tables; table < hcct_heap_tables + TABLES; table++) {
        set_buckets(table, nothing, 1);
        table->count = table->limit = 0;
    }
    tell_over();
    memset(&large, 0, sizeof large);
    memset(nothing, 0, sizeof nothing);
}

static bool check_table(const struct hcct_heap_table *table)
{
    uint32_t count = 0;
    for (size_t i = 0; i < place_count(table); i++) {
        struct hcct_heap_place place = place_number(table, i), found;
        if (!is_used(place)) {
            if (place.bucket->rest[place.at] || place.bucket->negated[place.at])
                return false;
            continue;
        }
        uint64_t hash = hcct_heap_blocks_hash(address_at(place));
        count++;
        found = find(table, address_at(place), hash);
        if ((table != over && hcct_heap_table_of(hash) != table) || found.bucket != place.bucket ||
            found.at != place.at)
            return false;
    }
    return count == table->count;
}

bool hcct_heap_blocks_check(size_t *count)
{
    *count = 0;
    for (uint32_t t = 0; t < TABLES; t++) {
        if (!check_table(&hcct_heap_tables[t]))
            return false;
        *count += hcct_heap_tables[t].count;
    }
    return true;
}
