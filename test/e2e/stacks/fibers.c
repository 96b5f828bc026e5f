// Fibers by makecontext and swapcontext, on stacks above and below the caller's: each is a context stack of its own, switched
// in the middle of pushes; a fiber that ends goes on at its link; a stack is used again by another fiber; setcontext to a
// getcontext of the same fiber and of another. In a static program too.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
// RUN: %hcct-cc -O2 -static -I%inputs %s -o %t.s && sh %inputs/exact.sh %hcct-decode %s %t.s
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "e2e.h"

enum { FIBERS = 4, STEPS = 5, BYTES = 64 * 1024 };

static ucontext_t home, fibers[FIBERS], saved;
static int volatile current;
static char in_data[BYTES], *stacks[FIBERS];

NOINLINE void leaf(void) { work(); }
static void (*volatile pointer)(void) = leaf;

NOINLINE void yield(void)
{
    leaf();
    swapcontext(&fibers[current], &home);
    leaf();
}

/* Every second depth by a pointer: frames on the context stack when it switches. */
NOINLINE void nest(int depth)
{
    if (depth)
        nest(depth - 1);
    else
        yield();
    pointer();
}

void fiber(int number, int steps)
{
    for (int i = 0; i < steps; i++) {
        nest(number & 1);
        leaf();
    }
    work();
}

void second(void)
{
    nest(1);
    work();
}

NOINLINE void resume(int number)
{
    current = number;
    swapcontext(&home, &fibers[number]);
    pointer();
}

NOINLINE void make(int number)
{
    getcontext(&fibers[number]);
    fibers[number].uc_stack.ss_sp = stacks[number];
    fibers[number].uc_stack.ss_size = BYTES;
    fibers[number].uc_link = &home;
    makecontext(&fibers[number], (void (*)(void))fiber, 2, number, STEPS);
}

/* A fiber that leaves by setcontext, and is abandoned. */
void once(void)
{
    leaf();
    setcontext(&saved);
}

NOINLINE void back(void)
{
    volatile int times = 0;
    getcontext(&saved);
    times = times + 1;
    if (times == 1) {
        getcontext(&fibers[0]);
        fibers[0].uc_stack.ss_sp = stacks[0];
        fibers[0].uc_stack.ss_size = BYTES;
        fibers[0].uc_link = NULL;
        makecontext(&fibers[0], once, 0);
        setcontext(&fibers[0]);
    }
    if (times == 2)
        setcontext(&saved);
    pointer();
    leaf();
}

NOINLINE void run(int depth, char *on_stack)
{
    if (depth) {
        run(depth - 1, on_stack);
        work();
        return;
    }
    stacks[0] = in_data;
    stacks[1] = malloc(BYTES);
    stacks[2] = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stacks[3] = on_stack;
    for (int i = 0; i < FIBERS; i++)
        make(i);
    for (int step = 0; step <= STEPS; step++)
        for (int i = 0; i < FIBERS; i++)
            resume(i);
    back();
    makecontext(&fibers[2], second, 0);
    resume(2);
    makecontext(&fibers[2], second, 0); /* abandoned in the middle */
    resume(2);
    resume(2);
    leaf();
}

int main(void)
{
    char on_stack[BYTES];
    run(1, on_stack);
    leaf();
    return 0;
}
// CHECK: fiber 4
// CHECK-NEXT: fiber;leaf 20
// CHECK-NEXT: fiber;nest 20
// CHECK-NEXT: fiber;nest;leaf 20
// CHECK-NEXT: fiber;nest;nest 10
// CHECK-NEXT: fiber;nest;nest;leaf 10
// CHECK-NEXT: fiber;nest;nest;yield 10
// CHECK-NEXT: fiber;nest;nest;yield;leaf 20
// CHECK-NEXT: fiber;nest;yield 10
// CHECK-NEXT: fiber;nest;yield;leaf 20
// CHECK-NEXT: main 1
// CHECK-NEXT: main;leaf 1
// CHECK-NEXT: main;run 1
// CHECK-NEXT: main;run;run 1
// CHECK-NEXT: main;run;run;back 1
// CHECK-NEXT: main;run;run;back;leaf 2
// CHECK-NEXT: main;run;run;leaf 1
// CHECK-NEXT: main;run;run;make 4
// CHECK-NEXT: main;run;run;resume 27
// CHECK-NEXT: main;run;run;resume;leaf 27
// CHECK-NEXT: once 1
// CHECK-NEXT: once;leaf 1
// CHECK-NEXT: second 2
// CHECK-NEXT: second;nest 2
// CHECK-NEXT: second;nest;leaf 1
// CHECK-NEXT: second;nest;nest 2
// CHECK-NEXT: second;nest;nest;leaf 1
// CHECK-NEXT: second;nest;nest;yield 2
// CHECK-NEXT: second;nest;nest;yield;leaf 3
