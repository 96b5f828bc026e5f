/* The live blocks of the heap: for each address its size and its context.
 *
 * 64 hash tables, each with its own part of the hash values, so that a table that grows moves only 1/64 of
 * all blocks. A table grows by half when it is 25/32 full: so a block takes 16 to 25 bytes of memory.
 * A bucket is a cache line with five places. A block is in its home, the bucket that its address says, or, if
 * that was full, in one of the next ones. The home counts the blocks that are not in it, and knows how far
 * the farthest ever was. So most searches end in the home, and nothing has to move when a block is removed.
 *
 * Blocks that are allocated one after the other often end one after the other, too, and are neighbours. So
 * their homes should be near each other: the processor fetches the next lines beforehand. A region, 1,024
 * bytes of addresses, has a group, 32 buckets one behind the other; a bucket is the home of 32 bytes of it.
 * A hash spreads the regions. There are fewer buckets than all groups have, so groups overlap, and a bucket
 * usually has blocks of several. Where more of them overlap than elsewhere, blocks go into the buckets
 * behind. That is seldom, but with blocks of less than 32 bytes: a home has several of each group then, so
 * that one group more is too many.
 * A block may lie over another one at the same address: the first one of a pool over the slab that the pool
 * got from malloc. Such blocks are in a table of their own. The block below is kept as large ones are: so its
 * end is no usual change, and what lies over it is not forgotten.
 * Cost: one cache line, usually. About 55 instructions to put a block, 50 to take it.
 * Threads: under the table lock. */
#ifndef HCCT_RUNTIME_HEAP_BLOCKS_H
#define HCCT_RUNTIME_HEAP_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/key_hash.h"
#include "runtime/base/machine.h"

struct hcct_heap_block {
    uint64_t bytes;   /* less than 2^48 */
    uint32_t context; /* less than 2^24 */
};

/* The context of blocks that are known for the search for pointers (scan.h) and do not count. */
#define HCCT_HEAP_UNCOUNTED UINT32_C(0xffffff)

/* Adds the block at `address`, which is not 0 and below 2^48. KNOWN: there is one, which stays as it was. */
enum hcct_heap_put { HCCT_HEAP_ADDED, HCCT_HEAP_KNOWN, HCCT_HEAP_NO_MEMORY };
enum hcct_heap_put hcct_heap_blocks_put(uintptr_t address, uint64_t hash, struct hcct_heap_block block);
/* Removes the block at `address`, and tells what it was. False if it is not known. */
bool hcct_heap_blocks_take(uintptr_t address, uint64_t hash, struct hcct_heap_block *block);
/* The same of a block over one that is known at this address, and of what lies over one. */
enum hcct_heap_put hcct_heap_blocks_put_over(uintptr_t address, uint64_t hash, struct hcct_heap_block block);
bool hcct_heap_blocks_take_over(uintptr_t address, uint64_t hash, struct hcct_heap_block *block);
/* The bytes of a region, and the buckets of a group. */
enum { HCCT_HEAP_REGION_LOG2 = 10, HCCT_HEAP_GROUP_LOG2 = 5, HCCT_HEAP_GROUP = 1 << HCCT_HEAP_GROUP_LOG2 };
/* What the functions above need of the address: where its region's group is. Fibonacci hashing (Knuth,
 * volume 3, section 6.4): regions that are neighbours are spread more evenly than by chance. The higher bits
 * are added since large steps between blocks, as between pages, would not be. */
static inline uint64_t hcct_heap_blocks_hash(uintptr_t address)
{
    uintptr_t region = address >> HCCT_HEAP_REGION_LOG2;
    return (region ^ region >> 10) * UINT64_C(0x9E3779B97F4A7C15);
}
/* A block in a form that is no pointer to it, so that a search for pointers does not find it. */
struct hcct_heap_packed {
    uint64_t address, bytes;
};
static inline uintptr_t hcct_heap_packed_address(struct hcct_heap_packed packed)
{
    return (uintptr_t)(packed.address >> 16);
}
static inline struct hcct_heap_block hcct_heap_packed_block(struct hcct_heap_packed packed)
{
    return (struct hcct_heap_block){ packed.bytes >> 16, (uint32_t)(packed.address & 0xff) << 16 |
                                                             (uint32_t)(packed.bytes & 0xffff) };
}
size_t hcct_heap_blocks_count(void);
/* Copies all blocks, in no order. `to` has room for hcct_heap_blocks_count() of them. */
void hcct_heap_blocks_copy(struct hcct_heap_packed *to);
/* Each block of context c becomes one of context to[c]. */
void hcct_heap_blocks_move(const uint32_t *to);
/* No block counts any more. */
void hcct_heap_blocks_uncount(void);
/* Forgets all blocks, and frees their memory. */
void hcct_heap_blocks_clear(void);
/* Begins with no blocks. The tables may be in the middle of a change: their memory is left alone. Before any
 * of the other functions. */
void hcct_heap_blocks_abandon(void);
/* Whether the tables are sound: every block is found where it stands. *count: how many there are. For
 * tests. */
bool hcct_heap_blocks_check(size_t *count);

/* --- the usual change, in line ---------------------------------------------------------------------- */

enum { HCCT_HEAP_PLACES = 5, HCCT_HEAP_TABLES_LOG2 = 6 };
/* The last table is that of blocks over others. */
enum { HCCT_HEAP_OVER = 1 << HCCT_HEAP_TABLES_LOG2, HCCT_HEAP_TABLES };
/* Sizes below this are in the bucket. */
#define HCCT_HEAP_LARGE (UINT64_C(1) << 23)

struct hcct_heap_bucket {
    /* From the highest bit: one that tells a large block; the size, or the large block's number (blocks.c);
     * 24 bits of the context; the high 16 bits of the address. 0 in an empty place, as in `negated` */
    _Alignas(64) uint64_t rest[HCCT_HEAP_PLACES];
    /* the low half of the address, negated, so that a register with it is no pointer to the block (scan.h) */
    uint32_t negated[HCCT_HEAP_PLACES];
    /* from the lowest bit: one for each place that is used; how many blocks are elsewhere, 13 bits; how many
     * buckets behind, at most, 14 bits. A number that is _MOST is not known any more, and stays */
    uint32_t state;
};
#define HCCT_HEAP_ALL_USED ((UINT32_C(1) << HCCT_HEAP_PLACES) - 1)
#define HCCT_HEAP_ONE_AWAY (UINT32_C(1) << HCCT_HEAP_PLACES)
#define HCCT_HEAP_ONE_BEHIND (UINT32_C(1) << 18)
#define HCCT_HEAP_AWAY_MOST (HCCT_HEAP_ONE_BEHIND / HCCT_HEAP_ONE_AWAY - 1)
#define HCCT_HEAP_BEHIND_MOST (UINT32_MAX / HCCT_HEAP_ONE_BEHIND)

struct hcct_heap_table {
    _Alignas(32) struct hcct_heap_bucket *buckets;
    uint64_t first_count; /* how many buckets may be the first of a group */
    uint32_t count;
    uint32_t limit; /* it grows when it has so many blocks */
};
extern __attribute__((visibility("hidden"))) struct hcct_heap_table hcct_heap_tables[HCCT_HEAP_TABLES];

/* How many blocks lie over others. May be read without a lock: the number has the calling thread's own
 * blocks, unless they are in notes that were not applied yet. */
extern __attribute__((visibility("hidden"))) uint32_t hcct_heap_over_count;

static inline const struct hcct_heap_bucket *hcct_heap_buckets_end(const struct hcct_heap_table *table)
{
    return table->buckets + table->first_count + HCCT_HEAP_GROUP - 1;
}

/* Ends what the compiler knows of a pointer. Otherwise it keeps what the pointer was made of in registers,
 * beside it, and those that are left are too few: each that has to be saved takes two instructions. */
#define HCCT_HEAP_JUST(pointer) __asm__("" : "+r"(pointer))

static inline struct hcct_heap_table *hcct_heap_table_of(uint64_t hash)
{
    struct hcct_heap_table *table = &hcct_heap_tables[hash >> (64 - HCCT_HEAP_TABLES_LOG2)];
    HCCT_HEAP_JUST(table);
    return table;
}

/* The bucket where the search for a block begins. */
static inline struct hcct_heap_bucket *hcct_heap_bucket_of(const struct hcct_heap_table *table, uint64_t hash,
                                                           uintptr_t address)
{
    const uint64_t size = sizeof(struct hcct_heap_bucket), part = hash << HCCT_HEAP_TABLES_LOG2 >> 32;
    /* size * (part * first_count / 2^32) */
    uint64_t first = (part * __atomic_load_n(&table->first_count, __ATOMIC_RELAXED) >> 26) & -size;
    uint64_t in_group = address >> (HCCT_HEAP_REGION_LOG2 - HCCT_HEAP_GROUP_LOG2) & (HCCT_HEAP_GROUP - 1);
    return (struct hcct_heap_bucket *)((char *)__atomic_load_n(&table->buckets, __ATOMIC_RELAXED) + first +
                                       in_group * size);
}

/* A block will be looked for soon. Needs no lock. The loads pair with the stores of blocks.c. The two may not
 * fit each other: a prefetch of any address does no harm. */
static inline void hcct_heap_blocks_prefetch(uintptr_t address)
{
    const uint64_t hash = hcct_heap_blocks_hash(address);
    hcct_machine_prefetch(hcct_heap_bucket_of(hcct_heap_table_of(hash), hash, address));
}

/* The place in the bucket with the low half of the address, or HCCT_HEAP_PLACES. */
static inline __attribute__((always_inline)) size_t
hcct_heap_bucket_find(const struct hcct_heap_bucket *bucket, uintptr_t address)
{
    size_t i = 0;
    while (i < HCCT_HEAP_PLACES && bucket->negated[i] != (uint32_t)-address)
        i++;
    return i;
}

static inline __attribute__((always_inline)) void
hcct_heap_bucket_fill(struct hcct_heap_bucket *bucket, uint32_t state, uintptr_t address, uint64_t rest)
{
    unsigned i = (unsigned)__builtin_ctz(~state);
    bucket->rest[i] = rest;
    bucket->negated[i] = (uint32_t)-address;
    bucket->state = state | (state + 1);
}

/* Of a block whose home is full, or has blocks elsewhere. */
static inline __attribute__((always_inline)) bool
hcct_heap_blocks_put_near(const struct hcct_heap_table *table, struct hcct_heap_bucket *home,
                          uintptr_t address, uint64_t rest)
{
    const struct hcct_heap_bucket *next = home + 1;
    const uint32_t state = home->state;
    if (state >= 2 * HCCT_HEAP_ONE_BEHIND || next == hcct_heap_buckets_end(table) ||
        hcct_heap_bucket_find(next, address) < HCCT_HEAP_PLACES)
        return false;
    if ((state & HCCT_HEAP_ALL_USED) != HCCT_HEAP_ALL_USED) {
        hcct_heap_bucket_fill(home, state, address, rest);
        __asm__ volatile(
            ""); /* or else it would be merged with what is more usual, which would take longer */
        return true;
    }
    if ((next->state & HCCT_HEAP_ALL_USED) == HCCT_HEAP_ALL_USED)
        return false;
    home->state = (state + HCCT_HEAP_ONE_AWAY) | HCCT_HEAP_ONE_BEHIND;
    HCCT_HEAP_JUST(home); /* the other state is loaded again, in the register of this one */
    hcct_heap_bucket_fill(home + 1, home[1].state, address, rest);
    return true;
}

/* As hcct_heap_blocks_put, of a block that is not large. Returns false, and does nothing, if there is more to
 * do than to look into two buckets. */
static inline __attribute__((always_inline)) bool hcct_heap_blocks_put_usual(struct hcct_heap_table *table,
                                                                             uint64_t hash, uintptr_t address,
                                                                             struct hcct_heap_block block)
{
    struct hcct_heap_bucket *home = hcct_heap_bucket_of(table, hash, address);
    HCCT_HEAP_JUST(home);
    const uint64_t rest = block.bytes << 40 | (uint64_t)block.context << 16 | address >> 32;
    const uint32_t state = home->state;
    if (__builtin_expect(
            table->count >= table->limit || hcct_heap_bucket_find(home, address) < HCCT_HEAP_PLACES, 0))
        return false;
    HCCT_HEAP_JUST(table);
    if (__builtin_expect(state < HCCT_HEAP_ALL_USED, 1))
        hcct_heap_bucket_fill(home, state, address, rest);
    else if (!hcct_heap_blocks_put_near(table, home, address, rest))
        return false;
    table->count++;
    return true;
}

/* A place of a block, and its home. */
struct hcct_heap_place {
    struct hcct_heap_bucket *bucket, *home;
    size_t at;
};

/* Finds the block. Returns false if there is more to do than to look into two buckets. */
static inline __attribute__((always_inline)) bool
hcct_heap_blocks_find_usual(const struct hcct_heap_table *table, uint64_t hash, uintptr_t address,
                            struct hcct_heap_place *place)
{
    place->bucket = place->home = hcct_heap_bucket_of(table, hash, address);
    place->at = hcct_heap_bucket_find(place->bucket, address);
    if (__builtin_expect(place->at == HCCT_HEAP_PLACES, 0)) {
        if (place->home->state < HCCT_HEAP_ONE_BEHIND || ++place->bucket == hcct_heap_buckets_end(table))
            return false;
        place->at = hcct_heap_bucket_find(place->bucket, address);
        if (place->at == HCCT_HEAP_PLACES)
            return false;
    }
    return (uint16_t)place->bucket->rest[place->at] == address >> 32;
}

/* The block that is there. If it is large, the size is HCCT_HEAP_LARGE and its number. */
static inline __attribute__((always_inline)) struct hcct_heap_block
hcct_heap_block_at(struct hcct_heap_place place)
{
    const uint64_t rest = place.bucket->rest[place.at];
    return (struct hcct_heap_block){ rest >> 40, (uint32_t)(rest >> 16 & 0xffffff) };
}

/* One of the blocks of the bucket that are elsewhere is gone. */
static inline void hcct_heap_bucket_remove_away(struct hcct_heap_bucket *home)
{
    const uint32_t away = home->state % HCCT_HEAP_ONE_BEHIND / HCCT_HEAP_ONE_AWAY;
    if (away == 1)
        home->state &= HCCT_HEAP_ALL_USED;
    else if (away < HCCT_HEAP_AWAY_MOST)
        home->state -= HCCT_HEAP_ONE_AWAY;
}

static inline __attribute__((always_inline)) void hcct_heap_blocks_empty(struct hcct_heap_table *table,
                                                                         struct hcct_heap_place place)
{
    place.bucket->negated[place.at] = 0;
    place.bucket->rest[place.at] = 0;
    place.bucket->state &= ~(1u << place.at);
    table->count--;
    if (__builtin_expect(place.bucket != place.home, 0))
        hcct_heap_bucket_remove_away(place.home);
}

#endif
