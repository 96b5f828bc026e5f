/* The hash of context ids for the tables of runtime/. Ids are sums h + id: under one prefix they are nearly
 * consecutive, or regular in any other bits, so a key is no hash of itself. A bijection; every bit of the
 * result depends on all of the key; two multiplications, about 3 ns. */
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

/* A fifth of the instructions, for an index by the highest bits (Knuth, volume 3, section 6.4): those depend
 * on all of the key. Ids of one prefix, which follow each other, are spread evenly, and prefixes are
 * hashes. */
static inline uint64_t hcct_key_product(uint64_t key)
{
    return key * UINT64_C(0x9E3779B97F4A7C15);
}

#endif
