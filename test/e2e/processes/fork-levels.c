// The child of a process that has had handlers within handlers: its own handlers and threads count each for themselves.
// RUN: %hcct-cc -O1 -I%inputs %s -lpthread -o %t.x
// RUN: for mode in cct hcct; do rm -rf %t && mkdir %t && cd %t && HCCT_OPTIONS=mode=$mode:output=out.bin timeout 60 %t.x && rm out.bin && \
// RUN:   %hcct-decode --format=folded --all out.bin.* | sort | FileCheck --implicit-check-not='{{.}}' --match-full-lines %s || exit 1; done
// CHECK: [signal 10];outer 1
// CHECK-NEXT: [signal 10];outer;nest 1
// CHECK-NEXT: [signal 12];inner 1
// CHECK-NEXT: [signal 12];inner;nest 1
// CHECK-NEXT: [signal 12];inner;nest;nest 1
// CHECK-NEXT: main;nest 1
// CHECK-NEXT: thread 1
// CHECK-NEXT: thread;nest 1
// CHECK-NEXT: thread;nest;nest 1
// CHECK-NEXT: thread;nest;nest;nest 1
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nest.h"

static volatile int is_child;

static void *thread(void *argument)
{
    pointer(2);
    return argument;
}

static void inner(int number)
{
    pthread_t made;
    (void)number;
    if (is_child && !pthread_create(&made, NULL, thread, NULL))
        pthread_join(made, NULL);
    pointer(1);
}

static void outer(int number)
{
    (void)number;
    raise(SIGUSR2);
    pointer(0);
}

int main(void)
{
    int status = 0;
    signal(SIGUSR1, outer);
    signal(SIGUSR2, inner);
    raise(SIGUSR1);
    is_child = fork() == 0;
    if (!is_child)
        wait(&status);
    pointer(0); /* the profiler notices the fork */
    if (is_child)
        raise(SIGUSR1);
    return status != 0;
}
