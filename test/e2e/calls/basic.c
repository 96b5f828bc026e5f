// Direct calls, recursion, a qsort callback and a function pointer, counted exactly at -O0 and -O2.
// RUN: %hcct-cc -O0 %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <stdlib.h>

static __attribute__((noinline)) int leaf(int x)
{
    return x * 3;
}

__attribute__((noinline)) int twice(int x)
{
    return leaf(x) + leaf(x + 1);
}

static __attribute__((noinline)) int compare(const void *a, const void *b)
{
    return leaf(*(const int *)a) - leaf(*(const int *)b);
}

int (*volatile pointer)(int) = twice;

int main(void)
{
    int two[2] = {2, 1};
    qsort(two, 2, sizeof two[0], compare);
    return twice(1) + pointer(2) == 24 ? 0 : 1;
}
// CHECK: main 1
// CHECK-NEXT: main;[qsort];compare 1
// CHECK-NEXT: main;[qsort];compare;leaf 2
// CHECK-NEXT: main;twice 2
// CHECK-NEXT: main;twice;leaf 4
