// A function that nobody needs is collected with its records, though it calls a function that does not exist.
// RUN: %hcct-cc -O0 -ffunction-sections -I%inputs -c %s -o %t.o
// RUN: %hcct-cc -fuse-ld=bfd -Wl,--gc-sections -Wl,-z,start-stop-gc %t.o -o %t.b && sh %inputs/exact.sh %hcct-decode %s %t.b
// RUN: %hcct-cc -fuse-ld=lld -Wl,--gc-sections %t.o -o %t.l && sh %inputs/exact.sh %hcct-decode %s %t.l
// RUN: for x in %t.b %t.l; do nm $x | FileCheck --check-prefix=SYMBOLS %s || exit 1; done
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
