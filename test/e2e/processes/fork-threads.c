// A child of fork counts nothing of what the parent's threads did before or do after.
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.x
// RUN: rm -rf %t && mkdir %t && cd %t && HCCT_OPTIONS=mode=cct:output=out.bin %t.x
// RUN: %hcct-decode --format=folded --all out.bin | FileCheck --implicit-check-not='{{.}}' --match-full-lines %s
// RUN: %hcct-decode --format=folded --all out.bin.[0-9]* | FileCheck --implicit-check-not='{{.}}' --match-full-lines --check-prefix=CHILD %s
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

static pthread_barrier_t barrier;

static NOINLINE void leaf(void)
{
    work();
}

static void *body(void *unused)
{
    for (int i = 0; i < 1000; i++)
        leaf();
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    leaf();
    return unused;
}

static void *child_body(void *unused)
{
    leaf();
    leaf();
    return unused;
}

static NOINLINE void in_child(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, child_body, 0);
    pthread_join(thread, 0);
    leaf();
    exit(0);
}

int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&thread, 0, body, 0);
    pthread_barrier_wait(&barrier);
    pid_t child = fork();
    if (!child)
        in_child();
    pthread_barrier_wait(&barrier);
    pthread_join(thread, 0);
    int status;
    return waitpid(child, &status, 0) != child || status;
}
// CHECK: body 1
// CHECK-NEXT: body;leaf 1001
// CHECK-NEXT: main 1
// CHILD: child_body 1
// CHILD-NEXT: child_body;leaf 2
// CHILD-NEXT: main;in_child 1
// CHILD-NEXT: main;in_child;leaf 1
