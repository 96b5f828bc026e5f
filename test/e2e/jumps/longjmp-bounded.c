// Three million longjmps, each over a frame that pushed, into the second setjmp of a block: the context stack does not grow.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <setjmp.h>

#include "e2e.h"

static jmp_buf first, second;
static volatile int rounds;

static NOINLINE void leave(void)
{
    longjmp(second, 1);
}

static void (*volatile pointer)(void) = leave;

static NOINLINE void attempt(void)
{
    setjmp(first);
    setjmp(second);
    if (rounds++ < 3000000)
        pointer();
    work();
}

int main(void)
{
    attempt();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;attempt 1
// CHECK-NEXT: main;attempt;leave 3000000
