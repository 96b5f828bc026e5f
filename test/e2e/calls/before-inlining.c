// HCCT_BEFORE_INLINING and --hcct-before-inlining: every function of the source has contexts, but always_inline ones.
// RUN: %hcct-cc -O0 --hcct-before-inlining -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 --hcct-before-inlining -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
// RUN: env HCCT_BEFORE_INLINING=1 %hcct-cc -O2 -I%inputs %s -o %t.e && sh %inputs/exact.sh %hcct-decode %s %t.e
// Without it the inlined ones have none.
// RUN: env HCCT_BEFORE_INLINING=0 %hcct-cc -O2 -I%inputs %s -o %t.n && env CHECKS=AFTER sh %inputs/exact.sh %hcct-decode %s %t.n
#include "e2e.h"

static inline void leaf(void)
{
    work();
}

static inline void middle(void)
{
    leaf();
    leaf();
    work();
}

int main(void)
{
    middle();
    leaf();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;leaf 1
// CHECK-NEXT: main;middle 1
// CHECK-NEXT: main;middle;leaf 2
// AFTER: main 1
