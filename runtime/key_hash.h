/* The hash of context ids for the tables of runtime/. Ids are sums h + id: under one prefix they are nearly
 * consecutive, or regular in any other bits, so a key is no hash of itself. A bijection; every bit of the result
 * depends on all of the key; two multiplications, about 3 ns. */
#ifndef HCCT_RUNTIME_KEY_HASH_H
#define HCCT_RUNTIME_KEY_HASH_H

#include <stdint.h>

static inline uint64_t hcct_key_hash(uint64_t key)
{
    key ^= key >> 32;
    key *= UINT64_C(0xE9846AF9B1A615D3);
    key ^= key >> 32;
    key *= UINT64_C(0xE9846AF9B1A615D3);
    return key ^ key >> 32;
}

#endif
