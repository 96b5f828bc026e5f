// Functions without a body are called and counted, direct, through pointers, by sibling calls and from a library.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"
#include "library.h"

/* Not known to do nothing, so that their calls stay. */
#define KEPT NOINLINE __attribute__((optnone))

KEPT void empty(void)
{
}

static KEPT void empty_local(void)
{
}

static void (*volatile pointer)(void) = empty_local;

static NOINLINE void sibling(void)
{
    work();
    pointer();
}

int main(void)
{
    empty();
    empty_local();
    pointer();
    pointer();
    sibling();
    call_both(empty, empty_local);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[call_both];empty 1
// CHECK-NEXT: main;[call_both];empty_local 1
// CHECK-NEXT: main;empty 1
// CHECK-NEXT: main;empty_local 3
// CHECK-NEXT: main;sibling 1
// CHECK-NEXT: main;sibling;empty_local 1
