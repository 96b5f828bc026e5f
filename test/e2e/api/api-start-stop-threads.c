// hcct_stop and hcct_start reach the threads that run: of each, what it called in between does not count, and what it called before and
// after does. counting=off is hcct_stop at the start.
// RUN: %hcct-cc -O2 -pthread -I%hcct-source/include %s -o %t
// RUN: env HCCT_OPTIONS=mode=cct:output=%t.bin %t && %hcct-decode --all --format=folded %t.bin | FileCheck %s
// RUN: env HCCT_OPTIONS=mode=cct:counting=off:output=%t.bin %t && %hcct-decode --all --format=folded %t.bin | FileCheck %s --check-prefix=OFF
// RUN: env HCCT_OPTIONS=output=%t.bin %t && %hcct-decode --all --format=folded %t.bin | FileCheck %s
#include <hcct/hcct.h>
#include <pthread.h>
#include <signal.h>

enum { THREADS = 4, CALLS = 1000 };

static pthread_barrier_t barrier;

__attribute__((noinline)) static void counted(void)
{
    __asm__ volatile("");
}

__attribute__((noinline)) static void not_counted(void)
{
    __asm__ volatile("");
}

__attribute__((noinline)) static void on_signal(int number)
{
    (void)number;
    not_counted();
}

static void *run(void *unused)
{
    pthread_barrier_wait(&barrier); /* before anything counts */
    for (int round = 0; round < 3; round++) {
        pthread_barrier_wait(&barrier); /* counting is on */
        for (int i = 0; i < CALLS; i++)
            counted();
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier); /* and off: in a handler and after it, too */
        for (int i = 0; i < CALLS; i++)
            not_counted();
        raise(SIGUSR1);
        for (int i = 0; i < CALLS; i++)
            not_counted();
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[THREADS];
    signal(SIGUSR1, on_signal);
    pthread_barrier_init(&barrier, NULL, THREADS + 1);
    hcct_stop();
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    pthread_barrier_wait(&barrier);
    for (int round = 0; round < 3; round++) {
        hcct_start();
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        hcct_stop();
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    counted();
    return 0;
}
// CHECK-NOT: {{.}}
// CHECK: {{^}}main 1
// CHECK-NEXT: run;counted 12000
// CHECK-NOT: {{.}}
// OFF-NOT: {{.}}
// OFF: run;counted 12000
// OFF-NOT: {{.}}
