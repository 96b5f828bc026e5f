// recursion=fold: tail calls that stay tail calls push too: a state machine of tail calls, direct and
// through a pointer, in a recursion.
// RUN: %hcct-cc -O2 -I%inputs %s -o %t && sh %inputs/fold.sh %hcct-decode %t --no-books
// RUN: %hcct-decode --format=folded --all --recursion=fold %t.cct:keep.bin | FileCheck --match-full-lines --implicit-check-not='{{.}}' %s
#include "e2e.h"

static int ping(int n), pong(int n);
static int (*volatile pointer)(int) = pong;

static NOINLINE int ping(int n)
{
    work();
    return pointer(n - 1);
}

static NOINLINE int pong(int n)
{
    work();
    if (n % 4 == 0)
        return n ? 1 + ping(n - 1) : 0;
    return ping(n - 1);
}

int main(void)
{
    return ping(1001) + ping(3) != 250;
}
// CHECK: main 1
// CHECK-NEXT: main;ping 2
// CHECK-NEXT: main;ping;pong 503
// CHECK-NEXT: main;ping;pong;ping 501
