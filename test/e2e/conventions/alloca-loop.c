// alloca in a loop: the stack pointer falls from push to push of one activation, and jumps lead back above them.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <alloca.h>
#include <setjmp.h>
#include <string.h>

#include "e2e.h"
#include "library.h"

static jmp_buf target;

static NOINLINE void leaf(void)
{
    work();
}

static void leave(void)
{
    longjmp(target, 1);
}

static NOINLINE void loop(volatile int rounds)
{
    void (*volatile pointer)(void) = leaf;
    for (int i = 1; i <= rounds; i++) {
        char *room = alloca(i * 100);
        memset(room, i, i * 100);
        pointer();
        call(leaf);
        leaf();
    }
    work();
}

static NOINLINE void jumps(volatile int bytes)
{
    volatile int round = 0;
    while (round < 3) {
        if (setjmp(target) == 0) {
            char *room = alloca(bytes);
            memset(room, 1, bytes);
            call(leave);
        }
        round++;
        call(leaf);
    }
    leaf();
    work();
}

int main(void)
{
    loop(100);
    jumps(5000);
    call(leaf);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[call];leaf 1
// CHECK-NEXT: main;jumps 1
// CHECK-NEXT: main;jumps;[call];leaf 3
// CHECK-NEXT: main;jumps;[call];leave 3
// CHECK-NEXT: main;jumps;leaf 1
// CHECK-NEXT: main;loop 1
// CHECK-NEXT: main;loop;[call];leaf 100
// CHECK-NEXT: main;loop;leaf 200
