// A context that is hot by what several summaries have of it, a little between two merges each time, has its chain at the end. Each time another thread calls
// it, as it may have another summary.
// REQUIRES: turn-4
// RUN: %hcct-cc -O2 %s -o %t.x -lpthread
// RUN: for who in 1 8 17; do HCCT_OPTIONS=phi=1e-3:memory=4M:output=%t.bin %t.x $who && %hcct-decode --format=folded %t.bin | grep -c '^run;hot [0-9]*$' && %hcct-decode %t.bin > %t.txt && not grep 'not exact' %t.txt || exit 1; done
#include <pthread.h>
#include <stdlib.h>

#include "hcct/hcct.h"

#define NOINLINE __attribute__((noinline))
enum { THREADS = 24, ROUNDS = 300, BEFORE = 4000, EACH = 7000, HOT = 11, DEPTH = 60 };

static pthread_barrier_t barrier;
static long who;
static _Thread_local long left;
static _Thread_local volatile int work;

static void one(unsigned long path, int depth);

static NOINLINE void zero(unsigned long path, int depth)
{
    work++;
    if (depth && left-- > 0)
        (path & 1 ? one : zero)(path >> 1, depth - 1);
    work++;
}

static NOINLINE void one(unsigned long path, int depth)
{
    work += 2;
    if (depth && left-- > 0)
        (path & 1 ? one : zero)(path >> 1, depth - 1);
    work++;
}

static NOINLINE void hot(void)
{
    work += 3;
}

/* So many calls in paths that nobody has gone before. */
static void go_new_ways(unsigned *next, long calls)
{
    for (left = calls; left > 0; *next += THREADS)
        zero(*next * 0x9e3779b97f4a7c15u, DEPTH);
}

static void *run(void *number)
{
    unsigned next = (unsigned)(long)number;
    go_new_ways(&next, 3 * BEFORE);
    pthread_barrier_wait(&barrier);
    for (int round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(&barrier);
        if ((long)number == who) {
            go_new_ways(&next, EACH);
            for (int i = 0; i < HOT; i++)
                hot();
        }
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(int count, char **arguments)
{
    pthread_t threads[THREADS];
    who = count > 1 ? atol(arguments[1]) : 0;
    pthread_barrier_init(&barrier, NULL, THREADS + 1);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    pthread_barrier_wait(&barrier);
    hcct_dump();
    for (int round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        hcct_dump();
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
