// A context that many threads enter together, some hundred times each, is there by name: when all counters are taken, each thread has these
// calls in a batch of its own until it ends, so the batches of all threads together must be small.
// RUN: %hcct-cc -O1 -I%inputs %s -lpthread -o %t
// RUN: for threads in 16 30; do for each in 60 100 300; do HCCT_OPTIONS=memory=0:phi=4e-4:output=%t.bin %t $threads $each && \
// RUN:   %hcct-decode --format=csv --by=function %t.bin | awk -F, -v least=$((threads * each)) -f %inputs/at_least.awk || exit 1; done; done
#include <pthread.h>
#include <stdlib.h>

#include "spread.h"

enum { MOST_THREADS = 32 };

NOINLINE void late(void)
{
    work();
}

/* More functions than code compares a pointer with: the call pushes, and late has a chain that no other context has. */
#define OTHER(n)                                                                                             \
    NOINLINE void other##n(void)                                                                             \
    {                                                                                                        \
        work();                                                                                              \
    }
OTHER(1)
OTHER(2)
OTHER(3)
OTHER(4)
OTHER(5)
static void (*const table[])(void) = { late, other1, other2, other3, other4, other5 };
static volatile int which;
static int count;
static pthread_barrier_t barrier;

NOINLINE void *finish(void *argument)
{
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < count; i++)
        table[which]();
    pthread_barrier_wait(&barrier);
    return argument;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST_THREADS];
    unsigned thread_count = argc > 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
    count = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 1;
    for (unsigned path = 1 << 16; path < 1 << 17; path++)
        spread(path);
    pthread_barrier_init(&barrier, NULL, thread_count);
    for (unsigned i = 0; i < thread_count; i++)
        pthread_create(&threads[i], NULL, finish, NULL);
    for (unsigned i = 0; i < thread_count; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
