// A tail call by name that pushes leaves its frame when it has returned. Behind it a tail call through a pointer is a plain call all the
// same, each time.
// RUN: split-file %s %t && cd %t && for flags in -O1 -O2; do %hcct-cc $flags -I%inputs main.c leaf.c -o x && sh %inputs/exact.sh %hcct-decode main.c ./x || exit 1; done
//--- leaf.c
#include <stdint.h>

extern volatile uintptr_t caller;
extern volatile int siblings;

static void leaf(int number)
{
    (void)number;
    siblings += caller <= (uintptr_t)__builtin_frame_address(0);
}

void (*volatile pointer)(int) = leaf;
//--- main.c
#include <stdint.h>

#include "e2e.h"

extern void (*volatile pointer)(int);
volatile uintptr_t caller;
volatile int siblings;

static NOINLINE void wrapper(int number)
{
    caller = (uintptr_t)__builtin_frame_address(0);
    pointer(number);
}

static NOINLINE int even(int number);

static NOINLINE int odd(int number)
{
    return number ? even(number - 1) : 0;
}

static NOINLINE int even(int number)
{
    return number ? odd(number - 1) : 1;
}

int main(void)
{
    for (int i = 0; i < 40; i++) {
        worked += odd(i % 4);
        wrapper(i);
    }
    return siblings;
}
// CHECK: main 1
// CHECK-NEXT: main;odd 40
// CHECK-NEXT: main;odd;even 30
// CHECK-NEXT: main;odd;even;odd 20
// CHECK-NEXT: main;odd;even;odd;even 10
// CHECK-NEXT: main;wrapper 40
// CHECK-NEXT: main;wrapper;leaf 40
