// A callback that leaves by sibling calls through a pointer to itself, then itself again from the same frame.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"
#include "library.h"

static volatile int left;

static void again(void);
static void (*volatile pointer)(void) = again;

static void again(void)
{
    work();
    if (left-- > 0)
        __attribute__((musttail)) return pointer();
}

static void first(void)
{
    left = 1;
    __attribute__((musttail)) return pointer();
}

int main(void)
{
    call_both(first, again);
    call_second_deeper(first, again);
    call_first_deeper(first, again);
    static callback *const list[] = {first, again, first, again, 0};
    call_each(list);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[call_both];again 1
// CHECK-NEXT: main;[call_both];first 1
// CHECK-NEXT: main;[call_both];first;again 1
// CHECK-NEXT: main;[call_both];first;again;again 1
// CHECK-NEXT: main;[call_each];again 2
// CHECK-NEXT: main;[call_each];first 2
// CHECK-NEXT: main;[call_each];first;again 2
// CHECK-NEXT: main;[call_each];first;again;again 2
// CHECK-NEXT: main;[call_first_deeper];again 1
// CHECK-NEXT: main;[call_first_deeper];first 1
// CHECK-NEXT: main;[call_first_deeper];first;again 1
// CHECK-NEXT: main;[call_first_deeper];first;again;again 1
// CHECK-NEXT: main;[call_second_deeper];again 1
// CHECK-NEXT: main;[call_second_deeper];first 1
// CHECK-NEXT: main;[call_second_deeper];first;again 1
// CHECK-NEXT: main;[call_second_deeper];first;again;again 1
