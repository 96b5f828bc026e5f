// Functions with clang's attributes against profiling are left alone: their callees hang below the last push.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"

NOINLINE void leaf(void)
{
    work();
}

__attribute__((no_profile_instrument_function)) NOINLINE void hidden(void (*callback)(void))
{
    leaf();
    callback();
    work();
}

static NOINLINE void shown(void)
{
    leaf();
    hidden(leaf);
    work();
}

int main(void)
{
    shown();
    hidden(leaf);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[hidden];leaf 2
// CHECK-NEXT: main;shown 1
// CHECK-NEXT: main;shown;[hidden];leaf 2
// CHECK-NEXT: main;shown;leaf 1
