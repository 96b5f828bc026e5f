// Calls through pointers, of functions that are called directly as well, by a table and as an argument.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE void a(void)
{
    leaf();
    work();
}

NOINLINE void b(void)
{
    a();
    leaf();
    work();
}

static void (*volatile table[])(void) = {a, b, leaf};

static NOINLINE void apply(void (*function)(void))
{
    function();
    work();
}

int main(void)
{
    for (int i = 0; i < 6; i++)
        table[i % 3]();
    b();
    apply(table[1]);
    leaf();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;a 2
// CHECK-NEXT: main;a;leaf 2
// CHECK-NEXT: main;apply 1
// CHECK-NEXT: main;apply;b 1
// CHECK-NEXT: main;apply;b;a 1
// CHECK-NEXT: main;apply;b;a;leaf 1
// CHECK-NEXT: main;apply;b;leaf 1
// CHECK-NEXT: main;b 3
// CHECK-NEXT: main;b;a 3
// CHECK-NEXT: main;b;a;leaf 3
// CHECK-NEXT: main;b;leaf 3
// CHECK-NEXT: main;leaf 3
