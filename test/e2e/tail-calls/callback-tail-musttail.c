// musttail calls, at -O0 too: direct, across a signature with arguments, through a pointer, out of a callback.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <stdlib.h>

#include "e2e.h"
#include "library.h"

static NOINLINE int leaf(int a, int b)
{
    work();
    return a - b;
}

static int (*volatile pointer)(int, int) = leaf;

static NOINLINE int direct(int a, int b)
{
    work();
    __attribute__((musttail)) return leaf(a, b);
}

static NOINLINE int indirect(int a, int b)
{
    work();
    __attribute__((musttail)) return pointer(b, a);
}

static NOINLINE void last(void)
{
    if (direct(5, 2) != 3 || indirect(5, 2) != -3)
        abort();
}

static void first(void)
{
    work();
    __attribute__((musttail)) return last();
}

int main(void)
{
    call_both(first, last);
    call_second_deeper(first, last);
    last();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[call_both];first 1
// CHECK-NEXT: main;[call_both];first;last 1
// CHECK-NEXT: main;[call_both];first;last;direct 1
// CHECK-NEXT: main;[call_both];first;last;direct;leaf 1
// CHECK-NEXT: main;[call_both];first;last;indirect 1
// CHECK-NEXT: main;[call_both];first;last;indirect;leaf 1
// CHECK-NEXT: main;[call_both];last 1
// CHECK-NEXT: main;[call_both];last;direct 1
// CHECK-NEXT: main;[call_both];last;direct;leaf 1
// CHECK-NEXT: main;[call_both];last;indirect 1
// CHECK-NEXT: main;[call_both];last;indirect;leaf 1
// CHECK-NEXT: main;[call_second_deeper];first 1
// CHECK-NEXT: main;[call_second_deeper];first;last 1
// CHECK-NEXT: main;[call_second_deeper];first;last;direct 1
// CHECK-NEXT: main;[call_second_deeper];first;last;direct;leaf 1
// CHECK-NEXT: main;[call_second_deeper];first;last;indirect 1
// CHECK-NEXT: main;[call_second_deeper];first;last;indirect;leaf 1
// CHECK-NEXT: main;[call_second_deeper];last 1
// CHECK-NEXT: main;[call_second_deeper];last;direct 1
// CHECK-NEXT: main;[call_second_deeper];last;direct;leaf 1
// CHECK-NEXT: main;[call_second_deeper];last;indirect 1
// CHECK-NEXT: main;[call_second_deeper];last;indirect;leaf 1
// CHECK-NEXT: main;last 1
// CHECK-NEXT: main;last;direct 1
// CHECK-NEXT: main;last;direct;leaf 1
// CHECK-NEXT: main;last;indirect 1
// CHECK-NEXT: main;last;indirect;leaf 1
