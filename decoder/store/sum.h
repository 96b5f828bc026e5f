/* Counts come from files: sums stop at the largest number instead of wrapping. */
#ifndef HCCT_DECODER_STORE_SUM_H
#define HCCT_DECODER_STORE_SUM_H

#include <stdint.h>

static inline uint64_t hcct_sum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

#endif
