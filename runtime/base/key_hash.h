/* The hash of keys for the runtime's tables.
 *
 * A key cannot be its own hash. It is a sum h + id: keys with the same prefix h are almost consecutive, or
 * have another regular pattern. This hash is a bijection, and every bit of the result depends on all bits of
 * the key.
 * Cost: two multiplications, about 3 ns. */
#ifndef HCCT_RUNTIME_BASE_KEY_HASH_H
#define HCCT_RUNTIME_BASE_KEY_HASH_H

#include <stdint.h>

static inline uint64_t hcct_key_hash(uint64_t key)
{
    key ^= key >> 32;
    key *= UINT64_C(0xE9846AF9B1A615D3);
    key ^= key >> 32;
    key *= UINT64_C(0xE9846AF9B1A615D3);
    return key ^ key >> 32;
}

/* A cheaper hash for an index that is made of the highest bits only: these depend on all of the key (Knuth,
 * volume 3, section 6.4). It spreads consecutive ids of one prefix evenly, and prefixes are hashes already.
 * Cost: a fifth of the instructions of hcct_key_hash. */
#define HCCT_KEY_FACTOR UINT64_C(0x9E3779B97F4A7C15)
static inline uint64_t hcct_key_product(uint64_t key)
{
    return key * HCCT_KEY_FACTOR;
}

/* Both halves of such a product: a hash for an index that is made of the lowest bits. Consecutive ids of many
 * prefixes are spread as if by chance, and not evenly as above, where those of one prefix lie between those
 * of another and make long runs of used places. Tables of different sizes, powers of two, have different
 * factors.
 * Cost: a third of the instructions of hcct_key_hash. */
static inline uint64_t hcct_key_factor(uint64_t size)
{
    return hcct_key_product(2 * size + 1);
}

static inline uint64_t hcct_key_fold(uint64_t key, uint64_t factor)
{
    unsigned __int128 product = (unsigned __int128)key * factor;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#endif
