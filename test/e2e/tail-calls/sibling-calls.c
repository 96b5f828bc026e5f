// Ten million sibling calls, direct and through pointers, run in a small stack and keep the context stack small.
// Folded: a site that pushes stands in a chain of tail calls once. Of the direct calls pong's is the back edge, which
// pushes; so it is of those through pointers whose callees are guessed. Where these would be too many,
// both push. The first one that pushes is a plain call.
// RUN: %hcct-cc -O2 -I%inputs %s -o %t
// RUN: ulimit -s 256; ulimit -v 1000000; sh %inputs/exact.sh %hcct-decode %s %t
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

static void pong_unguessed(int);
static void (*volatile pong_unguessed_pointer)(int) = pong_unguessed;

static NOINLINE void ping_unguessed(int x)
{
    if (left-- > 0)
        pong_unguessed_pointer(x);
}

static void (*volatile ping_unguessed_pointer)(int) = ping_unguessed;

static NOINLINE void pong_unguessed(int x)
{
    if (left-- > 0)
        ping_unguessed_pointer(x);
}

static NOINLINE void other(int x) { left += x; }
static NOINLINE void another(int x) { left += 2L * x; }
static NOINLINE void third(int x) { left += 3L * x; }
void (*volatile others)(int) = other, (*volatile more)(int) = another, (*volatile most)(int) = third;

int main(void)
{
    left = 10000000;
    ping();
    left = 10000000;
    ping_pointer();
    left = 10000000;
    ping_unguessed_pointer(0);
    work();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;ping 1
// CHECK-NEXT: main;ping;pong 1
// CHECK-NEXT: main;ping;pong;ping 5000000
// CHECK-NEXT: main;ping;pong;ping;pong 4999999
// CHECK-NEXT: main;ping_by_pointer 1
// CHECK-NEXT: main;ping_by_pointer;pong_by_pointer 1
// CHECK-NEXT: main;ping_by_pointer;pong_by_pointer;ping_by_pointer 1
// CHECK-NEXT: main;ping_by_pointer;pong_by_pointer;ping_by_pointer;pong_by_pointer 1
// CHECK-NEXT: main;ping_by_pointer;pong_by_pointer;ping_by_pointer;pong_by_pointer;ping_by_pointer 4999999
// CHECK-NEXT: main;ping_by_pointer;pong_by_pointer;ping_by_pointer;pong_by_pointer;ping_by_pointer;pong_by_pointer 4999998
// CHECK-NEXT: main;ping_unguessed 1
// CHECK-NEXT: main;ping_unguessed;pong_unguessed 1
// CHECK-NEXT: main;ping_unguessed;pong_unguessed;ping_unguessed 5000000
// CHECK-NEXT: main;ping_unguessed;pong_unguessed;ping_unguessed;pong_unguessed 4999999
