// longjmp over many frames, of which some pushed: later calls hang where they belong.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <setjmp.h>

#include "e2e.h"

static jmp_buf target;

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE void leave(void)
{
    work();
    longjmp(target, 1);
}

static void (*volatile leave_pointer)(void) = leave;

static NOINLINE void sink(int depth)
{
    if (depth)
        sink(depth - 1);
    else
        leave_pointer();
    work();
}

static NOINLINE void attempt(void)
{
    if (setjmp(target) == 0)
        sink(1);
    else
        leaf();
    leaf();
    work();
}

static NOINLINE void outer(int depth)
{
    if (depth)
        outer(depth - 1);
    else
        attempt();
    leaf();
    work();
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        outer(1);
    leaf();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;leaf 1
// CHECK-NEXT: main;outer 3
// CHECK-NEXT: main;outer;leaf 3
// CHECK-NEXT: main;outer;outer 3
// CHECK-NEXT: main;outer;outer;attempt 3
// CHECK-NEXT: main;outer;outer;attempt;leaf 6
// CHECK-NEXT: main;outer;outer;attempt;sink 3
// CHECK-NEXT: main;outer;outer;attempt;sink;sink 3
// CHECK-NEXT: main;outer;outer;attempt;sink;sink;leave 3
// CHECK-NEXT: main;outer;outer;leaf 3
