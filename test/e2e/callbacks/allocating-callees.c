// Library functions that allocate now and then call the program's own malloc: it hangs below them.
// RUN: %hcct-cc -O0 -fno-builtin -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -fno-builtin -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "e2e.h"

static _Alignas(16) char heap[1 << 20];
static size_t used;

void *malloc(size_t bytes)
{
    void *block = heap + used;
    used += (bytes + 15) & ~(size_t)15;
    return block;
}

__attribute__((no_profile_instrument_function)) void *calloc(size_t count, size_t bytes)
{
    return malloc(count * bytes); /* memory of ours is zero */
}

__attribute__((no_profile_instrument_function)) void *realloc(void *old, size_t bytes)
{
    return old;
}

__attribute__((no_profile_instrument_function)) void free(void *block)
{
}

static NOINLINE void call_strerror(void)
{
    worked += strerror(12345)[0];
}

static NOINLINE void call_strsignal(void)
{
    worked += strsignal(99)[0];
}

static NOINLINE void call_getcwd(void)
{
    worked += getcwd(0, 0)[0];
}

static NOINLINE void call_setspecific(void)
{
    pthread_key_t key;
    do
        pthread_key_create(&key, 0);
    while (key < 40);
    pthread_setspecific(key, &key);
    work();
}

int main(void)
{
    call_strerror();
    call_strsignal();
    call_getcwd();
    call_setspecific();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;call_getcwd 1
// CHECK-NEXT: main;call_getcwd;[getcwd];malloc {{[1-9][0-9]*}}
// CHECK-NEXT: main;call_setspecific 1
// CHECK-NEXT: main;call_setspecific;[pthread_setspecific];malloc {{[1-9][0-9]*}}
// CHECK-NEXT: main;call_strerror 1
// CHECK-NEXT: main;call_strerror;[strerror];malloc {{[1-9][0-9]*}}
// CHECK-NEXT: main;call_strsignal 1
// CHECK-NEXT: main;call_strsignal;[strsignal];malloc {{[1-9][0-9]*}}
