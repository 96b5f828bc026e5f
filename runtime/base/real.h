/* Numbers that are doubles in the profile, computed with integer instructions. The runtime must not change
 * the program's floating-point flags, and an exception that the program traps would end it. The compiler
 * enforces this (-mgeneral-regs-only), and test/e2e/guest/floating-point-code.test shows it.
 *
 * Every result is the nearest double, ties to even, in whatever direction the program rounds. Numbers are
 * finite and not negative. A result below 2^-1022 becomes 0.
 * Threads: no state. Signals: async-signal-safe. */
#ifndef HCCT_RUNTIME_BASE_REAL_H
#define HCCT_RUNTIME_BASE_REAL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* `bits` compare in the same order as the numbers. */
union hcct_real {
    uint64_t bits;
    double value; /* for constants, and for code outside of the process */
};

/* mantissa * 2^exponent. */
union hcct_real hcct_real_of(unsigned __int128 mantissa, int exponent);
/* a / b; b is not 0. */
union hcct_real hcct_real_quotient(union hcct_real a, union hcct_real b);
/* factor * number, rounded down (first) or to the nearest (second); UINT64_MAX if the result is larger. */
uint64_t hcct_real_times(union hcct_real factor, uint64_t number);
uint64_t hcct_real_times_nearest(union hcct_real factor, uint64_t number);
/* Reads a decimal number between 0 and 1, such as 0.0001 or 1e-4. False if the text is anything else. */
bool hcct_real_read_share(const char *text, union hcct_real *share);

static inline union hcct_real hcct_real_get(const double *field)
{
    union hcct_real real;
    memcpy(&real.bits, field, sizeof real.bits);
    return real;
}

static inline void hcct_real_set(double *field, union hcct_real real)
{
    memcpy(field, &real.bits, sizeof real.bits);
}

#endif
