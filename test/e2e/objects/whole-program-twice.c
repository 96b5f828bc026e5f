// Two objects that were each compiled as the whole program have the same ids: the run says so, and counts nothing.
// RUN: split-file %s %t && cd %t
// RUN: env HCCT_WHOLE_PROGRAM=1 %hcct-cc -O2 -I%inputs -c one.c && env HCCT_WHOLE_PROGRAM=1 %hcct-cc -O2 -I%inputs -c two.c
// RUN: %hcct-cc one.o two.o -o x && env HCCT_OPTIONS=output=%t/x.bin ./x 2>&1 >/dev/null | FileCheck --check-prefix=SAID one.c
// RUN: %hcct-decode %t/x.bin 2>&1 | FileCheck --check-prefix=NOTHING one.c
// One of them may be.
// RUN: %hcct-cc -O2 -I%inputs -c two.c && %hcct-cc one.o two.o -o y && sh %inputs/exact.sh %hcct-decode one.c %t/y
//--- one.c
#include "e2e.h"
void other(void (*)(void));
static NOINLINE void back(void) { work(); }
static NOINLINE void leaf(int n)
{
    if (n)
        leaf(n - 1);
    work();
}
int main(void)
{
    leaf(2);
    other(back);
    return 0;
}
// SAID: hcct: {{.*}} were both instrumented as whole programs
// NOTHING: no calls were counted (N = 0)
// CHECK: main 1
// CHECK-NEXT: main;leaf 1
// CHECK-NEXT: main;leaf;leaf 1
// CHECK-NEXT: main;leaf;leaf;leaf 1
// CHECK-NEXT: main;other 1
// CHECK-NEXT: main;other;again 2
// CHECK-NEXT: main;other;again;back 2
//--- two.c
#include "e2e.h"
static NOINLINE void again(void (*f)(void)) { f(); work(); }
NOINLINE void other(void (*f)(void))
{
    again(f);
    again(f);
    work();
}
