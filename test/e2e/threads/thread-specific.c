// Destructors of thread-specific data, called when a thread ends: roots, with calls of every kind below them, that make new data.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <pthread.h>
#include <stdlib.h>

#include "e2e.h"
#include "library.h"

static pthread_key_t key;

static NOINLINE void leaf(void)
{
    work();
}

static void (*volatile pointer)(void) = leaf;

static NOINLINE void back(void)
{
    pointer();
    leaf();
    work();
}

static void specific(void *argument)
{
    long left = (long)argument;
    pointer();
    call(back);
    if (left > 1)
        pthread_setspecific(key, (void *)(left - 1));
}

static void *body(void *argument)
{
    pthread_setspecific(key, argument);
    call(back);
    if (argument == (void *)2)
        pthread_exit(NULL);
    return NULL;
}

int main(void)
{
    if (pthread_key_create(&key, specific))
        abort();
    for (long i = 1; i <= 3; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, body, (void *)i))
            abort();
        pthread_join(thread, NULL);
    }
    return 0;
}
// CHECK: body 3
// CHECK-NEXT: body;[call];back 3
// CHECK-NEXT: body;[call];back;leaf 6
// CHECK-NEXT: main 1
// CHECK-NEXT: specific 6
// CHECK-NEXT: specific;[call];back 6
// CHECK-NEXT: specific;[call];back;leaf 12
// CHECK-NEXT: specific;leaf 6
