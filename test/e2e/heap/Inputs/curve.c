/* Allocates and frees by chance, in three functions. Prints after each change what was allocated so far, what is
 * live, and what each function has live. Sizes are multiples of 16, so that massif counts the same.
 *
 * usage: curve CHANGES */
#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 100 };
static struct {
    void *block;
    unsigned long bytes, owner;
} blocks[BLOCKS];
static unsigned long allocated, live[4];

static unsigned long draw(void)
{
    static unsigned long state = 7;
    return (state = state * 6364136223846793005 + 1442695040888963407) >> 33;
}

/* What malloc returns is stored before the function returns, so that none of the calls is a tail call. */
#define OWNER(name, number)                                                                                  \
    __attribute__((noinline)) static void name(unsigned i, unsigned long bytes)                              \
    {                                                                                                        \
        blocks[i].block = malloc(bytes);                                                                     \
        blocks[i].owner = number;                                                                            \
    }
OWNER(first, 1)
OWNER(second, 2)
OWNER(third, 3)

int main(int argc, char **argv)
{
    static char buffer[1 << 16];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    long changes = argc > 1 ? atol(argv[1]) : 100;
    for (long change = 0; change < changes; change++) {
        unsigned i = (unsigned)(draw() % BLOCKS);
        if (blocks[i].block) {
            free(blocks[i].block);
            blocks[i].block = NULL;
            live[blocks[i].owner] -= blocks[i].bytes;
        } else {
            blocks[i].bytes =
                16 * (1 + draw() % (change > changes / 3 && change < changes / 2 ? 4000 : 1000));
            (draw() % 2 ? first : draw() % 2 ? second : third)(i, blocks[i].bytes);
            allocated += blocks[i].bytes;
            live[blocks[i].owner] += blocks[i].bytes;
        }
        printf("%lu %lu %lu %lu %lu\n", allocated, live[1] + live[2] + live[3], live[1], live[2], live[3]);
    }
    return 0;
}
