/* A program whose functions have the convention CONVENTION, among others that have the usual one. */
#include "e2e.h"
#include "library.h"

static NOINLINE void leaf(void)
{
    work();
}

CONVENTION static NOINLINE long local(long a, long b, long c, long d, long e, long f, double x, double y)
{
    long sum = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + (long)(7 * x + 8 * y);
    leaf();
    call(leaf);
    return sum;
}

CONVENTION NOINLINE long external(long a, long b, long c, long d, long e, long f, double x, double y)
{
    long sum = local(f, e, d, c, b, a, y, x);
    work();
    return sum;
}

CONVENTION static NOINLINE long descend(long n, long kept, double also)
{
    long sum = kept + (long)also;
    if (n)
        sum += descend(n - 1, kept + 1, also + 1);
    else
        call(leaf);
    work();
    return sum;
}

typedef CONVENTION long function(long, long, long, long, long, long, double, double);
static function *volatile pointer = external;

#if defined(__x86_64__)
#define DOUBLE "x"
#else
#define DOUBLE "w"
#endif

/* Called by the usual convention: what that keeps must be kept. */
static void back(void)
{
    long k1 = worked, k2 = k1 + 1, k3 = k1 + 2, k4 = k1 + 3, k5 = k1 + 4, k6 = k1 + 5;
    double d1 = k1 * 0.5, d2 = k1 * 0.25;
    __asm__ volatile("" : "+r"(k1), "+r"(k2), "+r"(k3), "+r"(k4), "+r"(k5), "+r"(k6), "+" DOUBLE(d1), "+" DOUBLE(d2));
    long before = k1;
    if (external(1, 2, 3, 4, 5, 6, 7, 8) != 6 + 10 + 12 + 12 + 10 + 6 + 56 + 56)
        __builtin_trap();
    if (pointer(6, 5, 4, 3, 2, 1, 8, 7) != 1 + 4 + 9 + 16 + 25 + 36 + 49 + 64)
        __builtin_trap();
    if (descend(3, 10, 20) != 30 + 32 + 34 + 36)
        __builtin_trap();
    if (k1 != before || k2 != k1 + 1 || k3 != k1 + 2 || k4 != k1 + 3 || k5 != k1 + 4 || k6 != k1 + 5 || d1 != k1 * 0.5 || d2 != k1 * 0.25)
        __builtin_trap();
}

int main(void)
{
    back();
    call(back);
    return 0;
}
