// A callback after the frame that is not instrumented caught a longjmp itself, and from deeper than what it left.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"
#include "library.h"

static NOINLINE void leave(void)
{
    work();
    longjmp(call_catching_target, 1);
}

static void (*volatile leave_pointer)(void) = leave;

static void leave_by_pointer(void)
{
    leave_pointer();
    work();
}

static void after(void)
{
    work();
}

int main(void)
{
    call_catching_deeper(leave_by_pointer, after);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[call_catching_deeper];after 1
// CHECK-NEXT: main;[call_catching_deeper];leave_by_pointer 1
// CHECK-NEXT: main;[call_catching_deeper];leave_by_pointer;leave 1
