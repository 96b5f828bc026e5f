// Thousands of threads, one after the other, many at a time, detached, and with destructors of thread-local data that run
// instrumented code after the profiler's own clean-up: counts add up exactly, and memory follows the live threads.
// REQUIRES: turn-5
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 -lpthread && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 -lpthread && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "e2e.h"

enum { THREADS = 8000, AT_A_TIME = 8, DEPTH = 3 };

static _Thread_local volatile int mine;
static pthread_key_t key;
static atomic_int ended;

NOINLINE void leaf(void)
{
    mine = mine + 1;
}

static void (*volatile pointer)(void) = leaf;

NOINLINE void nest(int depth)
{
    if (depth > 1)
        nest(depth - 1);
    else
        pointer();
    mine = mine + 1;
}

/* Counts of a block that nobody cleans up any more: pthread's last round. */
void at_exit(void *round)
{
    for (int i = 0; i < 50; i++)
        pointer();
    leaf();
    if ((uintptr_t)round < 4)
        pthread_setspecific(key, (void *)((uintptr_t)round + 1));
    else
        atomic_fetch_add(&ended, 1);
}

void *body(void *deep)
{
    pthread_setspecific(key, (void *)1);
    nest(deep ? DEPTH : 1);
    mine = mine + 1;
    return NULL;
}

static inline __attribute__((always_inline)) long peak_kb(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* Inlined, to be no context of its own. */
static inline __attribute__((always_inline)) void start(pthread_t *thread, int deep, int detached)
{
    if (pthread_create(thread, NULL, body, deep ? (void *)1 : NULL) != 0)
        abort();
    if (detached)
        pthread_detach(*thread);
}

int main(void)
{
    pthread_t threads[AT_A_TIME];
    pthread_key_create(&key, at_exit);
    long before = 0;
    for (int i = 0; i < THREADS; i += AT_A_TIME) {
        for (int t = 0; t < AT_A_TIME; t++)
            start(&threads[t], i == 0, i & AT_A_TIME);
        for (int t = 0; t < AT_A_TIME && !(i & AT_A_TIME); t++)
            pthread_join(threads[t], NULL);
        while (atomic_load(&ended) < i + AT_A_TIME)
            usleep(10);
        if (i == THREADS / 8)
            before = peak_kb();
    }
    if (peak_kb() - before > 8 * 1024)
        return 2;
    return 0;
}
// CHECK: at_exit 32000
// CHECK-NEXT: at_exit;leaf 1632000
// CHECK-NEXT: body 8000
// CHECK-NEXT: body;nest 8000
// CHECK-NEXT: body;nest;leaf 7992
// CHECK-NEXT: body;nest;nest 8
// CHECK-NEXT: body;nest;nest;nest 8
// CHECK-NEXT: body;nest;nest;nest;leaf 8
// CHECK-NEXT: main 1
