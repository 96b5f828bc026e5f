// A context that getcontext made has anything in its uc_stack: what lies there by chance is no stack, whatever it encloses.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

#include "e2e.h"

enum { BYTES = 1 << 16 };
static ucontext_t home, away, target;
static volatile int round;

static NOINLINE void leaf(void)
{
    work();
}

/* Goes on where it was, by a context with that uc_stack. */
static NOINLINE void again(uintptr_t start, uintptr_t bytes)
{
    round = 0;
    getcontext(&target);
    leaf();
    if (round++)
        return;
    target.uc_stack.ss_sp = (void *)start;
    target.uc_stack.ss_size = bytes;
    setcontext(&target);
}

static NOINLINE void all_kinds(uintptr_t here)
{
    again(0, UINTPTR_MAX);
    again(1 << 20, here);
    again(here - (1 << 20), (1 << 20) + (1 << 19));
    again(here - (1 << 20), here);
    again(here - 64, here);
}

static void fiber(void)
{
    char variable;
    all_kinds((uintptr_t)&variable);
    leaf();
    swapcontext(&away, &home);
}

int main(void)
{
    char variable;
    all_kinds((uintptr_t)&variable);
    getcontext(&away);
    away.uc_stack.ss_sp = malloc(BYTES);
    away.uc_stack.ss_size = BYTES;
    makecontext(&away, fiber, 0);
    swapcontext(&home, &away);
    leaf();
    return 0;
}
// CHECK: fiber 1
// CHECK-NEXT: fiber;all_kinds 1
// CHECK-NEXT: fiber;all_kinds;again 5
// CHECK-NEXT: fiber;all_kinds;again;leaf 10
// CHECK-NEXT: fiber;leaf 1
// CHECK-NEXT: main 1
// CHECK-NEXT: main;all_kinds 1
// CHECK-NEXT: main;all_kinds;again 5
// CHECK-NEXT: main;all_kinds;again;leaf 10
// CHECK-NEXT: main;leaf 1
