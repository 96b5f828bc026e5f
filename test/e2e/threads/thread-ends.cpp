// Threads that end by return, pthread_exit, deferred and asynchronous cancellation, deep in instrumented code: cleanups run
// where they stand; destructors of thread-local data, C++'s and pthread_key's, begin at the thread's root, also when they run
// after the profiler's own.
// RUN: %hcct-c++ -O0 -I%inputs %s -o %t.0 -lpthread && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-c++ -O2 -I%inputs %s -o %t.2 -lpthread && sh %inputs/exact.sh %hcct-decode %s %t.2
// RUN: %hcct-c++ -O2 -static -I%inputs %s -o %t.s -lpthread && sh %inputs/exact.sh %hcct-decode %s %t.s
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

#include "e2e.h"

enum How { RETURN, EXIT, DEFERRED, ASYNC, HOWS };
static const int ROUNDS = 20;
static sem_t ready;
static pthread_key_t key;
static volatile bool never;
static volatile unsigned long spun;

extern "C" {
static thread_local volatile int mine;

NOINLINE void leaf()
{
    mine = mine + 1;
}

NOINLINE void cleaned()
{
    leaf();
    mine = mine + 1;
}

void at_key(void *left)
{
    leaf();
    if ((size_t)left > 1)
        pthread_setspecific(key, (void *)((size_t)left - 1));
    mine = mine + 1;
}

NOINLINE void end(long how)
{
    leaf();
    if (how == EXIT)
        pthread_exit((void *)how);
    if (how == DEFERRED) {
        sem_post(&ready);
        for (;;)
            pause();
    }
    if (how == ASYNC) {
        sem_post(&ready);
        pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
        while (!never)
            spun = spun + 1;
    }
    mine = mine + 1;
}

void (*volatile pointer)(long) = end;

NOINLINE void nest(int depth, long how)
{
    if (depth)
        nest(depth - 1, how);
    else
        pointer(how);
    mine = mine + 1;
}

struct AtEnd {
    NOINLINE AtEnd() {}
    NOINLINE ~AtEnd() { leaf(); mine = mine + 1; }
};

struct Cleanup {
    __attribute__((always_inline)) ~Cleanup() { cleaned(); }
};

NOINLINE void guarded(long how)
{
    Cleanup cleanup;
    nest(1, how);
    mine = mine + 1;
}

void *body(void *how)
{
    static thread_local AtEnd at_end;
    (void)&at_end;
    pthread_setspecific(key, (void *)6); /* more rounds than pthread gives */
    guarded((long)how);
    mine = mine + 1;
    return how;
}
}

int main()
{
    sem_init(&ready, 0, 0);
    pthread_key_create(&key, at_key);
    for (int i = 0; i < ROUNDS; i++)
        for (long how = 0; how < HOWS; how++) {
            pthread_t thread;
            void *result;
            if (pthread_create(&thread, 0, body, (void *)how))
                abort();
            if (how == DEFERRED || how == ASYNC) {
                sem_wait(&ready);
                pthread_cancel(thread);
            }
            pthread_join(thread, &result);
            if (result != (how >= DEFERRED ? PTHREAD_CANCELED : (void *)how))
                abort();
        }
    return 0;
}
// CHECK: _ZN5AtEndD2Ev 80
// CHECK-NEXT: _ZN5AtEndD2Ev;leaf 80
// CHECK-NEXT: at_key 320
// CHECK-NEXT: at_key;leaf 320
// CHECK-NEXT: body 80
// CHECK-NEXT: body;_ZN5AtEndC2Ev 80
// CHECK-NEXT: body;guarded 80
// CHECK-NEXT: body;guarded;cleaned 80
// CHECK-NEXT: body;guarded;cleaned;leaf 80
// CHECK-NEXT: body;guarded;nest 80
// CHECK-NEXT: body;guarded;nest;nest 80
// CHECK-NEXT: body;guarded;nest;nest;end 80
// CHECK-NEXT: body;guarded;nest;nest;end;leaf 80
// CHECK-NEXT: main 1
