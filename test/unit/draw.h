/* Pseudorandom numbers for unit tests, the same in every run. */
#ifndef HCCT_TEST_DRAW_H
#define HCCT_TEST_DRAW_H

#include <math.h>
#include <stdint.h>

static uint64_t random_state; /* a test may set it, to begin again */

static inline uint64_t draw(void) /* splitmix64 */
{
    uint64_t z = random_state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static inline uint64_t draw_below(uint64_t limit)
{
    return draw() % limit;
}

/* 1 .. limit, r about in proportion to 1 / r. */
static inline uint64_t draw_zipf(uint64_t limit)
{
    uint64_t rank = (uint64_t)exp((double)(draw() >> 11) * 0x1p-53 * log((double)limit + 1));
    return rank < limit ? rank : limit;
}

#endif
