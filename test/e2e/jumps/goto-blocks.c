// Loops with two entries and blocks that goto leads into and out of, with calls of each kind in them.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"
#include "library.h"

static NOINLINE void one(void)
{
    work();
}

static NOINLINE void two(void)
{
    work();
}

static void (*volatile pointer)(void) = two;

static NOINLINE int tangle(volatile int start, volatile int rounds)
{
    int i = 0;
    if (start)
        goto middle;
top:
    one();
    i++;
    if (i > rounds)
        goto end;
middle:
    pointer();
    if (++i % 3 == 0) {
    again:
        call(one);
        if (++i % 2)
            goto again;
        goto top;
    }
    if (i < rounds)
        goto middle;
    one();
end:
    work();
    return i;
}

int main(void)
{
    /* 0: one i=1, two 2, two 3, [call] 4, one 5, two 6, [call] 7, [call] 8, one 9, end. */
    if (tangle(0, 8) != 9)
        return 1;
    /* two i=1, one, end. */
    return tangle(1, 1) == 1 ? 0 : 2;
}
// CHECK: main 1
// CHECK-NEXT: main;tangle 2
// CHECK-NEXT: main;tangle;[call];one 3
// CHECK-NEXT: main;tangle;one 4
// CHECK-NEXT: main;tangle;two 4
