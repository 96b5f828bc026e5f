// A context that is new when all counters are taken, and then comes seldom but steadily, is there by name when it is just above phi * N.
// RUN: %hcct-cc -O1 -I%inputs %s -o %t && HCCT_OPTIONS=memory=0:phi=0.0125:epsilon=0.0025:output=%t.bin %t
// RUN: %hcct-decode --format=folded %t.bin | FileCheck %s
// It is called 24576 times of 1925121, so its estimate is at most 4812 above that.
// CHECK: main;steadily {{2[4-9][0-9][0-9][0-9]$}}
#include "spread.h"

static NOINLINE void steadily(void)
{
    work();
}

int main(void)
{
    void (*volatile push)(void) = steadily; /* so that the context has a chain */
    for (unsigned path = 1 << 14; path < 1 << 15; path++)
        spread(path);
    for (int round = 0; round < 3; round++)
        for (unsigned path = 1 << 14; path < 1 << 15; path++) {
            spread(path);
            if (path % 2 == 0)
                push();
        }
    return 0;
}
