// An exception that is thrown in one file and caught in another, with calls on the way that push.
// RUN: split-file %s %t && cd %t
// RUN: %hcct-c++ -O0 -I%inputs throw.cpp catch.cpp -o 0 && sh %inputs/exact.sh %hcct-decode %s %t/0
// RUN: %hcct-c++ -O2 -I%inputs throw.cpp catch.cpp -o 2 && sh %inputs/exact.sh %hcct-decode %s %t/2
//--- throw.cpp
#include "e2e.h"
extern "C" {
NOINLINE void thrower(int depth);
void (*volatile again)(int) = thrower;
NOINLINE void thrower(int depth)
{
    work();
    if (depth == 0)
        throw 1;
    depth & 1 ? again(depth - 1) : thrower(depth - 1);
    work();
}
}
//--- catch.cpp
#include "e2e.h"
extern "C" {
void thrower(int);
NOINLINE void leaf() { work(); }
NOINLINE void catcher(int depth)
{
    try {
        thrower(depth);
    } catch (int) {
        leaf();
    }
    leaf();
}
}
int main()
{
    catcher(2);
    catcher(0);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;catcher 2
// CHECK-NEXT: main;catcher;leaf 4
// CHECK-NEXT: main;catcher;thrower 2
// CHECK-NEXT: main;catcher;thrower;thrower 1
// CHECK-NEXT: main;catcher;thrower;thrower;thrower 1
