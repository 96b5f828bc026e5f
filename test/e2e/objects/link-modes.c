// Executables of all kinds have the same profile: static, static-pie, no-pie, lld, sections collected.
// RUN: %hcct-cc -O2 -fPIE -I%inputs -ffunction-sections -fdata-sections -c %s -o %t.o
// RUN: %hcct-cc -static %t.o -o %t.1 && sh %inputs/exact.sh %hcct-decode %s %t.1
// RUN: %hcct-cc -static-pie %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
// RUN: %hcct-cc -no-pie %t.o -o %t.3 && sh %inputs/exact.sh %hcct-decode %s %t.3
// RUN: %hcct-cc -fuse-ld=lld %t.o -o %t.4 && sh %inputs/exact.sh %hcct-decode %s %t.4
// RUN: %hcct-cc -fuse-ld=lld -Wl,--gc-sections %t.o -o %t.5 && sh %inputs/exact.sh %hcct-decode %s %t.5
// RUN: %hcct-cc -fuse-ld=bfd -Wl,--gc-sections %t.o -o %t.6 && sh %inputs/exact.sh %hcct-decode %s %t.6
// RUN: %hcct-cc -fuse-ld=lld -static -Wl,--gc-sections %t.o -o %t.7 && sh %inputs/exact.sh %hcct-decode %s %t.7
#include <stdlib.h>

#include "e2e.h"

static NOINLINE void leaf(void)
{
    work();
}

static void handler(void)
{
    leaf();
    work();
}

static int compare(const void *a, const void *b)
{
    leaf();
    return *(const int *)a - *(const int *)b;
}

__attribute__((destructor)) static void last(void)
{
    leaf();
    work();
}

int main(void)
{
    int two[] = {2, 1};
    atexit(handler);
    qsort(two, 2, sizeof two[0], compare);
    leaf();
    return 0;
}
// CHECK: handler 1
// CHECK-NEXT: handler;leaf 1
// CHECK-NEXT: last 1
// CHECK-NEXT: last;leaf 1
// CHECK-NEXT: main 1
// CHECK-NEXT: main;[qsort];compare 1
// CHECK-NEXT: main;[qsort];compare;leaf 1
// CHECK-NEXT: main;leaf 1
