// metric=heap at its limits: address space that ends, a thousand threads, children that are forked while other threads allocate, and handlers that allocate at any time.
//
// For AArch64 without the first and the third: qemu needs address space of its own, and cannot fork beside threads.
// REQUIRES: turn-4
// RUN: rm -rf %t && mkdir -p %t && cd %t && %hcct-cc -O1 -g %s -I%hcct-source/include -o x -lpthread
// Memory ends: the program gets what it gets without a profile, about, and each block is counted or its bytes are dropped.
// RUN: %if !target-aarch64 %{ sh -c 'ulimit -v 300000; ./x memory' > plain && env HCCT_OPTIONS=metric=heap:mode=cct sh -c 'ulimit -v 300000; ./x memory' > heap && %hcct-decode --format=json ids.bin > memory.json && \
// RUN:   python3 %S/Inputs/limits.py plain heap memory.json %}
// RUN: env HCCT_OPTIONS=metric=heap:mode=cct ./x threads && %hcct-decode --value=blocks --all --format=folded ids.bin | FileCheck --check-prefix=THREADS %s && \
// RUN:   %hcct-decode --value=live-blocks --all --format=folded ids.bin | FileCheck --check-prefix=LIVE %s && %hcct-decode ids.bin | FileCheck --check-prefix=SOUND %s
// SOUND: sound: nothing dropped, nothing lost
// THREADS: work;[malloc] 10000{{$}}
// LIVE: work;[malloc] 4000{{$}}
// RUN: %if !target-aarch64 %{ rm -f ids.bin* && env HCCT_OPTIONS=metric=heap:mode=cct ./x forks && test $(ls ids.bin.* | wc -l) = 60 && for file in ids.bin.*; do \
// RUN:   %hcct-decode --value=live-blocks --all --format=folded $file | FileCheck --check-prefix=CHILD %s || exit 1; done %}
// CHILD: main;forks;in_child;[malloc] 3{{$}}
// RUN: env HCCT_OPTIONS=metric=heap:mode=cct ./x handlers > told && %hcct-decode --value=allocated --format=json --all ids.bin > handlers.json && python3 %S/Inputs/limits.py handlers told handlers.json
#include <hcct/hcct.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define FUNCTION __attribute__((noinline, optnone))

/* --- memory that ends --- */

FUNCTION static void memory(void)
{
    enum { BYTES = 64 };
    void **last = NULL, **next;
    unsigned long count = 0;
    while ((next = malloc(BYTES))) {
        *next = last;
        last = next;
        count++;
    }
    for (; last; last = next) {
        next = *last;
        free(last);
    }
    printf("%lu %d\n", count * BYTES, malloc(100) != NULL);
}

/* --- threads --- */

enum { THREADS = 1000, EACH = 10 };
static pthread_barrier_t barrier;
static void *blocks[THREADS][EACH];

FUNCTION static void *work(void *at)
{
    void **own = at;
    for (int i = 0; i < EACH; i++)
        own[i] = malloc(10);
    pthread_barrier_wait(&barrier);
    unsigned next = ((unsigned)((void *(*)[EACH])at - blocks) + 1) % THREADS; // the blocks of another thread
    for (int i = 0; i < 6; i++)
        free(blocks[next][i]);
    pthread_barrier_wait(&barrier);
    return NULL;
}

FUNCTION static void threads(void)
{
    static pthread_t all[THREADS];
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&all[i], &small, work, blocks[i]))
            exit(1);
    for (int i = 0; i < THREADS; i++)
        pthread_join(all[i], NULL);
}

/* --- fork --- */

static volatile int stop;
FUNCTION static void *churn(void *unused)
{
    while (!stop) {
        void *a = malloc(100), *b = realloc(malloc(20), 200);
        free(a);
        free(b);
    }
    return unused;
}

FUNCTION static void in_child(void)
{
    static void *kept[3];
    for (int i = 0; i < 3; i++)
        kept[i] = malloc(7);
}

FUNCTION static void forks(void)
{
    pthread_t all[3];
    int status, bad = 0;
    for (int i = 0; i < 3; i++)
        pthread_create(&all[i], NULL, churn, NULL);
    for (int i = 0; i < 60; i++) {
        pid_t child = fork();
        if (!child) {
            alarm(100); // a child that hangs ends, and fails
            in_child();
            exit(0);
        }
        bad += waitpid(child, &status, 0) != child || status != 0;
    }
    stop = 1;
    for (int i = 0; i < 3; i++)
        pthread_join(all[i], NULL);
    exit(bad);
}

/* --- handlers: malloc may not be called there, but a pool of the program's own may --- */

static volatile unsigned long handled;
static char pool[64];
FUNCTION static void handle(int signal)
{
    (void)signal;
    hcct_heap_allocate(pool, 16);
    hcct_heap_free(pool);
    handled++;
}

FUNCTION static void handlers(void)
{
    struct itimerval often = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };
    signal(SIGALRM, handle);
    setitimer(ITIMER_REAL, &often, NULL);
    while (handled < 2000)
        free(malloc(50));
    setitimer(ITIMER_REAL, &never, NULL);
    printf("%lu\n", handled);
}

int main(int count, char **arguments)
{
    switch (count > 1 ? arguments[1][0] : 0) {
    case 'm':
        memory();
        break;
    case 't':
        threads();
        break;
    case 'f':
        forks();
        break;
    case 'h':
        handlers();
        break;
    }
}
