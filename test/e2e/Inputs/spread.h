/* Many contexts, most of them new: spread(path) calls itself by left and right, by the bits of `path`. */
#include "e2e.h"

static NOINLINE void spread(unsigned path);

static NOINLINE void left(unsigned path)
{
    spread(path);
    work();
}

static NOINLINE void right(unsigned path)
{
    spread(path);
    work();
}

static NOINLINE void spread(unsigned path)
{
    if (path > 1)
        (path & 1 ? left : right)(path >> 1);
    work();
}
