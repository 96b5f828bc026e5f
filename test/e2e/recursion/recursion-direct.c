// A function that calls itself: each depth is a context of its own.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"

NOINLINE void walk(int depth)
{
    work();
    if (depth) {
        walk(depth - 1);
        walk(depth - 1);
        work();
    }
}

static NOINLINE int count_down(int depth)
{
    work();
    return depth ? count_down(depth - 1) * worked + 1 : 0;
}

int main(void)
{
    walk(2);
    return count_down(3) < 0;
}
// CHECK: main 1
// CHECK-NEXT: main;count_down 1
// CHECK-NEXT: main;count_down;count_down 1
// CHECK-NEXT: main;count_down;count_down;count_down 1
// CHECK-NEXT: main;count_down;count_down;count_down;count_down 1
// CHECK-NEXT: main;walk 1
// CHECK-NEXT: main;walk;walk 2
// CHECK-NEXT: main;walk;walk;walk 4
