/* Sets of small numbers, a bit for each, in memory that is zero at first. */
#ifndef HCCT_RUNTIME_OUTPUT_BITS_H
#define HCCT_RUNTIME_OUTPUT_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many words a set of numbers below `end` takes. */
static inline size_t hcct_bits_words(uint32_t end)
{
    return (size_t)end / 64 + 1;
}

static inline bool hcct_bits_has(const uint64_t *set, uint32_t number)
{
    return set[number / 64] >> number % 64 & 1;
}

static inline void hcct_bits_add(uint64_t *set, uint32_t number)
{
    set[number / 64] |= UINT64_C(1) << number % 64;
}

static inline void hcct_bits_drop(uint64_t *set, uint32_t number)
{
    set[number / 64] &= ~(UINT64_C(1) << number % 64);
}

/* The least number of the set that is `from` or more, or `end`. */
static inline uint32_t hcct_bits_next(const uint64_t *set, uint32_t from, uint32_t end)
{
    for (uint32_t word = from / 64; word <= end / 64; word++) {
        uint64_t bits = set[word] & (word == from / 64 ? UINT64_MAX << from % 64 : UINT64_MAX);
        if (bits)
            return word * 64 + (uint32_t)__builtin_ctzll(bits);
    }
    return end;
}

#define HCCT_BITS_EACH(number, set, end)                                                                     \
    for (uint32_t number = hcct_bits_next(set, 0, end); number < (end);                                      \
         number = hcct_bits_next(set, number + 1, end))

#endif
