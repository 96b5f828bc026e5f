// hcct_phase with other meters than calls, and several threads: a function that runs in one phase only has all of its time, samples or calls
// there, and the phases add up to the run. Where a phase had no sample yet the program runs again, twenty times at most.
// RUN: rm -rf %t && mkdir %t && cd %t && %hcct-cc --hcct-clock -O2 -I%hcct-source/include -I%inputs %s -lpthread -o x
// RUN: for options in metric=time metric=clock metric=weight budget=50%%; do ok= && for i in $(seq 20); do \
// RUN:   HCCT_OPTIONS="$options:output=x.bin" ./x 2> messages || exit 1; python3 %inputs/phase_meters.py %hcct-decode x.bin; \
// RUN:   case $? in 0) ok=1; break ;; 1) ;; *) exit 1 ;; esac; done; test "$ok" || exit 1; done
#include <hcct/hcct.h>
#include <pthread.h>
#include <time.h>

#include "e2e.h"

enum { THREADS = 2, ROUNDS = 6, SLICE_NS = 30000000 };

static pthread_barrier_t barrier;

NOINLINE void inner(void)
{
    for (int i = 0; i < 100; i++)
        work();
    hcct_count(3);
}

/* So much of the thread's CPU time. */
#define SPIN()                                                                                               \
    do {                                                                                                     \
        struct timespec from, now;                                                                           \
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);                                                       \
        do {                                                                                                 \
            for (int i = 0; i < 1000; i++)                                                                   \
                inner();                                                                                     \
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);                                                    \
        } while ((now.tv_sec - from.tv_sec) * 1000000000L + now.tv_nsec - from.tv_nsec < SLICE_NS);          \
    } while (0)

NOINLINE void red(void)
{
    SPIN();
}

NOINLINE void blue(void)
{
    SPIN();
}

static void *run(void *argument)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        if (i % 2)
            blue();
        else
            red();
    }
    pthread_barrier_wait(&barrier);
    return argument;
}

int main(void)
{
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&barrier);
        hcct_phase(i % 2 ? "blue" : "red");
        pthread_barrier_wait(&barrier);
    }
    pthread_barrier_wait(&barrier);
    hcct_phase(NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
