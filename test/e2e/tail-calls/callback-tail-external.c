// A callback that leaves by a sibling call to a function that is not instrumented, which calls back or does not; then
// a second one from the same frame.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"
#include "library.h"

static NOINLINE void leaf(void)
{
    work();
}

static void first(void)
{
    work();
    call(leaf);
}

static void quiet(void)
{
    static callback *const nothing[] = {0};
    work();
    call_each(nothing);
}

static void second(void)
{
    leaf();
    work();
}

int main(void)
{
    call_both(first, second);
    call_both(first, leaf);
    call_second_deeper(first, second);
    call_first_deeper(first, second);
    call_both(quiet, second);
    call_second_deeper(quiet, second);
    call_first_deeper(quiet, second);
    static callback *const list[] = {first, second, quiet, second, first, leaf, 0};
    call_each(list);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[call_both];first 2
// CHECK-NEXT: main;[call_both];first;[call];leaf 2
// CHECK-NEXT: main;[call_both];leaf 1
// CHECK-NEXT: main;[call_both];quiet 1
// CHECK-NEXT: main;[call_both];second 2
// CHECK-NEXT: main;[call_both];second;leaf 2
// CHECK-NEXT: main;[call_each];first 2
// CHECK-NEXT: main;[call_each];first;[call];leaf 2
// CHECK-NEXT: main;[call_each];leaf 1
// CHECK-NEXT: main;[call_each];quiet 1
// CHECK-NEXT: main;[call_each];second 2
// CHECK-NEXT: main;[call_each];second;leaf 2
// CHECK-NEXT: main;[call_first_deeper];first 1
// CHECK-NEXT: main;[call_first_deeper];first;[call];leaf 1
// CHECK-NEXT: main;[call_first_deeper];quiet 1
// CHECK-NEXT: main;[call_first_deeper];second 2
// CHECK-NEXT: main;[call_first_deeper];second;leaf 2
// CHECK-NEXT: main;[call_second_deeper];first 1
// CHECK-NEXT: main;[call_second_deeper];first;[call];leaf 1
// CHECK-NEXT: main;[call_second_deeper];quiet 1
// CHECK-NEXT: main;[call_second_deeper];second 2
// CHECK-NEXT: main;[call_second_deeper];second;leaf 2
