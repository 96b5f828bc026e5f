/* blocks N: N blocks of memory by one function, 3 by another. */
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

static void *volatile block; /* no call of malloc is taken away */

static NOINLINE void *get(int bytes)
{
    return malloc((size_t)bytes);
}

static NOINLINE void many(int count)
{
    for (int i = 0; i < count; i++)
        free(get(i));
}

static NOINLINE void few(int count)
{
    for (int i = 0; i < 3; i++) {
        block = malloc((size_t)(count + i));
        free(block);
    }
}

int main(int argc, char **argv)
{
    int count = argc == 2 ? atoi(argv[1]) : 0;
    many(count);
    few(count);
    return 0;
}
