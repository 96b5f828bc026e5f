// hcct_count from threads at once, from handlers that interrupt it, after hcct_reset and in a forked child: no weight is lost.
// RUN: rm -rf %t && mkdir %t && cd %t && %hcct-cc -O2 -I%hcct-source/include -I%inputs %s -lpthread -o x
// RUN: for mode in cct hcct; do rm -f parent.* && HCCT_OPTIONS=metric=weight:mode=$mode:output=parent.bin ./x && \
// RUN:   %hcct-decode --format=folded --all parent.bin | FileCheck --implicit-check-not='{{.}}' --match-full-lines %s && \
// RUN:   %hcct-decode --format=folded --all parent.bin.* | FileCheck --implicit-check-not='{{.}}' --match-full-lines --check-prefix=CHILD %s && \
// RUN:   %hcct-decode --format=json parent.bin | grep '^"dropped"' > lost && not grep '[1-9]' lost || exit 1; done
#include <hcct/hcct.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

enum { THREADS = 4, TIMES = 200000 };

static volatile sig_atomic_t interrupted;

static NOINLINE void even(uint64_t weight)
{
    hcct_count(weight);
    work();
}

static NOINLINE void odd(uint64_t weight)
{
    hcct_count(weight);
    work();
}

static void *run(void *argument)
{
    for (int i = 0; i < TIMES; i++)
        (i % 2 ? odd : even)((uint64_t)(i % 2 ? 3 : 2));
    return argument;
}

static void handle(int number)
{
    if (interrupted < 50) {
        interrupted++;
        hcct_count((uint64_t)number * 1000);
    }
}

int main(void)
{
    pthread_t threads[THREADS];
    const struct itimerval often = { { 0, 1000 }, { 0, 1000 } }, never = { { 0, 0 }, { 0, 0 } };
    hcct_count(77);
    hcct_reset();
    signal(SIGALRM, handle);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    while (interrupted < 50)
        work();
    setitimer(ITIMER_REAL, &never, NULL);
    if (fork() == 0) {
        hcct_count(5);
        exit(0);
    }
    wait(NULL);
    hcct_count(1);
    return 0;
}
// CHECK: [signal 14];handle 700000
// CHECK-NEXT: main 1
// CHECK-NEXT: run;even 800000
// CHECK-NEXT: run;odd 1200000
// CHILD: main 5
