// Functions that call each other in a cycle, entered at both ends.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"

static void odd(int n);

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE void even(int n)
{
    leaf();
    if (n)
        odd(n - 1);
    work();
}

static NOINLINE void odd(int n)
{
    if (n)
        even(n - 1);
    leaf();
    work();
}

int main(void)
{
    even(3);
    odd(2);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;even 1
// CHECK-NEXT: main;even;leaf 1
// CHECK-NEXT: main;even;odd 1
// CHECK-NEXT: main;even;odd;even 1
// CHECK-NEXT: main;even;odd;even;leaf 1
// CHECK-NEXT: main;even;odd;even;odd 1
// CHECK-NEXT: main;even;odd;even;odd;leaf 1
// CHECK-NEXT: main;even;odd;leaf 1
// CHECK-NEXT: main;odd 1
// CHECK-NEXT: main;odd;even 1
// CHECK-NEXT: main;odd;even;leaf 1
// CHECK-NEXT: main;odd;even;odd 1
// CHECK-NEXT: main;odd;even;odd;leaf 1
// CHECK-NEXT: main;odd;leaf 1
