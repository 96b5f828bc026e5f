// Ten million sibling calls, direct and through a pointer, run in a small stack and keep the context stack small.
// Folded: a site that pushes stands in a chain of tail calls once. Of the direct calls pong's is the back edge, which
// pushes; both indirect ones do.
// RUN: %hcct-cc -O2 -I%S/Inputs %s -o %t
// RUN: ulimit -s 256; ulimit -v 1000000; sh %S/Inputs/exact.sh %hcct-decode %s %t
#include "e2e.h"

static volatile long left;

static void pong(void);

static NOINLINE void ping(void)
{
    if (left-- > 0)
        pong();
}

static NOINLINE void pong(void)
{
    if (left-- > 0)
        ping();
}

static void pong_by_pointer(void);
static void (*volatile pong_pointer)(void) = pong_by_pointer;

static NOINLINE void ping_by_pointer(void)
{
    if (left-- > 0)
        pong_pointer();
}

static void (*volatile ping_pointer)(void) = ping_by_pointer;

static NOINLINE void pong_by_pointer(void)
{
    if (left-- > 0)
        ping_pointer();
}

int main(void)
{
    left = 10000000;
    ping();
    left = 10000000;
    ping_pointer();
    work();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;ping 1
// CHECK-NEXT: main;ping;pong 1
// CHECK-NEXT: main;ping;pong;ping 5000000
// CHECK-NEXT: main;ping;pong;ping;pong 4999999
// CHECK-NEXT: main;ping_by_pointer 1
// CHECK-NEXT: main;ping_by_pointer;pong_by_pointer 5000000
// CHECK-NEXT: main;ping_by_pointer;pong_by_pointer;ping_by_pointer 5000000
