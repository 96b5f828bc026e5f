/* Functions that are to be small (-Os, -Oz), or are cold: each context has its count, in tables and in the bounded summary, as its callers call it
 * directly, through pointers, by the C library and in tail position; and nothing is counted where nothing is to be.
 * RUN: rm -rf %t && mkdir %t && cd %t
 * RUN: for how in -Os -Oz "-O2 -DCOLD=cold" "-Os -flto"; do %hcct-cc $how %s -o x && for mode in cct hcct; do \
 * RUN:   HCCT_OPTIONS=mode=$mode ./x > folded && %hcct-decode --all --format=folded --by=function | LC_ALL=C sort >> folded && FileCheck %s < folded || exit 1; done; \
 * RUN:   HCCT_OPTIONS=counting=off ./x && %hcct-decode | FileCheck --check-prefix=OFF %s || exit 1; done
 * CHECK: [[COMPARED:[0-9]+]] comparisons
 * CHECK-NEXT: main 1
 * CHECK-NEXT: main;[qsort];compare [[COMPARED]]
 * CHECK-NEXT: main;[qsort];compare;leaf [[COMPARED]]
 * CHECK-NEXT: main;passes_on 200
 * CHECK-NEXT: main;passes_on;leaf 200
 * CHECK-NEXT: main;through 600
 * CHECK-NEXT: main;through;leaf 400
 * CHECK-NEXT: main;through;other 200
 * CHECK-NOT: main
 * OFF: no calls were counted
 */
#include <stdio.h>
#include <stdlib.h>

#ifndef COLD
#define COLD noinline
#endif
static volatile int sink, compared;

__attribute__((noinline, COLD)) void leaf(void)
{
    sink++;
}

__attribute__((noinline, COLD)) void other(void)
{
    sink += 2;
}

static void (*volatile pointers[])(void) = { leaf, other, leaf };

__attribute__((noinline, COLD)) static void through(int which)
{
    pointers[which]();
    sink++;
}

__attribute__((noinline, COLD)) static void passes_on(void)
{
    sink++;
    leaf();
}

__attribute__((COLD)) int compare(const void *a, const void *b)
{
    leaf();
    compared++;
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    int numbers[] = { 5, 3, 9, 1, 7, 2 };
    for (int i = 0; i < 200; i++) {
        passes_on();
        for (int which = 0; which < 3; which++)
            through(which);
    }
    qsort(numbers, 6, sizeof numbers[0], compare);
    printf("%d comparisons\n", compared);
    return numbers[0] != 1;
}
