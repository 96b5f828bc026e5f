// Three million tail calls to code that is not instrumented and through a pointer, from several depths: the context
// stack does not grow.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"
#include "library.h"

static NOINLINE void leaf(void)
{
    work();
}

static void (*volatile pointer)(void) = leaf;

static NOINLINE void external(void)
{
    work();
    call(leaf);
}

static NOINLINE void indirect(void)
{
    work();
    pointer();
}

static NOINLINE void step(int depth)
{
    volatile char room[64];
    room[0] = 0;
    if (depth)
        step(depth - 1);
    external();
    indirect();
    work();
}

int main(void)
{
    for (int i = 0; i < 1000000; i++)
        step(i % 2);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;step 1000000
// CHECK-NEXT: main;step;external 1000000
// CHECK-NEXT: main;step;external;[call];leaf 1000000
// CHECK-NEXT: main;step;indirect 1000000
// CHECK-NEXT: main;step;indirect;leaf 1000000
// CHECK-NEXT: main;step;step 500000
// CHECK-NEXT: main;step;step;external 500000
// CHECK-NEXT: main;step;step;external;[call];leaf 500000
// CHECK-NEXT: main;step;step;indirect 500000
// CHECK-NEXT: main;step;step;indirect;leaf 500000
