// Two callbacks from one frame that is not instrumented, where the first calls the second itself.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"
#include "library.h"

static NOINLINE void second(void)
{
    work();
}

static void first(void)
{
    second();
    second();
    work();
}

int main(void)
{
    call_both(first, second);
    call_second_deeper(first, second);
    call_first_deeper(first, second);
    call_both(second, first);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[call_both];first 2
// CHECK-NEXT: main;[call_both];first;second 4
// CHECK-NEXT: main;[call_both];second 2
// CHECK-NEXT: main;[call_first_deeper];first 1
// CHECK-NEXT: main;[call_first_deeper];first;second 2
// CHECK-NEXT: main;[call_first_deeper];second 1
// CHECK-NEXT: main;[call_second_deeper];first 1
// CHECK-NEXT: main;[call_second_deeper];first;second 2
// CHECK-NEXT: main;[call_second_deeper];second 1
