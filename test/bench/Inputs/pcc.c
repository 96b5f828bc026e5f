/* 8,192 contexts, some through a callback. */
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

static volatile int worked;
static NOINLINE void walk(unsigned path);

static NOINLINE void left(unsigned path)
{
    walk(path);
    worked = worked + 1;
}

static NOINLINE void right(unsigned path)
{
    walk(path);
    worked = worked + 1;
}

static NOINLINE void walk(unsigned path)
{
    if (path > 1)
        (path & 1 ? left : right)(path >> 1);
    worked = worked + 1;
}

static NOINLINE int compare(const void *a, const void *b)
{
    walk(3);
    return *(const char *)a - *(const char *)b;
}

int main(void)
{
    char text[] = "context";
    for (unsigned path = 1 << 11; path < 1 << 12; path++)
        walk(path);
    qsort(text, sizeof text - 1, 1, compare);
    return 0;
}
