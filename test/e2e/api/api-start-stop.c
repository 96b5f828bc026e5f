// hcct_stop and hcct_start: calls between them are not counted, but contexts are tracked.
// RUN: %hcct-cc -O0 -I%hcct-source/include -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%hcct-source/include -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <hcct/hcct.h>

#include "e2e.h"

static NOINLINE void leaf(void)
{
    work();
}

static void (*volatile pointer)(void) = leaf;

static NOINLINE void begin(void)
{
    pointer();
    hcct_start();
    leaf();
    work();
}

static void (*volatile begin_pointer)(void) = begin;

static NOINLINE void middle(void)
{
    begin_pointer();
    pointer();
    work();
}

int main(void)
{
    leaf();
    hcct_stop();
    leaf();
    middle();
    hcct_stop();
    leaf();
    hcct_start();
    leaf();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;leaf 2
// CHECK-NEXT: main;middle;begin;leaf 1
// CHECK-NEXT: main;middle;leaf 1
