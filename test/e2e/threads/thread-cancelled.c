// Threads that are cancelled asynchronously in the middle of instrumented computation, pushes and counts, and while they
// write the profile: nothing hangs, nobody else's counts change, and what they count is what they had begun.
// RUN: %hcct-cc -O0 -I%inputs -I%hcct-source/include %s -o %t.0 -lpthread && %hcct-cc -O2 -I%inputs -I%hcct-source/include %s -o %t.2 -lpthread
// RUN: %hcct-cc -O2 -static -I%inputs -I%hcct-source/include %s -o %t.s -lpthread
// RUN: for x in 0 2 s; do for mode in cct hcct; do HCCT_OPTIONS=mode=$mode:output=%t.bin timeout -s KILL 600 %t.$x > %t.calls && \
// RUN:   %hcct-decode --format=folded --all %t.bin > %t.folded && grep -v '^body' %t.folded | FileCheck --match-full-lines --implicit-check-not='{{.}}' %s && \
// RUN:   cat %t.calls && grep '^body' %t.folded | awk -v calls="$(cat %t.calls)" -F'[; ]' '{ n += $NF } END { if (n < calls || n > calls + 200) { print n, calls; exit 1 } }' && \
// RUN:   %hcct-decode %t.bin | grep -c 'sound: nothing dropped' || exit 1; done || exit 1; done
#include <hcct/hcct.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "e2e.h"

enum { THREADS = 200, STEPS = 20000 };

static atomic_ulong calls;
static _Thread_local volatile int mine;

NOINLINE void leaf(void) { mine = mine + 1; }
static void (*volatile pointer)(void) = leaf;

/* Calls itself; says afterwards that it was called: one less than was counted when a cancellation comes in between. */
NOINLINE void walk(unsigned steps)
{
    atomic_fetch_add(&calls, 1);
    if (steps & 1)
        walk(steps >> 1);
    else if (steps)
        walk(steps >> 1);
    mine = mine + 1;
}

void *body(void *how)
{
    atomic_fetch_add(&calls, 1);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (unsigned i = 1;; i++) {
        walk((i * 2654435761u) >> 16);
        if (how && i % 100 == 0)
            hcct_dump();
    }
    return how;
}

NOINLINE void own(void)
{
    for (int i = 0; i < STEPS; i++) {
        pointer();
        leaf();
    }
}

int main(void)
{
    for (int i = 0; i < THREADS; i++) {
        pthread_t thread;
        void *result;
        pthread_create(&thread, NULL, body, i % 50 == 7 ? &calls : NULL);
        usleep(i % 50 == 7 ? 20000 : (unsigned)(i * 37 % 1000));
        pthread_cancel(thread);
        pthread_join(thread, &result);
        if (result != PTHREAD_CANCELED)
            abort();
    }
    own();
    printf("%lu\n", atomic_load(&calls));
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;own 1
// CHECK-NEXT: main;own;leaf 40000
