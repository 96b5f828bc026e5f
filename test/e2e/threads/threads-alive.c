// Threads that are alive when the program ends, at rest or in the middle of calls, and C11 threads: what they did before is
// there.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 -lpthread && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 -lpthread && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>

#include "e2e.h"

static _Thread_local volatile int mine;
static volatile int never;
static pthread_barrier_t barrier;

NOINLINE void leaf(void) { mine = mine + 1; }

NOINLINE void rest(void)
{
    leaf();
    pthread_barrier_wait(&barrier);
    for (;;)
        pause();
}

NOINLINE void spin(void)
{
    leaf();
    pthread_barrier_wait(&barrier);
    while (!never)
        mine = mine + 1;
}

void *resting(void *unused) { rest(); return unused; }
void *spinning(void *unused) { spin(); return unused; }

int c11(void *n)
{
    for (int i = 0; i < *(int *)n; i++)
        leaf();
    if (*(int *)n == 3)
        thrd_exit(5);
    return 4;
}

int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 21);
    for (int i = 0; i < 20; i++) {
        pthread_create(&thread, NULL, i & 1 ? resting : spinning, NULL);
        if (i & 2)
            pthread_detach(thread);
    }
    for (int n = 2; n <= 3; n++) {
        thrd_t other;
        int result;
        if (thrd_create(&other, c11, &n) != thrd_success || thrd_join(other, &result) != thrd_success || result != (n == 3 ? 5 : 4))
            abort();
    }
    pthread_barrier_wait(&barrier);
    return 0;
}
// CHECK: c11 2
// CHECK-NEXT: c11;leaf 5
// CHECK-NEXT: main 1
// CHECK-NEXT: resting 10
// CHECK-NEXT: resting;rest 10
// CHECK-NEXT: resting;rest;leaf 10
// CHECK-NEXT: spinning 10
// CHECK-NEXT: spinning;spin 10
// CHECK-NEXT: spinning;spin;leaf 10
