/* blocks N: N blocks of 50 bytes that stay, in `keep`, and as many of 100 bytes that are freed, in `lose`. */
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

static void *volatile block;

static NOINLINE void keep(void)
{
    block = malloc(50);
}

static NOINLINE void lose(void)
{
    block = malloc(100);
    free(block);
}

int main(int argc, char **argv)
{
    for (int i = 0, n = argc > 1 ? atoi(argv[1]) : 0; i < n; i++) {
        keep();
        lose();
    }
    return 0;
}
