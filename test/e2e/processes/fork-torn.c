// fork, _Fork and clone while four threads are in the middle of counting: each child counts from zero, and exactly.
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.x -lpthread
// RUN: for mode in cct hcct; do for how in 0 1 2; do rm -rf %t && mkdir %t && cd %t && HCCT_OPTIONS=mode=$mode:output=out.bin %t.x $how && rm out.bin && \
// RUN:   ls | count 25 && for child in out.bin.*; do %hcct-decode --format=folded --all $child; done | sort | uniq -c | sed 's/^ *//' | \
// RUN:   FileCheck --implicit-check-not='{{.}}' --match-full-lines %s || exit 1; done || exit 1; done
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

enum { CHILDREN = 25, THREADS = 4 };

static _Thread_local volatile int mine;
static atomic_int stop;

NOINLINE void leaf(void) { mine = mine + 1; }
static void (*volatile pointer)(void) = leaf;

/* Ever new contexts, so that the tables change all the time. */
NOINLINE void walk(unsigned steps)
{
    if (!steps)
        return;
    if (steps & 1)
        walk(steps >> 1);
    else
        walk(steps >> 1);
    mine = mine + 1;
}

void *body(void *argument)
{
    for (unsigned i = 1; !atomic_load(&stop); i++)
        walk(i * 2654435761u >> 12);
    return argument;
}

NOINLINE void nest(int depth)
{
    if (depth)
        nest(depth - 1);
    else
        pointer();
    mine = mine + 1;
}

int main(int count, char **arguments)
{
    pthread_t threads[THREADS];
    int how = atoi(arguments[count - 1]);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, body, NULL);
    for (int i = 0; i < CHILDREN; i++) {
        pid_t child = how == 0 ? fork() : how == 1 ? _Fork() : (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        if (child == 0) {
            for (int n = 0; n < 1000; n++)
                nest(1);
            _exit(3);
        }
        int status;
        if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 3)
            abort();
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
// CHECK: 25 main;nest 1000
// CHECK-NEXT: 25 main;nest;nest 1000
// CHECK-NEXT: 25 main;nest;nest;leaf 1000
