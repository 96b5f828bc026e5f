/* contexts COUNT: calls in about so many contexts, each once. Recursion by two functions, of which each depth
 * is a bit of a number. */
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

static volatile unsigned worked;

static void down(unsigned long number, int bits);

static NOINLINE void zero(unsigned long number, int bits)
{
    worked++;
    down(number, bits);
    worked++;
}

static NOINLINE void one(unsigned long number, int bits)
{
    worked++;
    down(number, bits);
    worked++;
}

/* The paths to all numbers below `number` whose upper bits are those so far. */
static NOINLINE void down(unsigned long number, int bits)
{
    if (!bits || !number)
        return;
    unsigned long half = 1ul << (bits - 1);
    zero(number < half ? number : half, bits - 1);
    if (number > half)
        one(number - half, bits - 1);
}

int main(int argc, char **argv)
{
    /* a number has two contexts of its own on the way to it, and two of `down` */
    unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) / 4 : 1000;
    int bits = 1;
    while (1ul << bits < count)
        bits++;
    down(count, bits);
    return 0;
}
