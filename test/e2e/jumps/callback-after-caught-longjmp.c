// A callback after the frame that is not instrumented caught a longjmp out of an earlier callback itself.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"
#include "library.h"

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE void leave(void)
{
    work();
    longjmp(call_catching_target, 1);
}

static void (*volatile leave_pointer)(void) = leave;

static void leave_directly(void)
{
    leave();
}

static void leave_by_pointer(void)
{
    leave_pointer();
    work();
}

static void leave_from_callback(void)
{
    call(leave);
    work();
}

static NOINLINE void sink(int depth)
{
    if (depth)
        sink(depth - 1);
    else
        leave();
    work();
}

static void leave_recursively(void)
{
    sink(2);
    work();
}

static void after(void)
{
    leaf();
    work();
}

int main(void)
{
    call_catching(leave_directly, after);
    call_catching(leave_by_pointer, after);
    call_catching(leave_from_callback, after);
    call_catching(leave_recursively, after);
    call(after);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[call];after 1
// CHECK-NEXT: main;[call];after;leaf 1
// CHECK-NEXT: main;[call_catching];after 4
// CHECK-NEXT: main;[call_catching];after;leaf 4
// CHECK-NEXT: main;[call_catching];leave_by_pointer 1
// CHECK-NEXT: main;[call_catching];leave_by_pointer;leave 1
// CHECK-NEXT: main;[call_catching];leave_directly 1
// CHECK-NEXT: main;[call_catching];leave_directly;leave 1
// CHECK-NEXT: main;[call_catching];leave_from_callback 1
// CHECK-NEXT: main;[call_catching];leave_from_callback;[call];leave 1
// CHECK-NEXT: main;[call_catching];leave_recursively 1
// CHECK-NEXT: main;[call_catching];leave_recursively;sink 1
// CHECK-NEXT: main;[call_catching];leave_recursively;sink;sink 1
// CHECK-NEXT: main;[call_catching];leave_recursively;sink;sink;sink 1
// CHECK-NEXT: main;[call_catching];leave_recursively;sink;sink;sink;leave 1
