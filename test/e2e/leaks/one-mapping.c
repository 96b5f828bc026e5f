// Two threads with stacks in one mapping: one waits, so that its stack pointer is known, and one computes. The stack of that one is searched, too, be it the lower or the upper one.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && for how in "-O1" "-O1 -static"; do %hcct-cc $how -g %s -o x -lpthread 2> warnings || exit 1; \
// RUN:   for upper in 0 1; do %hcct-run --leaks ./x $upper > out; test $? = 23 && FileCheck %s < out || exit 1; done; done
// CHECK: leaked: 1000 bytes in 1 block by 1 context; still reachable: {{.*}}
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "Inputs/lose.h"

enum { STACK_BYTES = 1 << 20 };
static pthread_barrier_t both_are_there;

// What is left of addresses on the stack
static void *waits(void *unused)
{
    void *volatile on_stack = malloc(100);
    wipe();
    pthread_barrier_wait(&both_are_there);
    for (;;)
        pause();
    return on_stack ? unused : NULL;
}

static void *computes(void *unused)
{
    void *volatile on_stack = malloc(1234);
    volatile int goes_on = 1;
    wipe();
    pthread_barrier_wait(&both_are_there);
    while (goes_on)
        ;
    return on_stack ? unused : NULL;
}

static void begin(void *(*function)(void *), char *stack)
{
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) || pthread_attr_setstack(&attributes, stack, STACK_BYTES) ||
        pthread_create(&thread, &attributes, function, NULL))
        abort();
}

int main(int count, char **arguments)
{
    int upper = count > 1 && atoi(arguments[1]);
    char *stacks = mmap(NULL, 2 * STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_barrier_init(&both_are_there, NULL, 3);
    begin(computes, stacks + upper * STACK_BYTES);
    begin(waits, stacks + !upper * STACK_BYTES);
    pthread_barrier_wait(&both_are_there);
    usleep(50000); // until the one waits in the kernel
    lose(1000);
    wipe();
    return 0;
}
