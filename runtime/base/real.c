/* See real.h. */
#include "runtime/base/real.h"

#include <stddef.h>

#include "format/divide.h"

enum { FRACTION_BITS = 52, BIAS = 1023 + FRACTION_BITS, INFINITE = 2047 };

static int width_of(unsigned __int128 number)
{
    uint64_t high = (uint64_t)(number >> 64), low = (uint64_t)number;
    return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

/* The number is mantissa * 2^exponent. */
static uint64_t mantissa_of(union hcct_real real)
{
    uint64_t one = UINT64_C(1) << FRACTION_BITS;
    return real.bits ? (real.bits & (one - 1)) | one : 0;
}

static int exponent_of(union hcct_real real)
{
    return (int)(real.bits >> FRACTION_BITS) - BIAS;
}

union hcct_real hcct_real_of(unsigned __int128 mantissa, int exponent)
{
    int shift = width_of(mantissa) - (FRACTION_BITS + 1);
    if (!mantissa)
        return (union hcct_real){ 0 };
    if (shift > 0) {
        unsigned __int128 half = (unsigned __int128)1 << (shift - 1), rest = mantissa & (2 * half - 1);
        mantissa >>= shift;
        mantissa += rest > half || (rest == half && (mantissa & 1));
    } else {
        mantissa <<= -shift;
    }
    int biased = exponent + shift + BIAS;
    if (biased <= 0)
        return (union hcct_real){ 0 };
    if (biased >= INFINITE)
        return (union hcct_real){ (uint64_t)INFINITE << FRACTION_BITS };
    /* The mantissa's highest bit adds 1 to the exponent; where rounding made it 2^53, another one. */
    return (union hcct_real){ ((uint64_t)(biased - 1) << FRACTION_BITS) + (uint64_t)mantissa };
}

/* The integer quotient has at least 64 bits. Its last bit is set if the division leaves a remainder, so that
 * rounding is right. */
union hcct_real hcct_real_quotient(union hcct_real a, union hcct_real b)
{
    unsigned __int128 numerator = (unsigned __int128)mantissa_of(a) << 64;
    uint64_t denominator = mantissa_of(b);
    unsigned __int128 quotient = hcct_quotient(numerator, denominator);
    return hcct_real_of(quotient | (quotient * denominator != numerator),
                        exponent_of(a) - exponent_of(b) - 64);
}

/* factor * number, rounded to the nearest if `half`, else down. */
static uint64_t multiply(union hcct_real factor, uint64_t number, bool half)
{
    unsigned __int128 product = (unsigned __int128)mantissa_of(factor) * number;
    int exponent = exponent_of(factor);
    if (!product || exponent < -127) /* the product has at most 117 bits, so the result is 0 */
        return 0;
    if (exponent >= 0)
        return width_of(product) + exponent > 64 ? UINT64_MAX : (uint64_t)product << exponent;
    product = (product + (half ? (unsigned __int128)1 << (-exponent - 1) : 0)) >> -exponent;
    return product >> 64 ? UINT64_MAX : (uint64_t)product;
}

uint64_t hcct_real_times(union hcct_real factor, uint64_t number)
{
    return multiply(factor, number, false);
}

uint64_t hcct_real_times_nearest(union hcct_real factor, uint64_t number)
{
    return multiply(factor, number, true);
}

/* --- text ---------------------------------------------------------------------------------------- */

enum { MOST_ZEROS = 330, MOST_DIGITS = 1100 };

/* The number 0.d[0]d[1]... in decimal digits, with the leading zeros. */
struct decimal {
    unsigned char digits[MOST_ZEROS + MOST_DIGITS];
    size_t count;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads an exponent with its sign. A value of more than six digits stops growing: it is too large anyway. */
static const char *read_exponent(const char *text, int *exponent)
{
    int sign = *text == '-' ? -1 : 1, value = 0;
    text += *text == '-' || *text == '+';
    if (!is_digit(*text))
        return NULL;
    for (; is_digit(*text); text++)
        value = value < 100000 ? value * 10 + (*text - '0') : value;
    *exponent = sign * value;
    return text;
}

/* False if the text is no number, or one of 1 or more, or far too small. */
static bool read_decimal(const char *text, struct decimal *decimal)
{
    unsigned char *digits = decimal->digits + MOST_ZEROS;
    int count = 0, point = 0, exponent = 0; /* the decimal point stands before digit number `point` */
    bool any = false, behind = false;
    for (text += *text == '+'; is_digit(*text) || (*text == '.' && !behind); text++) {
        if (*text == '.') {
            behind = true;
            continue;
        }
        any = true;
        if (count || *text != '0') {
            if (count == MOST_DIGITS)
                return false;
            digits[count++] = (unsigned char)(*text - '0');
        }
        point += count ? !behind : -behind;
    }
    if (any && (*text == 'e' || *text == 'E') && !(text = read_exponent(text + 1, &exponent)))
        return false;
    point += exponent;
    if (!any || *text || !count || point > 0 || point < -MOST_ZEROS)
        return false;
    memmove(decimal->digits - point, digits, (size_t)count);
    memset(decimal->digits, 0, (size_t)-point);
    decimal->count = (size_t)(count - point);
    return true;
}

/* Doubles the number. Returns the digit before the point (0 or 1) and removes it. */
static unsigned take_bit(struct decimal *decimal)
{
    unsigned carry = 0;
    for (size_t i = decimal->count; i-- > 0; carry /= 10) {
        carry += 2u * decimal->digits[i];
        decimal->digits[i] = (unsigned char)(carry % 10);
    }
    while (decimal->count && !decimal->digits[decimal->count - 1])
        decimal->count--;
    return carry;
}

/* Reads one bit more than a double's fraction has, and whether any digit is left: this is enough to round. */
bool hcct_real_read_share(const char *text, union hcct_real *share)
{
    struct decimal decimal;
    uint64_t mantissa = 0;
    int exponent = 0;
    if (!read_decimal(text, &decimal))
        return false;
    for (; !(mantissa >> (FRACTION_BITS + 1)); exponent--)
        mantissa = mantissa << 1 | take_bit(&decimal);
    union hcct_real real =
        hcct_real_of((unsigned __int128)mantissa << 1 | (decimal.count != 0), exponent - 1);
    if (!real.bits || real.bits >= hcct_real_of(1, 0).bits)
        return false;
    *share = real;
    return true;
}
