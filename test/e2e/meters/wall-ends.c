// metric=wall: the program ends when its own last thread does, however that ends; children of fork have an observer of their own, and
// threads that come and go are seen while they are there.
// RUN: %hcct-cc -O1 -I%inputs %s -lpthread -o %t && rm -f %t.bin*
// RUN: HCCT_OPTIONS=metric=wall:output=%t.bin timeout 600 %t pthread_exit
// RUN: %hcct-decode --all --format=folded %t.bin | FileCheck --check-prefix=THREAD %s
// RUN: HCCT_OPTIONS=metric=wall:output=%t.bin timeout 600 %t system_call
// RUN: HCCT_OPTIONS=metric=wall:output=%t.bin timeout 600 %t both
// RUN: HCCT_OPTIONS=metric=wall:output=%t.bin timeout 600 %t fork
// RUN: %hcct-decode --all --format=folded %t.bin.* | FileCheck --check-prefix=CHILD %s
// RUN: HCCT_OPTIONS=metric=wall:frequency=1000:mode=cct:output=%t.bin timeout 600 %t many
// RUN: %hcct-decode --all --format=folded %t.bin | FileCheck --check-prefix=MANY %s
// THREAD: run;nap;[usleep];[waiting] {{[0-9]+}}
// CHILD-NOT: in_parent
// CHILD: in_child;nap;[usleep];[waiting] {{[0-9]+}}
// CHILD-NOT: in_parent
// MANY: brief;nap;[usleep];[waiting] {{[0-9]+}}
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spend.h"

NOINLINE static void nap(useconds_t ms)
{
    usleep(ms * 1000);
    work();
}

static void *run(void *unused)
{
    nap(300);
    work();
    return unused;
}

static void *brief(void *unused)
{
    nap(3);
    work();
    return unused;
}

NOINLINE static void in_child(void)
{
    nap(300);
    work();
}

NOINLINE static void in_parent(void)
{
    nap(100);
    work();
}

NOINLINE static void many(void)
{
    pthread_t threads[8];
    for (int i = 0; i < 1000; i++) {
        if (i >= 8)
            pthread_join(threads[i % 8], NULL);
        if (pthread_create(&threads[i % 8], NULL, brief, NULL) != 0)
            exit(2);
    }
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int status;
    const char *way = argc > 1 ? argv[1] : "";
    if (strcmp(way, "fork") == 0) {
        in_parent();
        pid_t child = fork();
        if (!child) {
            in_child();
            return 3;
        }
        return waitpid(child, &status, 0) != child || status != 3 << 8;
    }
    if (strcmp(way, "many") == 0) {
        many();
        return 0;
    }
    if (strcmp(way, "system_call") != 0 && pthread_create(&thread, NULL, run, NULL) != 0)
        return 1;
    if (strcmp(way, "pthread_exit") == 0)
        pthread_exit(NULL);
    nap(50);
    syscall(SYS_exit, 0); /* of this thread, without the C library */
    return 1;
}
