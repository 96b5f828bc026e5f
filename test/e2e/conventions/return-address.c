// __builtin_return_address and __builtin_frame_address tell what they tell without instrumentation.
// RUN: %hcct-cc -O0 -fno-omit-frame-pointer -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -fno-omit-frame-pointer -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <stdlib.h>

#include "e2e.h"

static NOINLINE const char *where(void)
{
    work();
    return __builtin_return_address(0);
}

static NOINLINE const char *frame(void)
{
    work();
    return __builtin_frame_address(1);
}

static NOINLINE const char *where_pointer(const char *(*volatile pointer)(void))
{
    const char *address = pointer();
    work();
    return address;
}

/* The calls of `where` return to here, in order. */
static NOINLINE int middle(void)
{
    const char *seen[4];
    volatile int rounds = 2; /* not unrolled */
    for (int i = 0; i < rounds; i++)
        seen[i] = where();
    work();
    seen[2] = where();
    work();
    seen[3] = where_pointer(where);
    if (seen[0] != seen[1] || seen[0] == seen[2] || seen[3] == seen[2])
        return 1;
    const char *begin = (const char *)&middle, *own = __builtin_frame_address(0);
    if (seen[0] < begin || seen[0] > begin + 4000 || seen[2] < begin || seen[2] > begin + 4000)
        return 2;
    return frame() == own ? 0 : 3;
}

int main(void)
{
    return middle();
}
// CHECK: main 1
// CHECK-NEXT: main;middle 1
// CHECK-NEXT: main;middle;frame 1
// CHECK-NEXT: main;middle;where 3
// CHECK-NEXT: main;middle;where_pointer 1
// CHECK-NEXT: main;middle;where_pointer;where 1
