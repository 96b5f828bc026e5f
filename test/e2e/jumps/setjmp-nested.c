// setjmp within setjmp within a callback, jumps to each of them, out of loops, thousands of times.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <setjmp.h>

#include "e2e.h"
#include "library.h"

static jmp_buf outer_target, inner_target;
static volatile int round_number;

NOINLINE void leaf(void) { work(); }

NOINLINE void leave(void)
{
    leaf();
    if (round_number & 1)
        longjmp(inner_target, 1);
    longjmp(outer_target, 1);
}

static void (*volatile pointer)(void) = leave;

NOINLINE void nest(int depth)
{
    if (depth)
        nest(depth - 1);
    else
        pointer();
    work();
}

void inner(void)
{
    if (setjmp(inner_target) == 0)
        nest(2);
    else
        leaf();
    work();
}

NOINLINE void outer(void)
{
    if (setjmp(outer_target) == 0)
        call(inner);
    else
        leaf();
    call(leaf);
}

int main(void)
{
    for (round_number = 0; round_number < 10000; round_number = round_number + 1) {
        outer();
        leaf();
    }
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;leaf 10000
// CHECK-NEXT: main;outer 10000
// CHECK-NEXT: main;outer;[call];inner 10000
// CHECK-NEXT: main;outer;[call];inner;leaf 5000
// CHECK-NEXT: main;outer;[call];inner;nest 10000
// CHECK-NEXT: main;outer;[call];inner;nest;nest 10000
// CHECK-NEXT: main;outer;[call];inner;nest;nest;nest 10000
// CHECK-NEXT: main;outer;[call];inner;nest;nest;nest;leave 10000
// CHECK-NEXT: main;outer;[call];inner;nest;nest;nest;leave;leaf 10000
// CHECK-NEXT: main;outer;[call];leaf 10000
// CHECK-NEXT: main;outer;leaf 5000
