// Destructors that run while an exception unwinds, and that call.
// RUN: %hcct-c++ -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-c++ -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"

extern "C" {
NOINLINE void leaf()
{
    work();
}

NOINLINE void release()
{
    leaf();
    work();
}

void (*volatile release_pointer)() = release;

NOINLINE void thrower()
{
    work();
    throw 1;
}
}

struct Guard {
    __attribute__((always_inline)) ~Guard()
    {
        release();
        release_pointer();
    }
};

extern "C" {
NOINLINE void inner()
{
    Guard guard;
    thrower();
}

void (*volatile inner_pointer)() = inner;

NOINLINE void middle()
{
    Guard guard;
    inner_pointer();
}

NOINLINE void catcher()
{
    try {
        middle();
    } catch (int) {
        leaf();
    }
    leaf();
}
}

int main()
{
    catcher();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;catcher 1
// CHECK-NEXT: main;catcher;leaf 2
// CHECK-NEXT: main;catcher;middle 1
// CHECK-NEXT: main;catcher;middle;inner 1
// CHECK-NEXT: main;catcher;middle;inner;release 2
// CHECK-NEXT: main;catcher;middle;inner;release;leaf 2
// CHECK-NEXT: main;catcher;middle;inner;thrower 1
// CHECK-NEXT: main;catcher;middle;release 2
// CHECK-NEXT: main;catcher;middle;release;leaf 2
