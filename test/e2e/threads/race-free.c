// The runtime, compiled under ThreadSanitizer, has no data race: threads that begin and end, evictions, handlers, writing,
// resetting, stopping, forking and dlopen at the same time, with profiles that are written meanwhile.
// REQUIRES: turn-7
// RUN: flock %hcct-build/test/tsan.lock cmake --build %hcct-build --target hcct_runtime_tsan > %t.log 2>&1 || { cat %t.log; exit 1; }
// RUN: %hcct-cc -O1 -g -shared -fPIC -DLIBRARY -I%inputs %s -o %t.so
// RUN: %clang -O1 -g -fsanitize=thread -fpass-plugin=%plugin -I%inputs -I%hcct-source/include %s %tsan-runtime -rdynamic -o %t.x -lpthread
// RUN: for options in mode=cct mode=hcct mode=hcct:memory=0:phi=0.05 budget=1%% mode=cct:snapshot=20ms; do env TSAN_OPTIONS=halt_on_error=1:report_signal_unsafe=0 \
// RUN:   HCCT_OPTIONS=output=%t.bin:$options %t.x %t.so && %hcct-decode %t.bin > /dev/null || exit 1; done
#include "e2e.h"
#ifdef LIBRARY
static NOINLINE void inner(void (*callback)(void)) { callback(); work(); }
NOINLINE void entry(void (*callback)(void)) { inner(callback); work(); }
#else
#define _GNU_SOURCE
#include <dlfcn.h>
#include <hcct/hcct.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WALKERS = 4, ROUNDS = 40 };

static _Thread_local volatile int mine;
static atomic_int stop;

NOINLINE void leaf(void) { mine = mine + 1; }
static void (*const volatile pointer)(void) = leaf;

NOINLINE void walk(unsigned steps)
{
    if (!steps)
        pointer();
    else if (steps & 1)
        walk(steps >> 1);
    else
        walk(steps >> 1);
    mine = mine + 1;
}

static void on_signal(int signal)
{
    (void)signal;
    walk(5);
}

static void *walker(void *argument)
{
    for (unsigned i = 1; !atomic_load(&stop); i++) {
        walk((i * 2654435761u) >> 20);
        if (i % 64 == 0)
            raise(SIGUSR1);
    }
    return argument;
}

static void *brief(void *argument)
{
    walk(9);
    return argument;
}

static void *starter(void *argument)
{
    while (!atomic_load(&stop)) {
        pthread_t thread;
        pthread_create(&thread, NULL, brief, NULL);
        pthread_join(thread, NULL);
    }
    return argument;
}

static void *loader(void *path)
{
    void *library = dlopen(path, RTLD_NOW);
    void (*entry)(void (*)(void)) = library ? (void (*)(void (*)(void)))dlsym(library, "entry") : NULL;
    if (!entry)
        abort();
    while (!atomic_load(&stop))
        entry(leaf);
    return NULL;
}

int main(int count, char **arguments)
{
    pthread_t threads[WALKERS + 2];
    signal(SIGUSR1, on_signal);
    for (int i = 0; i < WALKERS; i++)
        pthread_create(&threads[i], NULL, walker, NULL);
    pthread_create(&threads[WALKERS], NULL, starter, NULL);
    pthread_create(&threads[WALKERS + 1], NULL, loader, arguments[count - 1]);
    for (int i = 0; i < ROUNDS; i++) {
        usleep(10000);
        if (i % 4 == 0 && !hcct_dump())
            abort();
        if (i % 8 == 1)
            hcct_reset();
        if (i % 8 == 2)
            hcct_stop();
        if (i % 8 == 3)
            hcct_start();
        if (i % 8 == 5)
            sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_signal}, NULL);
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < WALKERS + 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
#endif
