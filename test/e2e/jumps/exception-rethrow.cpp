// Exceptions caught, rethrown and caught again: calls in and after each handler hang where they belong.
// RUN: %hcct-c++ -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-c++ -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"

extern "C" {
NOINLINE void leaf()
{
    work();
}

NOINLINE void thrower(int depth)
{
    work();
    if (depth)
        thrower(depth - 1);
    else
        throw 1;
    work();
}

void (*volatile pointer)(int) = thrower;

NOINLINE void rethrower()
{
    try {
        pointer(1);
    } catch (int) {
        leaf();
        throw;
    }
}

NOINLINE void catcher()
{
    try {
        rethrower();
    } catch (...) {
        leaf();
    }
    leaf();
}
}

int main()
{
    for (int i = 0; i < 2; i++)
        catcher();
    leaf();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;catcher 2
// CHECK-NEXT: main;catcher;leaf 4
// CHECK-NEXT: main;catcher;rethrower 2
// CHECK-NEXT: main;catcher;rethrower;leaf 2
// CHECK-NEXT: main;catcher;rethrower;thrower 2
// CHECK-NEXT: main;catcher;rethrower;thrower;thrower 2
// CHECK-NEXT: main;leaf 1
