// An ifunc: its resolver, which runs before thread-local storage exists, is left alone with all that it calls; what it
// chose is counted below the callers.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"

static NOINLINE void leaf(void)
{
    work();
}

static void chosen(void)
{
    leaf();
    work();
}

static volatile int choice = 1;

static NOINLINE int decide(void)
{
    return choice;
}

static void (*resolve(void))(void)
{
    return decide() ? chosen : leaf;
}

void function(void) __attribute__((ifunc("resolve")));

int main(void)
{
    function();
    void (*volatile pointer)(void) = function;
    pointer();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[function];chosen 1
// CHECK-NEXT: main;[function];chosen;leaf 1
// CHECK-NEXT: main;chosen 1
// CHECK-NEXT: main;chosen;leaf 1
