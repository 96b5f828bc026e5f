// A callback that leaves by a sibling call through a pointer, then a second one from the same frame.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"
#include "library.h"

static NOINLINE void leaf(void)
{
    work();
}

static void target(void)
{
    leaf();
    work();
}

static void (*volatile pointer)(void) = target;

static void first(void)
{
    work();
    pointer();
}

static void musttail_first(void)
{
    work();
    __attribute__((musttail)) return pointer();
}

static void second(void)
{
    leaf();
    work();
}

int main(void)
{
    call_both(first, second);
    call_both(first, target);
    call_second_deeper(first, second);
    call_second_deeper(first, target);
    call_first_deeper(first, target);
    call_both(musttail_first, target);
    call_second_deeper(musttail_first, target);
    call(target);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[call];target 1
// CHECK-NEXT: main;[call];target;leaf 1
// CHECK-NEXT: main;[call_both];first 2
// CHECK-NEXT: main;[call_both];first;target 2
// CHECK-NEXT: main;[call_both];first;target;leaf 2
// CHECK-NEXT: main;[call_both];musttail_first 1
// CHECK-NEXT: main;[call_both];musttail_first;target 1
// CHECK-NEXT: main;[call_both];musttail_first;target;leaf 1
// CHECK-NEXT: main;[call_both];second 1
// CHECK-NEXT: main;[call_both];second;leaf 1
// CHECK-NEXT: main;[call_both];target 2
// CHECK-NEXT: main;[call_both];target;leaf 2
// CHECK-NEXT: main;[call_first_deeper];first 1
// CHECK-NEXT: main;[call_first_deeper];first;target 1
// CHECK-NEXT: main;[call_first_deeper];first;target;leaf 1
// CHECK-NEXT: main;[call_first_deeper];target 1
// CHECK-NEXT: main;[call_first_deeper];target;leaf 1
// CHECK-NEXT: main;[call_second_deeper];first 2
// CHECK-NEXT: main;[call_second_deeper];first;target 2
// CHECK-NEXT: main;[call_second_deeper];first;target;leaf 2
// CHECK-NEXT: main;[call_second_deeper];musttail_first 1
// CHECK-NEXT: main;[call_second_deeper];musttail_first;target 1
// CHECK-NEXT: main;[call_second_deeper];musttail_first;target;leaf 1
// CHECK-NEXT: main;[call_second_deeper];second 1
// CHECK-NEXT: main;[call_second_deeper];second;leaf 1
// CHECK-NEXT: main;[call_second_deeper];target 2
// CHECK-NEXT: main;[call_second_deeper];target;leaf 2
