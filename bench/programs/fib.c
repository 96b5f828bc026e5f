/* The worst case of any calling context profiler: nothing but calls, and every one of them in a context of
 * its own.
 * Usage: fib N ROUNDS */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static unsigned fib(unsigned n)
{
    if (n < 2)
        return n;
    unsigned low = fib(n - 2), high = fib(n - 1);
    return low > high ? 0 : low + high; /* never 0, but a plain sum would be made a loop around one call */
}

int main(int argc, char **argv)
{
    unsigned sum = 0, n = argc > 1 ? (unsigned)atoi(argv[1]) : 20;
    for (int round = argc > 2 ? atoi(argv[2]) : 1; round > 0; round--)
        sum += fib(n + (unsigned)(round & 1));
    printf("%u\n", sum);
    return 0;
}
