/* Quotients of 128 bits. The compiler's `/` calls __udivti3 of its own library for them, which a program that
 * is linked with -nodefaultlibs may lack. So the runtime needs the C library only.
 *
 * Cost: some ten instructions for each bit of the quotient if the numerator is 2^64 or more. */
#ifndef HCCT_FORMAT_DIVIDE_H
#define HCCT_FORMAT_DIVIDE_H

#include <stdint.h>

static inline int hcct_leading_zeros(unsigned __int128 number)
{
    uint64_t high = (uint64_t)(number >> 64), low = (uint64_t)number;
    return high ? __builtin_clzll(high) : low ? 64 + __builtin_clzll(low) : 128;
}

/* numerator / denominator, rounded down. The denominator is not 0. */
static inline unsigned __int128 hcct_quotient(unsigned __int128 numerator, unsigned __int128 denominator)
{
    if (numerator < denominator)
        return 0;
    if (!(numerator >> 64))
        return (uint64_t)numerator / (uint64_t)denominator;
    unsigned __int128 quotient = 0;
    int shift = hcct_leading_zeros(denominator) - hcct_leading_zeros(numerator);
    for (denominator <<= shift; shift >= 0; shift--, denominator >>= 1) {
        quotient <<= 1;
        if (numerator >= denominator) {
            numerator -= denominator;
            quotient |= 1;
        }
    }
    return quotient;
}

#endif
