// Allocates 40000 blocks of eight sizes, each in a context of its own; frees nine of ten at once, resizes some, and gives back half of the rest at the end.
#include <stdlib.h>

enum { BLOCKS = 40000 };
static void *kept[BLOCKS];
static unsigned kept_count;
static unsigned long long state = 1;

static unsigned chance(unsigned below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

#define FUNCTION __attribute__((noinline, optnone))
#define SIZES(_) _(a, 400) _(b, 700) _(c, 1000) _(d, 1500) _(e, 2500) _(f, 4000) _(g, 9000) _(h, 130000)
#define ALLOCATES(name, size)                                                                                \
    FUNCTION static void *name(void)                                                                         \
    {                                                                                                        \
        return malloc(size);                                                                                 \
    }
SIZES(ALLOCATES)
#define NAME(name, size) name,
static void *(*const all[])(void) = { SIZES(NAME) };

FUNCTION static void step(void)
{
    void *block = all[chance(8)]();
    if (!chance(10))
        kept[kept_count++] = block;
    else if (!chance(20))
        free(realloc(block, 3000 + chance(5) * 3000));
    else
        free(block);
}

int main(void)
{
    for (int i = 0; i < BLOCKS; i++)
        step();
    for (unsigned i = 0; i < kept_count; i += 2)
        free(kept[i]);
}
