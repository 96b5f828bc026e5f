// metric=heap: an object whose calls cannot be counted yet, as another thread is still loading it, is looked at again when it is loaded. The library waits
// in the middle of its relocations, in the resolver of an ifunc, until the first thread has called malloc, which looks for new objects after dlopen.
// UNSUPPORTED: target-aarch64
// RUN: rm -rf %t && mkdir -p %t && cd %t && %clang -O1 -shared -fPIC -DPLUGIN -Wl,-z,now %s -o plugin.so && %hcct-cc -O1 -I%inputs %s -o x -ldl -lpthread
// RUN: HCCT_OPTIONS=metric=heap:mode=cct ./x && %hcct-decode --value=blocks --format=folded --all ids.bin | FileCheck %s
// CHECK: load 100{{$}}
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

/* At a fixed address, as the resolver can use no symbol. */
struct meeting {
    atomic_int reached, looked;
};
#define MEETING ((struct meeting *)0x200000000000)

#ifdef PLUGIN
static void *allocate(void)
{
    return malloc(100);
}

static void *(*resolve(void))(void)
{
    MEETING->reached = 1;
    while (!MEETING->looked)
        ;
    return allocate;
}

void *resolved(void) __attribute__((ifunc("resolve")));
/* Many relocations behind that of the ifunc, and one of malloc. */
static void *(*volatile table[1000])(void) = { [0 ... 999] = resolved };
void *(*volatile direct)(size_t) = malloc;

void fill(void)
{
    for (int i = 0; i < 50; i++) {
        free(direct(10));
        free(table[i]());
    }
}
#else
#include <dlfcn.h>
#include <pthread.h>

#include "e2e.h"

static NOINLINE void allocate_some(void)
{
    static void *volatile block;
    for (int i = 0; i < 3; i++) {
        block = malloc(10);
        free(block);
    }
}

static NOINLINE void *load(void *unused)
{
    void *library = dlopen("./plugin.so", RTLD_NOW);
    void (*fill)(void) = library ? (void (*)(void))dlsym(library, "fill") : NULL;
    allocate_some(); /* looks */
    if (fill)
        fill();
    work();
    return fill ? NULL : unused;
}

int main(void)
{
    pthread_t thread;
    int failed = 0;
    void *at = mmap(MEETING, sizeof *MEETING, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
                    -1, 0);
    if (at != MEETING || !dlopen(NULL, RTLD_NOW) || pthread_create(&thread, NULL, load, &failed))
        return 1;
    while (!MEETING->reached)
        ;
    allocate_some();
    MEETING->looked = 1;
    void *result = NULL;
    return pthread_join(thread, &result) || result != NULL;
}
#endif
