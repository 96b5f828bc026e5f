// fork() waits for a lock of the C library which another thread has, in code of the program that stdio calls. That code counts on, and nobody waits for ever.
// The same for a library that is numbered there, at its first call.
// RUN: %hcct-cc -O1 -DLIBRARY -shared -fPIC -I%inputs %s -o %t.so
// RUN: %hcct-cc -O1 -I%inputs %s -o %t -lpthread
// RUN: env HCCT_OPTIONS=mode=cct:output=%t.bin timeout -s KILL 60 %t %t.so && %hcct-decode --format=folded --all %t.bin | FileCheck %s
// RUN: env HCCT_OPTIONS=mode=cct:metric=heap:output=%t.bin timeout -s KILL 60 %t %t.so
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

#ifdef LIBRARY
void library(void)
{
    work();
}
#else
enum { DEPTH = 50 };

static volatile int in_callback, in_fork;
static void (*library)(void);

static NOINLINE void deep(int depth)
{
    work();
    if (depth)
        deep(depth - 1);
    work();
}

// Within fflush(NULL), which has the lock of all streams. fork() takes it behind our part of fork.
static ssize_t write_it(void *cookie, const char *text, size_t bytes)
{
    (void)cookie, (void)text;
    in_callback = 1;
    while (!in_fork)
        usleep(1000);
    usleep(50000);
    library();
    deep(DEPTH);
    free(malloc(100));
    return (ssize_t)bytes;
}

static void before_fork(void)
{
    in_fork = 1;
}

static void *flush(void *unused)
{
    fflush(NULL);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    FILE *file = fopencookie(NULL, "w", (cookie_io_functions_t){ .write = write_it });
    int status;
    void *object = dlopen(argv[argc - 1], RTLD_NOW);
    library = object ? (void (*)(void))dlsym(object, "library") : NULL;
    if (!library)
        return 1;
    fputs("text", file);
    pthread_atfork(before_fork, NULL, NULL);
    pthread_create(&thread, NULL, flush, NULL);
    while (!in_callback)
        usleep(1000);
    pid_t child = fork();
    if (!child)
        _exit(0);
    waitpid(child, &status, 0);
    pthread_join(thread, NULL);
    return status;
}
#endif
// CHECK-DAG: write_it;library 1
// CHECK-DAG: write_it;deep;deep;deep
