// What threads lose is found, whether they have ended or wait, and nothing else: the C library keeps the stacks of threads that ended, and in a static program a block for each.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && for how in "-O0" "-O1" "-O1 -static" "-O1 -static-pie"; do %hcct-cc $how -g %s -o x -lpthread 2> warnings || exit 1; \
// RUN:   for wait in "" wait; do %hcct-run --leaks ./x $wait > out; test $? = 23 && FileCheck %s < out || exit 1; done; done
// CHECK: leaked: 119600 bytes in 800 blocks by 1 context;
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "Inputs/lose.h"

enum { THREADS = 4, BLOCKS = 200 };

static pthread_barrier_t all_are_done;

// What is left of addresses on the stack
static void *run(void *waits)
{
    for (size_t i = 0; i < BLOCKS; i++)
        lose(50 + i);
    wipe();
    pthread_barrier_wait(&all_are_done);
    while (waits)
        pause();
    return NULL;
}

int main(int count, char **arguments)
{
    pthread_t threads[THREADS];
    void *waits = count > 1 ? arguments : NULL;
    pthread_barrier_init(&all_are_done, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, run, waits))
            return 1;
    pthread_barrier_wait(&all_are_done);
    for (int i = 0; i < THREADS && !waits; i++)
        pthread_join(threads[i], NULL);
    wipe();
    return 0;
}
