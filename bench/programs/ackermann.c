/* Ackermann's function, whose recursion is deep and in its own argument.
 * Usage: ackermann N ROUNDS    of A(2, N) */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    unsigned inner = n ? ackermann(m, n - 1) : 1;
    unsigned result = ackermann(m - 1, inner);
    return result > n ? result : 0; /* never 0, but a tail call would be a loop */
}

int main(int argc, char **argv)
{
    unsigned sum = 0, n = argc > 1 ? (unsigned)atoi(argv[1]) : 20;
    for (int round = argc > 2 ? atoi(argv[2]) : 1; round > 0; round--)
        sum += ackermann(2, n + (unsigned)(round & 1));
    printf("%u\n", sum);
    return 0;
}
