// hcct_context_describe tells the path of its caller, and hcct-decode --context the same for the number of any context
// that was pinned: below calls, recursion, pointers, callbacks, tail calls, signals, in inlined code and out of it.
// RUN: %hcct-cc -gline-tables-only -O0 -I%hcct-source/include -I%inputs %s -o %t.0 && sh %inputs/context.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -gline-tables-only -O2 -I%hcct-source/include -I%inputs %s -o %t.2 && sh %inputs/context.sh %hcct-decode %s %t.2
// RUN: %hcct-cc -gline-tables-only -O2 -flto -I%hcct-source/include -I%inputs %s -o %t.l && sh %inputs/context.sh %hcct-decode %s %t.l
#include <signal.h>

#include "context.h"

static NOINLINE void leaf(void)
{
    tell();
    work();
}

static void (*volatile pointer)(void) = leaf;

static NOINLINE void down(int n)
{
    if (n)
        down(n - 1);
    else
        leaf();
    work();
}

static inline __attribute__((always_inline)) void within(void)
{
    leaf();
}

__attribute__((no_profile_instrument_function)) NOINLINE void outside(void)
{
    tell();
    pointer();
    work();
}

static int compare(const void *a, const void *b)
{
    if (*(const int *)a == 1 || *(const int *)b == 1)
        leaf();
    return *(const int *)a - *(const int *)b;
}

static void handle(int number)
{
    leaf();
    (void)number;
}

NOINLINE void last(void)
{
    leaf();
    work();
}

static NOINLINE void tail(void)
{
    work();
    last();
}

int main(void)
{
    int numbers[] = { 1, 2 };
    tell();
    leaf();
    pointer();
    down(3);
    within();
    outside();
    qsort(numbers, 2, sizeof numbers[0], compare);
    tail();
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    tell();
    return 0;
}
// CHECK: main
// CHECK-NEXT: main;leaf
// CHECK-NEXT: main;leaf
// CHECK-NEXT: main;down;down;down;down;leaf
// CHECK-NEXT: main;within;leaf
// CHECK-NEXT: main;[outside]
// CHECK-NEXT: main;[outside];leaf
// CHECK-NEXT: main;[qsort];compare;leaf
// CHECK-NEXT: main;tail;last;leaf
// CHECK-NEXT: [signal 10];handle;leaf
// CHECK-NEXT: main
