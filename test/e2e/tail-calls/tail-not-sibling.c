// Calls in tail position that the code generator cannot make sibling calls (arguments on the stack): contexts as ever,
// also of callbacks later.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
// RUN: %hcct-cc -O2 -fno-optimize-sibling-calls -I%inputs %s %t.o -o %t.n && sh %inputs/exact.sh %hcct-decode %s %t.n
#include "e2e.h"
#include "library.h"

static NOINLINE void leaf(void)
{
    work();
}

NOINLINE void wide(int a, int b, int c, int d, int e, int f, int g, int h, int i)
{
    worked += a + b + c + d + e + f + g + h + i;
    call(leaf);
    work();
}

static void (*volatile pointer)(int, int, int, int, int, int, int, int, int) = wide;

static void direct(void)
{
    wide(worked, 2, 3, 4, 5, 6, 7, 8, worked);
}

static void indirect(void)
{
    pointer(worked, 2, 3, 4, 5, 6, 7, 8, worked);
}

static void after(void)
{
    leaf();
    work();
}

int main(void)
{
    call_both(direct, after);
    call_both(indirect, after);
    call_second_deeper(direct, after);
    call_second_deeper(indirect, after);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[call_both];after 2
// CHECK-NEXT: main;[call_both];after;leaf 2
// CHECK-NEXT: main;[call_both];direct 1
// CHECK-NEXT: main;[call_both];direct;wide 1
// CHECK-NEXT: main;[call_both];direct;wide;[call];leaf 1
// CHECK-NEXT: main;[call_both];indirect 1
// CHECK-NEXT: main;[call_both];indirect;wide 1
// CHECK-NEXT: main;[call_both];indirect;wide;[call];leaf 1
// CHECK-NEXT: main;[call_second_deeper];after 2
// CHECK-NEXT: main;[call_second_deeper];after;leaf 2
// CHECK-NEXT: main;[call_second_deeper];direct 1
// CHECK-NEXT: main;[call_second_deeper];direct;wide 1
// CHECK-NEXT: main;[call_second_deeper];direct;wide;[call];leaf 1
// CHECK-NEXT: main;[call_second_deeper];indirect 1
// CHECK-NEXT: main;[call_second_deeper];indirect;wide 1
// CHECK-NEXT: main;[call_second_deeper];indirect;wide;[call];leaf 1
