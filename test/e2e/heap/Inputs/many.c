// many SEED [LEAST]: allocates in thousands of contexts, a few of them most, in phases, and frees by chance. With LEAST no block has 0 bytes.
#include <stdlib.h>

enum { BLOCKS = 3000 };
static void *blocks[BLOCKS];
static unsigned long long state;
static unsigned least; // bytes of a block

static unsigned chance(unsigned below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

#define FUNCTION __attribute__((noinline, optnone))
FUNCTION void put(void *block)
{
    unsigned at = chance(BLOCKS);
    free(blocks[at]);
    blocks[at] = block;
}

FUNCTION void a(unsigned path);
FUNCTION void b(unsigned path)
{
    if (path < 2)
        put(malloc(least + chance(300)));
    else if (path % 2)
        a(path / 2);
    else
        b(path / 2);
}

FUNCTION void a(unsigned path)
{
    if (path < 2)
        put(path ? calloc(1, least + chance(300)) : NULL);
    else if (path % 2)
        b(path / 2);
    else
        a(path / 2);
}

int main(int count, char **arguments)
{
    state = count > 1 ? strtoull(arguments[1], NULL, 10) : 0;
    least = count > 2;
    for (int i = 0; i < 60000; i++) {
        unsigned phase = (unsigned)i / 15000;
        a(chance(3) ? 1000 * phase + chance(5) : chance(8000));
    }
}
