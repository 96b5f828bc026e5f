// The child of a process whose other thread has had a handler: what counted there is given to the child's threads one by one, and is shared by none.
// RUN: %hcct-cc -O1 -I%inputs %s -lpthread -o %t.x
// RUN: for mode in cct hcct; do rm -rf %t && mkdir %t && cd %t && HCCT_OPTIONS=mode=$mode:output=out.bin timeout 60 %t.x && rm out.bin && \
// RUN:   %hcct-decode --format=folded --all out.bin.* | sort | FileCheck --implicit-check-not='{{.}}' --match-full-lines %s || exit 1; done
// CHECK: [signal 10];handler 2
// CHECK-NEXT: [signal 10];handler;nest 2
// CHECK-NEXT: [signal 10];handler;nest;nest 2
// CHECK-NEXT: first 1
// CHECK-NEXT: first;nest 3
// CHECK-NEXT: first;nest;nest 3
// CHECK-NEXT: first;nest;nest;nest 1
// CHECK-NEXT: second 1
// CHECK-NEXT: second;nest 2
// CHECK-NEXT: second;nest;nest 2
// CHECK-NEXT: second;nest;nest;nest 1
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nest.h"

static pthread_barrier_t both;

static void handler(int number)
{
    (void)number;
    pointer(1);
}

static void *waits(void *unused)
{
    raise(SIGUSR1);
    pthread_barrier_wait(&both);
    for (;;)
        pause();
    return unused;
}

static void *first(void *unused)
{
    pointer(1);
    pthread_barrier_wait(&both);
    pthread_barrier_wait(&both); // the other one has had its handler
    pointer(2);
    raise(SIGUSR1);
    pointer(1);
    return unused;
}

static void *second(void *unused)
{
    pthread_barrier_wait(&both);
    pointer(1);
    raise(SIGUSR1);
    pointer(2);
    pthread_barrier_wait(&both);
    return unused;
}

int main(void)
{
    int status = 0;
    pthread_t one, two;
    signal(SIGUSR1, handler);
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&one, NULL, waits, NULL);
    pthread_barrier_wait(&both);
    if (fork()) {
        wait(&status);
        return status != 0;
    }
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
