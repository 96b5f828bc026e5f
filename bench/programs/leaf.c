/* A tiny function in a loop: a call every few instructions, and all of them in one of two contexts.
 * Usage: leaf MILLIONS */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static uint32_t step(uint32_t state)
{
    return state * 1664525 + 1013904223;
}

int main(int argc, char **argv)
{
    uint32_t state = 1, sum = 0;
    for (long i = 1000000L * (argc > 1 ? atoi(argv[1]) : 1); i > 0; i--) {
        state = step(state);
        if (state >> 31)
            sum += step(sum);
    }
    printf("%u %u\n", state, sum);
    return 0;
}
