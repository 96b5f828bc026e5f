// A fiber's stack is an array in a frame of another fiber, which runs or waits meanwhile: each has its own contexts.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
// RUN: %hcct-cc -O1 -static -I%inputs %s -o %t.s && sh %inputs/exact.sh %hcct-decode %s %t.s
#include <stdlib.h>
#include <ucontext.h>

#include "e2e.h"

enum { OUTER = 1 << 18, INNER = 1 << 15, INNERMOST = 1 << 13 };

static ucontext_t home, outer, inner, innermost;
static int waits;

static NOINLINE void leaf(void)
{
    work();
}

static void (*volatile call)(void) = leaf;

static inline __attribute__((always_inline)) void make(ucontext_t *context, void *stack, size_t bytes, void (*begin)(void), ucontext_t *link)
{
    getcontext(context);
    context->uc_stack.ss_sp = stack;
    context->uc_stack.ss_size = bytes;
    context->uc_link = link;
    makecontext(context, begin, 0);
}

static NOINLINE void run_innermost(void)
{
    call();
    call();
    swapcontext(&innermost, &inner);
    call();
}

static NOINLINE void run_inner(void)
{
    char stack[INNERMOST];
    call();
    make(&innermost, stack, sizeof stack, run_innermost, &inner);
    swapcontext(&inner, &innermost);
    call();
    swapcontext(&inner, waits ? &home : &outer);
    call();
    swapcontext(&inner, &innermost);
    call();
    swapcontext(&inner, waits ? &home : &outer);
}

static NOINLINE void keep_inner(void)
{
    char stack[INNER];
    make(&inner, stack, sizeof stack, run_inner, NULL);
    call();
    swapcontext(&outer, waits ? &home : &inner);
    call();
    if (!waits)
        swapcontext(&outer, &inner);
    call();
}

static void (*volatile keep)(void) = keep_inner;

static NOINLINE void run_outer(void)
{
    call();
    keep();
    call();
    swapcontext(&outer, &home); /* saved where the array was */
    call();
}

int main(void)
{
    char *stack = malloc(OUTER);
    for (waits = 0; waits < 2; waits++) {
        make(&outer, stack, OUTER, run_outer, &home);
        swapcontext(&home, &outer);
        if (waits) {
            swapcontext(&home, &inner);
            swapcontext(&home, &inner);
            swapcontext(&home, &outer);
        }
        call();
        swapcontext(&home, &outer);
        call();
    }
    free(stack);
    return 0;
}
// CHECK-DAG: main 1
// CHECK-DAG: main;leaf 4
// CHECK-DAG: run_outer 2
// CHECK-DAG: run_outer;leaf 6
// CHECK-DAG: run_outer;keep_inner 2
// CHECK-DAG: run_outer;keep_inner;leaf 6
// CHECK-DAG: run_inner 2
// CHECK-DAG: run_inner;leaf 8
// CHECK-DAG: run_innermost 2
// CHECK-DAG: run_innermost;leaf 6
