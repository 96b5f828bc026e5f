/* See blocks.h.
 *
 *    offset  bits
 *    0       0..15   context, high half
 *            16..63  address
 *    8       0..15   context, low half
 *            16..63  bytes
 *
 * A place whose first word is 0 is empty. */
#include "runtime/heap/blocks.h"

#include "runtime/base/key_hash.h"
#include "runtime/base/memory.h"

struct place {
    uint64_t address, bytes;
};

struct table {
    struct place *places;
    uint32_t room, count;
};

enum { TABLES_LOG2 = 6, TABLES = 1 << TABLES_LOG2, FIRST_ROOM = 256 };
static struct table tables[TABLES];
static size_t block_count;

static struct place pack(uintptr_t address, struct hcct_heap_block block)
{
    return (struct place){ (uint64_t)address << 16 | block.context >> 16,
                           block.bytes << 16 | (block.context & 0xffff) };
}

static uintptr_t address_of(struct place place)
{
    return (uintptr_t)(place.address >> 16);
}

static struct hcct_heap_block block_of(struct place place)
{
    return (struct hcct_heap_block){ place.bytes >> 16,
                                     (uint32_t)(place.address & 0xffff) << 16 | (place.bytes & 0xffff) };
}

static uint64_t hash_of(uintptr_t address)
{
    return hcct_key_hash(address);
}

static struct table *table_of(uint64_t hash)
{
    return &tables[hash >> (64 - TABLES_LOG2)];
}

/* The place where the search for a block begins. */
static uint32_t home_of(const struct table *table, uint64_t hash)
{
    return (uint32_t)(((hash << TABLES_LOG2 >> 32) * table->room) >> 32);
}

static uint32_t next_of(const struct table *table, uint32_t at)
{
    return at + 1 == table->room ? 0 : at + 1;
}

/* The place of the block, or the empty one that ends the search. */
static uint32_t find(const struct table *table, uintptr_t address, uint64_t hash)
{
    uint32_t at = home_of(table, hash);
    while (table->places[at].address && address_of(table->places[at]) != address)
        at = next_of(table, at);
    return at;
}

static bool grow(struct table *table)
{
    struct table more = { NULL, table->room ? table->room / 4 * 5 : FIRST_ROOM, table->count };
    if (more.room < table->room)
        return false;
    more.places = hcct_memory_map((size_t)more.room * sizeof *more.places);
    if (!more.places)
        return false;
    for (uint32_t i = 0; i < table->room; i++)
        if (table->places[i].address) {
            uintptr_t address = address_of(table->places[i]);
            more.places[find(&more, address, hash_of(address))] = table->places[i];
        }
    hcct_memory_unmap(table->places, (size_t)table->room * sizeof *table->places);
    *table = more;
    return true;
}

bool hcct_heap_blocks_add(uintptr_t address, struct hcct_heap_block block)
{
    uint64_t hash = hash_of(address);
    struct table *table = table_of(hash);
    /* without memory for more, a table fills up to its last place but one, which ends every search */
    if (table->count >= table->room / 4 * 3 && !grow(table) && table->count + 1 >= table->room)
        return false;
    table->places[find(table, address, hash)] = pack(address, block);
    table->count++;
    block_count++;
    return true;
}

/* Whether a search that begins at `home` passes `hole` before it comes to `at`. */
static bool passes(uint32_t home, uint32_t hole, uint32_t at)
{
    return hole <= at ? home <= hole || home > at : home <= hole && home > at;
}

bool hcct_heap_blocks_take(uintptr_t address, struct hcct_heap_block *block)
{
    uint64_t hash = hash_of(address);
    struct table *table = table_of(hash);
    if (!table->room)
        return false;
    uint32_t hole = find(table, address, hash);
    if (!table->places[hole].address)
        return false;
    *block = block_of(table->places[hole]);
    for (uint32_t at = next_of(table, hole); table->places[at].address; at = next_of(table, at))
        if (passes(home_of(table, hash_of(address_of(table->places[at]))), hole, at)) {
            table->places[hole] = table->places[at];
            hole = at;
        }
    table->places[hole] = (struct place){ 0 };
    table->count--;
    block_count--;
    return true;
}

void hcct_heap_blocks_move(const uint32_t *to)
{
    for (uint32_t t = 0; t < TABLES; t++)
        for (uint32_t i = 0; i < tables[t].room; i++) {
            struct place *place = &tables[t].places[i];
            struct hcct_heap_block block = block_of(*place);
            if (!place->address)
                continue;
            block.context = to[block.context];
            *place = pack(address_of(*place), block);
        }
}

void hcct_heap_blocks_each(void (*visit)(uintptr_t address, struct hcct_heap_block block, void *context),
                           void *context)
{
    for (uint32_t t = 0; t < TABLES; t++)
        for (uint32_t i = 0; i < tables[t].room; i++)
            if (tables[t].places[i].address)
                visit(address_of(tables[t].places[i]), block_of(tables[t].places[i]), context);
}

void hcct_heap_blocks_clear(void)
{
    for (uint32_t t = 0; t < TABLES; t++)
        hcct_memory_unmap(tables[t].places, (size_t)tables[t].room * sizeof *tables[t].places);
    hcct_heap_blocks_abandon();
}

void hcct_heap_blocks_abandon(void)
{
    for (uint32_t t = 0; t < TABLES; t++)
        tables[t] = (struct table){ 0 };
    block_count = 0;
}

size_t hcct_heap_blocks_count(void)
{
    return block_count;
}

bool hcct_heap_blocks_check(void)
{
    size_t found = 0;
    for (uint32_t t = 0; t < TABLES; t++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < tables[t].room; i++) {
            if (!tables[t].places[i].address)
                continue;
            uintptr_t address = address_of(tables[t].places[i]);
            count++;
            if (table_of(hash_of(address)) != &tables[t] || find(&tables[t], address, hash_of(address)) != i)
                return false;
        }
        if (count != tables[t].count || (tables[t].room && count >= tables[t].room))
            return false;
        found += count;
    }
    return found == block_count;
}
