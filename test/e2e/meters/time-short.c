// Threads that live shorter than the interval are sampled as all others: their first sample comes at random within it, and stands for a whole
// one. The program says what CPU time its threads took. The bounds are six standard errors of as many independent samples, and a tick of
// the kernel for each thread, which sees only then that a timer has expired.
// REQUIRES: turn-6, cpu-timers
// RUN: rm -rf %t && mkdir %t && cd %t && %hcct-cc -O1 -I%inputs %s -o x -lpthread
// RUN: for options in metric=time metric=wall; do env HCCT_OPTIONS=$options:frequency=20:mode=cct ./x > printed && \
// RUN:   %hcct-decode --all --format=folded ids.bin > folded && python3 %inputs/short_threads.py printed folded || { cat printed folded; exit 1; }; done
#include <pthread.h>
#include <stdio.h>

#include "spend.h"

enum { THREADS = 150 };

NOINLINE static void live_short(void)
{
    spend(0.02);
    work();
}

static void *run(void *seconds)
{
    live_short();
    *(double *)seconds = cpu_now();
    return NULL;
}

int main(void)
{
    for (int i = 0; i < THREADS; i++) {
        pthread_t thread;
        double seconds;
        pthread_create(&thread, NULL, run, &seconds);
        pthread_join(thread, NULL);
        printf("%f\n", seconds);
    }
    return 0;
}
