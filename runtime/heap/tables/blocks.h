/* The live blocks of the heap: for each address its size and its context.
 *
 * 64 hash tables, each with its own part of the hash values, so that a table that grows moves only 1/64 of
 * all blocks. A table grows by a quarter when it is 13/16 full: 16 bytes a block are 20 to 25 bytes of
 * memory.
 * Cost: one cache line, usually.
 * Threads: under the table lock. */
#ifndef HCCT_RUNTIME_HEAP_BLOCKS_H
#define HCCT_RUNTIME_HEAP_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/key_hash.h"

struct hcct_heap_block {
    uint64_t bytes;   /* less than 2^48 */
    uint32_t context; /* less than 2^24 */
};

/* Adds the block at `address`, which is not 0 and below 2^48. KNOWN: there is one, which stays as it was. */
enum hcct_heap_put { HCCT_HEAP_ADDED, HCCT_HEAP_KNOWN, HCCT_HEAP_NO_MEMORY };
enum hcct_heap_put hcct_heap_blocks_put(uintptr_t address, uint64_t hash, struct hcct_heap_block block);
/* Puts `block` in the place of the one that is known at `address`, which is returned. */
struct hcct_heap_block hcct_heap_blocks_replace(uintptr_t address, struct hcct_heap_block block);
/* Removes the block at `address`, and tells what it was. False if it is not known. */
bool hcct_heap_blocks_take(uintptr_t address, uint64_t hash, struct hcct_heap_block *block);
/* What the functions above need of the address. */
static inline uint64_t hcct_heap_blocks_hash(uintptr_t address)
{
    return hcct_key_hash(address);
}
/* One of these will be called soon. Needs no lock. */
void hcct_heap_blocks_prefetch(uint64_t hash);
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
/* Forgets all blocks, and frees their memory. */
void hcct_heap_blocks_clear(void);
/* The same, but the tables may be in the middle of a change: their memory is left alone. */
void hcct_heap_blocks_abandon(void);
/* Whether the tables are sound: every block is found where it stands. *count: how many there are. For
 * tests. */
bool hcct_heap_blocks_check(size_t *count);

#endif
