// heap_scan=on: blocks that globals, thread-local storage, stacks of all threads, registers and reached blocks lead to are not lost; all others are. The sums, merged files and another build's elements agree.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && %clang -O1 -shared -fPIC -DPLUGIN %s -o plugin.so -lpthread
// RUN: for how in "-O0" "-O2" "-O2 -flto" "-O1 -fPIE -pie" "-O1 -no-pie" "-O1 -static" "-O1 -static-pie"; do %hcct-cc $how -g %s -I%hcct-source/include -o x -ldl -lpthread 2> warnings || exit 1; \
// RUN:   for mode in hcct cct; do rm -f *.bin && env HCCT_OPTIONS=metric=heap:heap_scan=on:mode=$mode ./x > out && \
// RUN:   %hcct-decode --value=live-blocks --all --format=folded ids.bin | FileCheck --check-prefix=LIVE %s && \
// RUN:   %hcct-decode --value=lost-blocks --all --format=folded ids.bin | sort | diff %S/Inputs/scan.out - && \
// RUN:   %hcct-decode --value=lost --all --format=folded ids.bin | FileCheck --check-prefix=LOST %s || exit 1; done; done
// LIVE: main;{{.*}}keep;[malloc]
// LOST-DAG: main;in_a_ring;[malloc] 3000
// LOST-DAG: main;forget;[malloc] 700
// LOST-DAG: main;forget_pool;take 20
// Two files add up. A file that did not look has none, and neither has the sum with it.
// RUN: %hcct-merge -o two.bin ids.bin ids.bin && %hcct-decode --value=lost --all --format=folded two.bin | FileCheck --check-prefix=TWO %s
// TWO: main;in_a_ring;[malloc] 6000
// RUN: env HCCT_OPTIONS=metric=heap:mode=cct:output=none.bin ./x > out && not %hcct-decode --value=lost none.bin 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %hcct-merge -o half.bin ids.bin none.bin && not %hcct-decode --value=lost half.bin 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: did not look for lost blocks: HCCT_OPTIONS=metric=heap:heap_scan=on does
// RUN: env HCCT_OPTIONS=heap_scan=on ./x 2>&1 > out | FileCheck --check-prefix=RULE %s
// RULE: heap_scan needs metric=heap
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef PLUGIN
void *plugin_keeps[1000];
static pthread_barrier_t begun;

// A thread of code that is not instrumented.
static void *stays(void *unused)
{
    void *volatile on_stack = malloc(55);
    pthread_barrier_wait(&begun);
    for (;;)
        pause();
    return on_stack ? unused : NULL;
}

void plugin_begin(void)
{
    pthread_t thread;
    pthread_barrier_init(&begun, NULL, 2);
    pthread_create(&thread, NULL, stays, NULL);
    pthread_barrier_wait(&begun);
}
#else
#include <hcct/hcct.h>

#define FUNCTION __attribute__((noinline, optnone))
static void *initialised = &initialised, *zeroed[10];
static _Thread_local void *own, *own_initialised = &zeroed;
static char *slab;

// What ran before leaves its pointers on the stack.
FUNCTION static void wipe(void)
{
    char volatile space[20000];
    for (unsigned i = 0; i < sizeof space; i++)
        space[i] = 0;
}

FUNCTION static void *make(size_t bytes)
{
    return malloc(bytes);
}

FUNCTION static void keep(void)
{
    initialised = malloc(10);
    zeroed[0] = malloc(10);
    zeroed[1] = (char *)malloc(100) + 50;  // inside
    zeroed[2] = (char *)malloc(200) + 193; // its last bytes
    own = malloc(10);
    own_initialised = malloc(10);
    zeroed[3] = malloc(0);
    void **list = NULL;
    for (int i = 0; i < 1000; i++) {
        void **next = malloc(16 + (size_t)i % 50);
        *next = list;
        list = next;
    }
    zeroed[4] = list;
    char **large = malloc(1 << 20);
    large[100000] = malloc(20);
    large[131071] = malloc(20);
    zeroed[5] = large;
}

FUNCTION static void in_a_ring(void)
{
    void **a = malloc(1000), **b = malloc(1000), **c = malloc(1000);
    *a = b;
    *b = c;
    *c = a;
}

FUNCTION static void forget(void)
{
    for (size_t i = 0; i < 7; i++)
        *(char *volatile *)malloc(100) = NULL;
}

FUNCTION static void hide(void)
{
    zeroed[6] = (void *)~(uintptr_t)malloc(30);
}

FUNCTION static void *take(size_t at)
{
    hcct_heap_allocate(slab + at, 20);
    return slab + at;
}

FUNCTION static void keep_pool(void)
{
    slab = malloc(1000);
    zeroed[7] = take(104);
    *(void **)zeroed[7] = take(200); // a block of the pool leads to another one
}

FUNCTION static void forget_pool(void)
{
    *(void **)take(304) = NULL;
}

// A page that nobody may read.
FUNCTION static void guard(void)
{
    char *pages = aligned_alloc(4096, 3 * 4096);
    *(void **)pages = make(40);
    *(void **)(pages + 2 * 4096) = make(40);
    mprotect(pages + 4096, 4096, PROT_NONE);
    zeroed[8] = pages;
}

FUNCTION static void plugin(void)
{
    void *library = dlopen("./plugin.so", RTLD_NOW);
    void **keeps = library ? dlsym(library, "plugin_keeps") : zeroed;
    keeps[9] = make(50);
    if (library && getauxval(AT_BASE)) // a static program would have a second C library for the thread
        ((void (*)(void))(uintptr_t)dlsym(library, "plugin_begin"))();
}

static pthread_barrier_t barrier;
static _Thread_local void *of_thread;
FUNCTION static void *waits(void *unused)
{
    void *volatile on_stack = make(60);
    of_thread = make(60);
    wipe();
    pthread_barrier_wait(&barrier);
    for (;;)
        pause();
    return on_stack ? unused : NULL;
}

static volatile int stop;
FUNCTION static void *computes(void *unused)
{
    void *volatile on_stack = make(70);
    wipe();
    pthread_barrier_wait(&barrier);
    while (!stop)
        ;
    return on_stack ? unused : NULL;
}

FUNCTION static void *ends(void *unused)
{
    void *volatile on_stack = malloc(80);
    of_thread = malloc(80);
    return on_stack ? unused : NULL;
}

FUNCTION static void in_threads(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, ends, NULL);
    pthread_join(thread, NULL);
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&thread, NULL, waits, NULL);
    pthread_create(&thread, NULL, computes, NULL);
    pthread_barrier_wait(&barrier);
}

FUNCTION static void leave(void)
{
    void *volatile on_stack = make(90);
    wipe();
    exit(on_stack == NULL);
}

int main(void)
{
    keep();
    in_a_ring();
    forget();
    hide();
    keep_pool();
    forget_pool();
    guard();
    plugin();
    in_threads();
    wipe();
    puts("done");
    leave();
}
#endif
