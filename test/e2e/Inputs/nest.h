/* pointer(N) is N + 1 calls, each in the one before. */
#ifndef NEST_H
#define NEST_H

#include "e2e.h"

static NOINLINE void nest(int depth);
static void (*volatile pointer)(int) = nest; /* so that each call pushes */

static NOINLINE void nest(int depth)
{
    if (depth)
        pointer(depth - 1);
    work();
}

#endif
