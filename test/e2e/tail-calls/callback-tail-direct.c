// A callback that leaves by a sibling call to a local function, then a second one from the same frame.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"
#include "library.h"

static NOINLINE void target(void)
{
    work();
}

static void first(void)
{
    work();
    target();
}

static NOINLINE void second(void)
{
    target();
    work();
}

static void tail_second(void)
{
    work();
    second();
}

int main(void)
{
    call_both(first, second);
    call_second_deeper(first, second);
    call_first_deeper(first, second);
    call_both(tail_second, second);
    call_second_deeper(tail_second, second);
    call_first_deeper(tail_second, second);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[call_both];first 1
// CHECK-NEXT: main;[call_both];first;target 1
// CHECK-NEXT: main;[call_both];second 2
// CHECK-NEXT: main;[call_both];second;target 2
// CHECK-NEXT: main;[call_both];tail_second 1
// CHECK-NEXT: main;[call_both];tail_second;second 1
// CHECK-NEXT: main;[call_both];tail_second;second;target 1
// CHECK-NEXT: main;[call_first_deeper];first 1
// CHECK-NEXT: main;[call_first_deeper];first;target 1
// CHECK-NEXT: main;[call_first_deeper];second 2
// CHECK-NEXT: main;[call_first_deeper];second;target 2
// CHECK-NEXT: main;[call_first_deeper];tail_second 1
// CHECK-NEXT: main;[call_first_deeper];tail_second;second 1
// CHECK-NEXT: main;[call_first_deeper];tail_second;second;target 1
// CHECK-NEXT: main;[call_second_deeper];first 1
// CHECK-NEXT: main;[call_second_deeper];first;target 1
// CHECK-NEXT: main;[call_second_deeper];second 2
// CHECK-NEXT: main;[call_second_deeper];second;target 2
// CHECK-NEXT: main;[call_second_deeper];tail_second 1
// CHECK-NEXT: main;[call_second_deeper];tail_second;second 1
// CHECK-NEXT: main;[call_second_deeper];tail_second;second;target 1
