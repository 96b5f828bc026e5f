// Many contexts that are new when all counters are taken, and come in turns right before the program ends, just often enough to be hot: all are
// there by name. Most of their calls wait in batches, so each gets its chain by the note that the batch left beside its slot (runtime/count/chains.h).
// Without notes, only those whose call finds the batch full get one.
// RUN: %hcct-cc -O1 -I%inputs %s -o %t && HCCT_OPTIONS=memory=0:phi=0.001:epsilon=0.0002:output=%t.bin %t && %hcct-decode %t.bin | FileCheck %s
// CHECK-COUNT-60: {{^\*.*}} awaited
#include <stdint.h>

#include "e2e.h"

enum { SITES_LOG2 = 3, DEPTH = 20, NEW = 40000, AWAITED = 60, ROUNDS = 2560 };

static NOINLINE void awaited(void)
{
    work();
}

static NOINLINE void other(void)
{
    work();
}

/* The comments in the assembly keep the compiler from making one call of all. */
#define SITE(number)                                                                                         \
    case number:                                                                                             \
        __asm__ volatile("# before " #number);                                                               \
        go(path >> SITES_LOG2, depth - 1, target);                                                           \
        __asm__ volatile("# after " #number);                                                                \
        break

/* Calls `target` in a context of its own for each path: each case is another call site. */
static NOINLINE void go(unsigned path, unsigned depth, void (*target)(void))
{
    if (depth == 0) {
        target();
        work();
        return;
    }
    switch (path % (1 << SITES_LOG2)) {
        SITE(0);
        SITE(1);
        SITE(2);
        SITE(3);
        SITE(4);
        SITE(5);
        SITE(6);
        SITE(7);
    }
}

/* A bit that is hard to foresee: the turns of a fixed order would find the full batch in turns, too. */
static unsigned draw(void)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 63);
}

int main(void)
{
    for (unsigned path = 0; path < NEW; path++)
        go(path, DEPTH, other);
    for (int round = 0; round < ROUNDS; round++)
        for (unsigned path = 0; path < AWAITED; path++)
            if (draw())
                go(path, 2, awaited);
    return 0;
}
