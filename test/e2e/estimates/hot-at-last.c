// A context that is new when all counters are taken, and called more than phi * N times right before the program ends, is there by name.
// RUN: %hcct-cc -O1 -I%inputs %s -o %t && HCCT_OPTIONS=memory=0:phi=0.01:epsilon=0.002:output=%t.bin %t
// RUN: %hcct-decode --format=folded %t.bin | FileCheck %s && %hcct-decode --format=csv %t.bin | FileCheck --check-prefix=BOUND %s
// CHECK: main;finish;late {{(3[5-9][0-9]|400)$}}
// BOUND: ,late,function,4{{[0-9][0-9]}},
#include "spread.h"

static NOINLINE void late(void)
{
    work();
}

NOINLINE void finish(int count)
{
    while (count-- > 0)
        late();
    work();
}

int main(void)
{
    for (unsigned path = 1024; path < 2048; path++)
        spread(path);
    finish(400);
    return 0;
}
