// Callbacks of qsort hang below a frame in brackets, also in a sort within a sort, and nothing hangs there later.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <stdlib.h>

#include "e2e.h"

static NOINLINE int difference(int a, int b)
{
    work();
    return a - b;
}

static NOINLINE int compare(const void *a, const void *b)
{
    return difference(*(const int *)a, *(const int *)b);
}

static NOINLINE int compare_sorted(const void *a, const void *b)
{
    int two[] = {*(const int *)b, *(const int *)a};
    qsort(two, 2, sizeof two[0], compare);
    return difference(*(const int *)a, *(const int *)b) + 0 * two[0];
}

int main(void)
{
    int numbers[] = {2, 1};
    qsort(numbers, 2, sizeof numbers[0], compare);
    qsort(numbers, 2, sizeof numbers[0], compare);
    qsort(numbers, 2, sizeof numbers[0], compare_sorted);
    return compare(&numbers[0], &numbers[1]) > 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[qsort];compare 2
// CHECK-NEXT: main;[qsort];compare;difference 2
// CHECK-NEXT: main;[qsort];compare_sorted 1
// CHECK-NEXT: main;[qsort];compare_sorted;[qsort];compare 1
// CHECK-NEXT: main;[qsort];compare_sorted;[qsort];compare;difference 1
// CHECK-NEXT: main;[qsort];compare_sorted;difference 1
// CHECK-NEXT: main;compare 1
// CHECK-NEXT: main;compare;difference 1
