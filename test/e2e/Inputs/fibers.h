/* Fibers that stop in a nested call, and then end. The program defines FIBERS, how many there are at a time, and BYTES, the size of a
 * stack. */
#include <ucontext.h>

#include "e2e.h"

static ucontext_t home, fibers[FIBERS];
static int volatile current;

NOINLINE void leaf(void) { work(); }
static void (*volatile pointer)(void) = leaf;

NOINLINE void nest(int depth)
{
    if (depth)
        nest(depth - 1);
    else
        swapcontext(&fibers[current], &home);
    pointer();
}

void fiber(void)
{
    nest(1);
    work();
}

/* Until the fiber stops or ends. */
static inline __attribute__((always_inline)) void resume(int number)
{
    current = number;
    swapcontext(&home, &fibers[number]);
}
