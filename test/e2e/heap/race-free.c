// The heap meter, compiled under ThreadSanitizer, has no data race: threads that allocate in old and new contexts, and free each other's
// blocks, while profiles are written, all is reset, counting stops, and children are forked.
// REQUIRES: turn-7
// RUN: flock %hcct-build/test/tsan.lock cmake --build %hcct-build --target hcct_runtime_tsan > %t.log 2>&1 || { cat %t.log; exit 1; }
// RUN: %clang -O1 -g -fsanitize=thread -fpass-plugin=%plugin -I%inputs -I%hcct-source/include %s %tsan-runtime -rdynamic -o %t.x -lpthread
// RUN: for options in mode=cct memory=0:phi=0.01 mode=cct:snapshot=20ms mode=cct:heap_sample=1K; do env TSAN_OPTIONS=halt_on_error=1:report_signal_unsafe=0 \
// RUN:   HCCT_OPTIONS=metric=heap:verbosity=0:output=%t.bin:$options %t.x && \
// RUN:   %hcct-decode --value=blocks --format=folded %t.bin | grep -q "walk;leaf" || exit 1; done
#include "e2e.h"
#include <hcct/hcct.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WALKERS = 4, ROUNDS = 40, BLOCKS = 1000 };

// These take the place of hooks.c: calls of malloc, which are ThreadSanitizer's own, do not count.
bool hcct_heap_hooks_start(void) { return true; }
const void *hcct_heap_hooks_allocator(void) { return NULL; }

static atomic_int stop;
static char memory[BLOCKS * 16]; // addresses only: the "allocator" gives out what the flags say is free
static atomic_int is_taken[BLOCKS];

NOINLINE void leaf(unsigned i)
{
    int not_taken = 0;
    if (!atomic_compare_exchange_strong(&is_taken[i], &not_taken, 1))
        return;
    hcct_heap_allocate(memory + 16 * i, 1 + i % 100);
    atomic_store(&is_taken[i], 2);
}

// Frees what any thread has made.
NOINLINE void release(unsigned i)
{
    int made = 2;
    if (!atomic_compare_exchange_strong(&is_taken[i], &made, 3))
        return;
    hcct_heap_free(memory + 16 * i);
    atomic_store(&is_taken[i], 0);
}

static _Thread_local volatile int calls; // no call of walk is the last thing that it does

NOINLINE void walk(unsigned path, unsigned i)
{
    if (!path)
        leaf(i);
    else if (path & 1)
        walk(path >> 1, i);
    else
        walk(calls++ < 0 ? 0 : path >> 1, i);
    calls++;
}

static void *walker(void *argument)
{
    unsigned state = (unsigned)(size_t)argument;
    for (unsigned i = 0; !atomic_load(&stop); i++) {
        state = state * 1664525u + 1013904223u;
        walk((state >> 8) % (i % 64 ? 8 : 4096), (state >> 10) % BLOCKS);
        release((state >> 20) % BLOCKS);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[WALKERS];
    for (size_t i = 0; i < WALKERS; i++)
        pthread_create(&threads[i], NULL, walker, (void *)(i + 1));
    for (int i = 0; i < ROUNDS; i++) {
        usleep(5000);
        if (i % 4 == 0 && !hcct_dump())
            abort();
        if (i % 8 == 1)
            hcct_reset();
        if (i % 8 == 2)
            hcct_stop();
        if (i % 8 == 3)
            hcct_start();
        if (i % 8 == 5) {
            pid_t child = fork();
            if (!child)
                _exit(0);
            waitpid(child, NULL, 0);
        }
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < WALKERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
