// Callbacks of bsearch hang below a frame in brackets, though glibc's header offers an inline definition.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -D__NO_INLINE__ -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
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

int main(void)
{
    const int numbers[] = {1, 2, 3};
    const int three = 3;
    return bsearch(&three, numbers, 3, sizeof numbers[0], compare) != &numbers[2];
}
// CHECK: main 1
// CHECK-NEXT: main;[bsearch];compare 2
// CHECK-NEXT: main;[bsearch];compare;difference 2
