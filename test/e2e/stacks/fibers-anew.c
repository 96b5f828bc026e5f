// What begins by makecontext is a root, whatever ran on its memory before, and however large or wherever its stack is: an abandoned fiber's
// calls do not stand above it, with arguments on the stack, too. The thread's own stack is none of a fiber's.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "e2e.h"
#include "library.h"

enum { BYTES = 1 << 16, ROOM = 1000 };
#define HUGE_BYTES (UINT64_C(1) << 41)
static ucontext_t home, away;
static char *own; /* what a fiber takes for the thread's stack */

static NOINLINE void leaf(void)
{
    work();
}

/* Its frame has room, and calls what is not instrumented. */
static NOINLINE void calls(void)
{
    volatile char room[ROOM];
    room[0] = 1;
    call(leaf);
    work();
}

static void abandoned(void)
{
    volatile char room[ROOM];
    room[0] = 1;
    call(calls);
    swapcontext(&away, &home);
}

static void leaver(void)
{
    volatile char room[ROOM];
    room[0] = 1;
    call(leaf);
    setcontext(&home);
}

static void with_arguments(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j)
{
    calls();
    if (a + b + c + d + e + f + g + h + i + j == 10)
        leaf();
    swapcontext(&away, &home);
}

static NOINLINE void run(void (*function)(void), void *stack, size_t bytes)
{
    getcontext(&away);
    away.uc_stack.ss_sp = stack;
    away.uc_stack.ss_size = bytes;
    away.uc_link = &home;
    if (function)
        makecontext(&away, function, 0);
    else
        makecontext(&away, (void (*)(void))with_arguments, 10, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
    swapcontext(&home, &away);
}

static NOINLINE void goes_back(void)
{
    home.uc_stack.ss_sp = own;
    home.uc_stack.ss_size = 2 * BYTES;
    call(leaf);
    setcontext(&home);
}

int main(void)
{
    char *stack = malloc(BYTES);
    char *large = mmap(NULL, HUGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (int i = 0; i < 2; i++) {
        run(abandoned, stack, BYTES);
        run(NULL, stack, BYTES);
        run(leaver, stack, BYTES);
    }
    if (large != MAP_FAILED) {
        run(leaver, large, HUGE_BYTES);
        munmap(large, HUGE_BYTES);
    } else {
        run(leaver, stack, BYTES);
    }
    own = (char *)&stack - BYTES;
    run(goes_back, stack, BYTES);
    calls();
    return 0;
}
// CHECK: abandoned 2
// CHECK-NEXT: abandoned;[call];calls 2
// CHECK-NEXT: abandoned;[call];calls;[call];leaf 2
// CHECK-NEXT: goes_back 1
// CHECK-NEXT: goes_back;[call];leaf 1
// CHECK-NEXT: leaver 3
// CHECK-NEXT: leaver;[call];leaf 3
// CHECK-NEXT: main 1
// CHECK-NEXT: main;calls 1
// CHECK-NEXT: main;calls;[call];leaf 1
// CHECK-NEXT: main;run 8
// CHECK-NEXT: with_arguments 2
// CHECK-NEXT: with_arguments;calls 2
// CHECK-NEXT: with_arguments;calls;[call];leaf 2
// CHECK-NEXT: with_arguments;leaf 2
