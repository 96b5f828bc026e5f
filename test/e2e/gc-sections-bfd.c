// A function that nobody needs is collected with its records, though it calls a function that does not exist: with GNU ld.
// XFAIL: *
// Wrong: GNU ld keeps a section that has a C identifier for a name as soon as __start_NAME is referred to, unless it is
// told -z start-stop-gc; the wrapper does not tell it.
// RUN: %hcct-cc -O0 -ffunction-sections -I%S/Inputs -c %s -o %t.o
// RUN: %hcct-cc -fuse-ld=bfd -Wl,--gc-sections %t.o -o %t.b && sh %S/Inputs/exact.sh %hcct-decode %s %t.b
// RUN: nm %t.b | FileCheck --check-prefix=SYMBOLS %s
// SYMBOLS-NOT: unreferenced
// SYMBOLS: main
// SYMBOLS-NOT: unreferenced
#include "e2e.h"

void does_not_exist(void);

NOINLINE void leaf(void)
{
    work();
}

void unreferenced(void)
{
    leaf();
    does_not_exist();
}

int main(void)
{
    leaf();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;leaf 1
