// Functions that do not return: they jump, call exit in the end, and what is called from them keeps its path.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <setjmp.h>
#include <stdlib.h>

#include "e2e.h"
#include "library.h"

static jmp_buf target;

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE _Noreturn void leave(int how)
{
    leaf();
    call(leaf);
    longjmp(target, how);
}

static NOINLINE __attribute__((noreturn)) void leave_through(int how)
{
    leave(how);
}

static void (*volatile pointer)(int) = leave_through;

static NOINLINE void attempt(void)
{
    int how = setjmp(target);
    if (how == 0)
        leave(1);
    if (how == 1)
        leave_through(2);
    if (how == 2)
        pointer(3);
    call(leaf);
    leaf();
    work();
}

static void at_end(void)
{
    call(leaf);
    work();
}

static NOINLINE _Noreturn void end(void)
{
    leaf();
    exit(0);
}

int main(void)
{
    atexit(at_end);
    attempt();
    end();
}
// CHECK: main 1
// CHECK-NEXT: main;attempt 1
// CHECK-NEXT: main;attempt;[call];leaf 1
// CHECK-NEXT: main;attempt;leaf 1
// CHECK-NEXT: main;attempt;leave 1
// CHECK-NEXT: main;attempt;leave;[call];leaf 1
// CHECK-NEXT: main;attempt;leave;leaf 1
// CHECK-NEXT: main;attempt;leave_through 2
// CHECK-NEXT: main;attempt;leave_through;leave 2
// CHECK-NEXT: main;attempt;leave_through;leave;[call];leaf 2
// CHECK-NEXT: main;attempt;leave_through;leave;leaf 2
// CHECK-NEXT: main;end 1
// CHECK-NEXT: main;end;[exit];at_end 1
// CHECK-NEXT: main;end;[exit];at_end;[call];leaf 1
// CHECK-NEXT: main;end;leaf 1
