// A callback that leaves by sibling calls around a cycle (musttail, so at -O0 too), then a second one from the same
// frame. The cycle is shown folded: one frame for each site of it.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"
#include "library.h"

static volatile int left;

static void pong(void);

static NOINLINE void ping(void)
{
    work();
    if (left-- > 0)
        __attribute__((musttail)) return pong();
}

static NOINLINE void pong(void)
{
    work();
    if (left-- > 0)
        __attribute__((musttail)) return ping();
}

static void first(void)
{
    left = 2;
    __attribute__((musttail)) return ping();
}

static void second(void)
{
    left = 0;
    ping();
    work();
}

int main(void)
{
    call_both(first, second);
    call_second_deeper(first, second);
    call_first_deeper(first, second);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[call_both];first 1
// CHECK-NEXT: main;[call_both];first;ping 1
// CHECK-NEXT: main;[call_both];first;ping;pong 1
// CHECK-NEXT: main;[call_both];first;ping;pong;ping 1
// CHECK-NEXT: main;[call_both];second 1
// CHECK-NEXT: main;[call_both];second;ping 1
// CHECK-NEXT: main;[call_first_deeper];first 1
// CHECK-NEXT: main;[call_first_deeper];first;ping 1
// CHECK-NEXT: main;[call_first_deeper];first;ping;pong 1
// CHECK-NEXT: main;[call_first_deeper];first;ping;pong;ping 1
// CHECK-NEXT: main;[call_first_deeper];second 1
// CHECK-NEXT: main;[call_first_deeper];second;ping 1
// CHECK-NEXT: main;[call_second_deeper];first 1
// CHECK-NEXT: main;[call_second_deeper];first;ping 1
// CHECK-NEXT: main;[call_second_deeper];first;ping;pong 1
// CHECK-NEXT: main;[call_second_deeper];first;ping;pong;ping 1
// CHECK-NEXT: main;[call_second_deeper];second 1
// CHECK-NEXT: main;[call_second_deeper];second;ping 1
