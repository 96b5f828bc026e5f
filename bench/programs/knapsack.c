/* Branch and bound: which of N things to pack so that they weigh the most without passing a limit. Every
 * decision is a recursive call from one of two places, so that every call is in a calling context of its own.
 * Usage: knapsack N */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };

static unsigned weight[MOST], rest[MOST + 1], best, count;

__attribute__((noinline)) static unsigned bound(unsigned at, unsigned sum)
{
    return sum + rest[at];
}

/* How deep the search went, weighed so that the second call cannot be made a loop. */
__attribute__((noinline)) static unsigned search(unsigned at, unsigned sum, unsigned limit)
{
    if (sum > limit)
        return 0;
    best = sum > best ? sum : best;
    if (at == count || bound(at, sum) < best)
        return 1;
    unsigned with = search(at + 1, sum + weight[at], limit);
    unsigned without = search(at + 1, sum, limit);
    return with > without ? with + 1 : without + 2;
}

int main(int argc, char **argv)
{
    unsigned state = 1, total = 0;
    count = argc > 1 ? (unsigned)atoi(argv[1]) : 20;
    count = count > MOST ? MOST : count;
    for (unsigned i = 0; i < count; i++) {
        state = state * 1103515245 + 12345;
        weight[i] = 2 * (1000 + state / 65536 % 9000);
        total += weight[i];
    }
    for (unsigned i = count; i-- > 0;)
        rest[i] = rest[i + 1] + weight[i];
    unsigned depth = search(0, 0, (total / 2) | 1);
    printf("%u %u\n", best, depth);
    return 0;
}
