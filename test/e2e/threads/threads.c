// Threads: a path begins with the thread's first instrumented function; the counts of eight threads add up exactly.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <pthread.h>

#include "e2e.h"

enum { THREADS = 8, ROUNDS = 10000 };

static _Thread_local volatile int mine;

static NOINLINE void leaf(void)
{
    mine = mine + 1;
}

static void (*volatile pointer)(void) = leaf;

static NOINLINE void step(int depth)
{
    if (depth)
        step(depth - 1);
    else
        pointer();
    leaf();
    mine = mine + 1;
}

static void *body(void *unused)
{
    for (int i = 0; i < ROUNDS; i++)
        step(1);
    return unused;
}

static void *other(void *unused)
{
    leaf();
    return unused;
}

int main(void)
{
    pthread_t threads[THREADS], last;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, body, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    pthread_create(&last, 0, other, 0); /* gets the block of a thread that ended */
    pthread_join(last, 0);
    leaf();
    return 0;
}
// CHECK: body 8
// CHECK-NEXT: body;step 80000
// CHECK-NEXT: body;step;leaf 80000
// CHECK-NEXT: body;step;step 80000
// CHECK-NEXT: body;step;step;leaf 160000
// CHECK-NEXT: main 1
// CHECK-NEXT: main;leaf 1
// CHECK-NEXT: other 1
// CHECK-NEXT: other;leaf 1
