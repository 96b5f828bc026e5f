/* Numbers that are doubles in the file, computed with integers: the runtime may not touch the program's
 * floating-point flags, and an exception that the program traps would end it. The compiler enforces it
 * (-mgeneral-regs-only), test/e2e/guest/floating-point-code.test shows it.
 *
 * Every result is the nearest double, ties to even, in whatever direction the program rounds. Numbers are 0
 * or more and finite; what is below 2^-1022 is 0. Signals, threads: no state. */
#ifndef HCCT_RUNTIME_BASE_REAL_H
#define HCCT_RUNTIME_BASE_REAL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Of two numbers the larger one has the larger bits. */
union hcct_real {
    uint64_t bits;
    double value; /* for constants, and outside of the process */
};

/* mantissa * 2^exponent. */
union hcct_real hcct_real_of(unsigned __int128 mantissa, int exponent);
/* a / b; b is not 0. */
union hcct_real hcct_real_quotient(union hcct_real a, union hcct_real b);
/* factor * number, rounded down or to the nearest; UINT64_MAX if it is more. */
uint64_t hcct_real_times(union hcct_real factor, uint64_t number);
uint64_t hcct_real_times_nearest(union hcct_real factor, uint64_t number);
/* A decimal number above 0 and below 1, such as 0.0001 or 1e-4; false if the text is anything else. */
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
