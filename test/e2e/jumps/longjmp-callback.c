// longjmp out of callbacks, over frames that are not instrumented.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <setjmp.h>

#include "e2e.h"
#include "library.h"

static jmp_buf target;

static NOINLINE void leaf(void)
{
    work();
}

static void leave(void)
{
    leaf();
    longjmp(target, 1);
}

static void nest(void)
{
    call(leave);
    work();
}

static NOINLINE void attempt(void (*function)(void))
{
    if (setjmp(target) == 0)
        call(function);
    leaf();
    call(leaf);
    work();
}

int main(void)
{
    attempt(leave);
    attempt(nest);
    if (setjmp(target) == 0)
        call(nest);
    call(leaf);
    leaf();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[call];leaf 1
// CHECK-NEXT: main;[call];nest 1
// CHECK-NEXT: main;[call];nest;[call];leave 1
// CHECK-NEXT: main;[call];nest;[call];leave;leaf 1
// CHECK-NEXT: main;attempt 2
// CHECK-NEXT: main;attempt;[call];leaf 2
// CHECK-NEXT: main;attempt;[call];leave 1
// CHECK-NEXT: main;attempt;[call];leave;leaf 1
// CHECK-NEXT: main;attempt;[call];nest 1
// CHECK-NEXT: main;attempt;[call];nest;[call];leave 1
// CHECK-NEXT: main;attempt;[call];nest;[call];leave;leaf 1
// CHECK-NEXT: main;attempt;leaf 2
// CHECK-NEXT: main;leaf 1
