// Nested setjmps: jumps to the inner, to the outer over the inner, to one that was armed again, and twice to one.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <setjmp.h>

#include "e2e.h"
#include "library.h"

static jmp_buf outer, inner;

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE void to_inner(void)
{
    leaf();
    longjmp(inner, 1);
}

static NOINLINE void to_outer(void)
{
    leaf();
    longjmp(outer, 1);
}

static NOINLINE void second(void)
{
    volatile int times = 0;
    if (setjmp(inner) < 2 && times++ < 2)
        call(to_inner);
    call(leaf);
    if (setjmp(inner) == 0)
        to_inner();
    call(to_outer);
    leaf();
}

static NOINLINE void first(void)
{
    volatile int times = 0;
    setjmp(outer);
    if (times++ < 2)
        second();
    leaf();
    call(leaf);
    work();
}

int main(void)
{
    first();
    leaf();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;first 1
// CHECK-NEXT: main;first;[call];leaf 1
// CHECK-NEXT: main;first;leaf 1
// CHECK-NEXT: main;first;second 2
// CHECK-NEXT: main;first;second;[call];leaf 2
// CHECK-NEXT: main;first;second;[call];to_inner 4
// CHECK-NEXT: main;first;second;[call];to_inner;leaf 4
// CHECK-NEXT: main;first;second;[call];to_outer 2
// CHECK-NEXT: main;first;second;[call];to_outer;leaf 2
// CHECK-NEXT: main;first;second;to_inner 2
// CHECK-NEXT: main;first;second;to_inner;leaf 2
// CHECK-NEXT: main;leaf 1
