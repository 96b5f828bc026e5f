/* hcct_real_*: doubles made by integers are those that the processor and the C library make where they round
 * to the nearest, in every rounding direction and without a flag. */
#include "runtime/base/real.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "format/divide.h"
#include "test/unit/check.h"
#include "test/unit/draw.h"

/* Of any magnitude. */
static uint64_t draw_number(void)
{
    return draw() >> draw() % 64;
}

static union hcct_real real(double value)
{
    return (union hcct_real){ .value = value };
}

static void test_numbers(void)
{
    CHECK(hcct_real_of(0, 7).bits == 0 && hcct_real_of(1, 0).value == 1 && hcct_real_of(3, -1).value == 1.5);
    CHECK(hcct_real_of(1, -1022).value == 0x1p-1022 && hcct_real_of(1, -1023).bits == 0 &&
          isinf(hcct_real_of(1, 1024).value));
    CHECK(hcct_real_of((UINT64_C(1) << 54) - 1, 969).value == 0x1p1023); /* rounded up to the next power */
    for (int i = 0; i < 200000; i++) {
        uint64_t number = draw_number();
        int exponent = (int)(draw() % 1000) - 500;
        CHECK(hcct_real_of(number, exponent).value == ldexp((double)number, exponent));
        unsigned __int128 wide = (unsigned __int128)draw_number() << 64 | draw();
        CHECK(hcct_real_of(wide, 0).value == (double)wide);
        /* Halfway between two, and next to that. */
        uint64_t middle = (draw() | UINT64_C(1) << 63) >> 10 << 10 | UINT64_C(1) << 10;
        for (uint64_t near = middle - 1; near <= middle + 1; near++)
            CHECK(hcct_real_of(near, 0).value == (double)near);
    }
}

static void test_quotients(void)
{
    for (int i = 0; i < 200000; i++) {
        double a = (double)draw_number(), b = (double)(draw_number() | 1);
        CHECK(hcct_real_quotient(real(a), real(b)).value == a / b);
        CHECK(hcct_real_quotient(real(1 / b), real(a + 0.1)).value == 1 / b / (a + 0.1));
    }
    CHECK(hcct_real_quotient(real(1e-4), real(5)).value == 1e-4 / 5 &&
          hcct_real_quotient(real(1), real(1e6)).value == 1e-6);
}

/* A factor of 2^-shift * 53 bits, by schoolbook arithmetic. */
static void test_products(void)
{
    for (int i = 0; i < 200000; i++) {
        uint64_t mantissa = draw() >> 11, number = draw_number();
        int shift = (int)(draw() % 120);
        union hcct_real factor = hcct_real_of(mantissa, -shift);
        unsigned __int128 product = (unsigned __int128)mantissa * number, down = product >> shift;
        unsigned __int128 nearest =
            shift ? (product + ((unsigned __int128)1 << (shift - 1))) >> shift : product;
        CHECK(hcct_real_times(factor, number) == (down >> 64 ? UINT64_MAX : (uint64_t)down));
        CHECK(hcct_real_times_nearest(factor, number) == (nearest >> 64 ? UINT64_MAX : (uint64_t)nearest));
    }
    CHECK(hcct_real_times(real(1), UINT64_MAX) == UINT64_MAX &&
          hcct_real_times(real(0x1p-1000), UINT64_MAX) == 0);
    CHECK(hcct_real_times(real(0x1p20), 1 << 20) == UINT64_C(1) << 40 &&
          hcct_real_times(real(0x1p60), 16) == UINT64_MAX);
    CHECK(hcct_real_times(real(2.5), 3) == 7 && hcct_real_times_nearest(real(2.5), 3) == 8 &&
          hcct_real_times(real(0), 3) == 0);
}

static void test_text(void)
{
    static const char *const bad[] = { "",
                                       "0",
                                       "0.0",
                                       "1",
                                       "1.0",
                                       "2",
                                       "1e0",
                                       "-1e-4",
                                       "0.5x",
                                       "x",
                                       ".",
                                       "e-4",
                                       "1e",
                                       "1e-",
                                       "1e-4 ",
                                       "0.1.2",
                                       "nan",
                                       "inf",
                                       "0x1p-4",
                                       "1e-400",
                                       "1e-99999999999",
                                       "1e99999999999",
                                       "0.99999999999999999999",
                                       "10e-1" };
    static const char *const good[] = { "1e-4",
                                        "1E-4",
                                        "+1e-4",
                                        "0.0001",
                                        ".0001",
                                        "100e-6",
                                        "0.00001e1",
                                        "2e-5",
                                        "0.1",
                                        "0.3",
                                        "0.999999999999999",
                                        "5.e-1",
                                        "00.5",
                                        "0.50000000000000000000000",
                                        "1e-300",
                                        "9007199254740993e-16",
                                        "2.2250738585072014e-308" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        union hcct_real share = real(0.25);
        CHECK(!hcct_real_read_share(bad[i], &share) && share.value == 0.25);
    }
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        union hcct_real share = real(0.25);
        CHECK(hcct_real_read_share(good[i], &share) && share.value == strtod(good[i], NULL));
    }
}

/* Of any length; of those with 17 digits and more some lie next to the middle of two doubles. */
static void test_random_text(void)
{
    for (int i = 0; i < 5000; i++) {
        char text[2000];
        double value = (double)(draw() >> 11 | 1) * 0x1p-53 * pow(10, -(double)(draw() % 290));
        union hcct_real share;
        snprintf(text, sizeof text, "%.*e", (int)(draw() % 20), value);
        CHECK(!(strtod(text, NULL) < 1) ||
              (hcct_real_read_share(text, &share) && share.value == strtod(text, NULL)));
        if (i % 25)
            continue;
        double next = nextafter(value, 1);
        /* the middle, exactly */
        snprintf(text, sizeof text, "%.1050Lf", (long double)value / 2 + (long double)next / 2);
        size_t end = strlen(text);
        for (int digit = 0; digit < 2; digit++, text[end - 1] = '1')
            CHECK(value < 1e-250 ||
                  (hcct_real_read_share(text, &share) && share.value == strtod(text, NULL)));
    }
}

/* What is computed in the mode `round` is what is computed in that of the start. */
static void test_modes(int round)
{
    for (int i = 0; i < 10000; i++) {
        uint64_t a = draw_number(), b = draw_number() | 1;
        union hcct_real share, again, quotient = hcct_real_quotient(hcct_real_of(a, 0), hcct_real_of(b, 0));
        bool good = hcct_real_read_share("0.1", &share);
        fesetround(round);
        feclearexcept(FE_ALL_EXCEPT);
        union hcct_real other = hcct_real_quotient(hcct_real_of(a, 0), hcct_real_of(b, 0));
        bool still = hcct_real_read_share("0.1", &again);
        int flags = fetestexcept(FE_ALL_EXCEPT);
        fesetround(FE_TONEAREST);
        CHECK(good && still && flags == 0 && other.bits == quotient.bits && share.bits == again.bits);
    }
}

static unsigned __int128 draw_long(void)
{
    return ((unsigned __int128)draw_number() << 64 | draw()) >> draw() % 128;
}

static void test_long_quotients(void)
{
    const unsigned __int128 most = ~(unsigned __int128)0;
    CHECK(hcct_quotient(0, 1) == 0 && hcct_quotient(most, 1) == most && hcct_quotient(most, most) == 1 &&
          hcct_quotient(most - 1, most) == 0 && hcct_quotient(most, most >> 1) == 2);
    for (int i = 0; i < 200000; i++) {
        unsigned __int128 a = draw_long(), b = draw_long() | 1;
        CHECK(hcct_quotient(a, b) == a / b);
        CHECK(hcct_quotient(b, a | 1) == b / (a | 1));
    }
}

int main(void)
{
    test_numbers();
    test_long_quotients();
    test_quotients();
    test_products();
    test_text();
    test_random_text();
    test_modes(FE_UPWARD);
    test_modes(FE_DOWNWARD);
    test_modes(FE_TOWARDZERO);
    CHECK_DONE();
}
