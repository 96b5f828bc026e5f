// setjmp in functions whose stack pointer moves: alloca and variable-length arrays, with calls before and after.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <alloca.h>
#include <setjmp.h>
#include <string.h>

#include "e2e.h"

static jmp_buf target;

static NOINLINE void leaf(void)
{
    work();
}

static void (*volatile leaf_pointer)(void) = leaf;

static NOINLINE void leave(char *bytes)
{
    bytes[0] = 1;
    longjmp(target, 1);
}

static void (*volatile leave_pointer)(char *) = leave;

static NOINLINE void with_alloca(volatile int bytes)
{
    volatile int round = 0;
    setjmp(target);
    if (round++ < 3) {
        char *room = alloca(bytes * round);
        memset(room, 0, bytes * round);
        leaf_pointer();
        leave_pointer(room);
    }
    leaf_pointer();
    work();
}

static NOINLINE void with_array(volatile int bytes)
{
    volatile int round = 0;
    if (setjmp(target) == 0 || round++ < 2) {
        char room[bytes + 100 * round];
        leaf();
        leave_pointer(room);
    }
    leaf_pointer();
    work();
}

int main(void)
{
    with_alloca(1000);
    with_array(300);
    leaf();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;leaf 1
// CHECK-NEXT: main;with_alloca 1
// CHECK-NEXT: main;with_alloca;leaf 4
// CHECK-NEXT: main;with_alloca;leave 3
// CHECK-NEXT: main;with_array 1
// CHECK-NEXT: main;with_array;leaf 4
// CHECK-NEXT: main;with_array;leave 3
