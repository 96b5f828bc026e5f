// Exceptions out of constructors: of a base, a member, an array's element and a new expression; what was made is destroyed
// below the function that made it.
// RUN: %hcct-c++ -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-c++ -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"

extern "C" {
NOINLINE void leaf() { work(); }
NOINLINE void thrower()
{
    leaf();
    throw 1;
}
void (*volatile pointer)() = thrower;
NOINLINE void destroyed()
{
    leaf();
    work();
}
}

static volatile int countdown;

struct Part {
    __attribute__((always_inline)) Part()
    {
        if (--countdown == 0)
            pointer();
    }
    __attribute__((always_inline)) ~Part() { destroyed(); }
};

struct Whole : Part {
    Part member;
    NOINLINE Whole();
    __attribute__((always_inline)) ~Whole() {}
};

Whole::Whole()
{
    if (--countdown == 0)
        pointer();
}

extern "C" NOINLINE void attempt(int at)
{
    countdown = at;
    try {
        Whole whole;
        leaf();
    } catch (int) {
        leaf();
    }
    work();
}

extern "C" NOINLINE void attempt_new(int at)
{
    countdown = at;
    try {
        delete new Whole;
    } catch (int) {
        leaf();
    }
    work();
}

extern "C" NOINLINE void attempt_array(int at)
{
    countdown = at;
    try {
        Part parts[4];
        (void)parts;
    } catch (int) {
        leaf();
    }
    work();
}

int main()
{
    for (int at = 1; at <= 4; at++)
        attempt(at);
    attempt_new(3);
    attempt_array(3);
    leaf();
    return 0;
}
// In a Whole 0, 1 and 2 parts were made when it threw; the fourth throws not, and its two go at the end of `attempt`.
// CHECK: main 1
// CHECK-NEXT: main;attempt 4
// CHECK-NEXT: main;attempt;_ZN5WholeC2Ev 4
// CHECK-NEXT: main;attempt;_ZN5WholeC2Ev;destroyed 3
// CHECK-NEXT: main;attempt;_ZN5WholeC2Ev;destroyed;leaf 3
// CHECK-NEXT: main;attempt;_ZN5WholeC2Ev;thrower 3
// CHECK-NEXT: main;attempt;_ZN5WholeC2Ev;thrower;leaf 3
// CHECK-NEXT: main;attempt;destroyed 2
// CHECK-NEXT: main;attempt;destroyed;leaf 2
// CHECK-NEXT: main;attempt;leaf 4
// CHECK-NEXT: main;attempt_array 1
// CHECK-NEXT: main;attempt_array;destroyed 2
// CHECK-NEXT: main;attempt_array;destroyed;leaf 2
// CHECK-NEXT: main;attempt_array;leaf 1
// CHECK-NEXT: main;attempt_array;thrower 1
// CHECK-NEXT: main;attempt_array;thrower;leaf 1
// CHECK-NEXT: main;attempt_new 1
// CHECK-NEXT: main;attempt_new;_ZN5WholeC2Ev 1
// CHECK-NEXT: main;attempt_new;_ZN5WholeC2Ev;destroyed 2
// CHECK-NEXT: main;attempt_new;_ZN5WholeC2Ev;destroyed;leaf 2
// CHECK-NEXT: main;attempt_new;_ZN5WholeC2Ev;thrower 1
// CHECK-NEXT: main;attempt_new;_ZN5WholeC2Ev;thrower;leaf 1
// CHECK-NEXT: main;attempt_new;leaf 1
// CHECK-NEXT: main;leaf 1
