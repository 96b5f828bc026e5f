// fork while another thread is in the middle of dlopen, dlclose and the numbering of what they bring: every child counts, writes and ends.
// RUN: %hcct-cc -O1 -shared -fPIC -DLIBRARY -I%inputs %s -o %t.so
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.x -lpthread -ldl
// RUN: for options in mode=cct; do rm -rf %t && mkdir %t && cd %t && HCCT_OPTIONS=$options:output=out.bin %t.x %t.so && rm out.bin && \
// RUN:   ls | count 100 && for child in *; do %hcct-decode --format=folded --all $child; done | sort | uniq -c | sed 's/^ *//' | \
// RUN:   FileCheck --implicit-check-not='{{.}}' --match-full-lines %s || exit 1; done
// CHECK: 100 main;child 1
// CHECK-NEXT: 100 main;child;leaf 1000
#include "e2e.h"
#ifdef LIBRARY
#define ONE(n) NOINLINE void f##n(void) { work(); }
#define TEN(n) ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
#define HUNDRED(n) TEN(n##0) TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4) TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)
HUNDRED(1) HUNDRED(2) HUNDRED(3) HUNDRED(4) HUNDRED(5)
void entry(void) { f100(); f599(); }
#else
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 100 };
static atomic_int stop;

static void *load(void *path)
{
    while (!atomic_load(&stop)) {
        void *library = dlopen(path, RTLD_NOW);
        void (*entry)(void) = (void (*)(void))dlsym(library, "entry");
        entry();
        dlclose(library);
    }
    return NULL;
}

static NOINLINE void leaf(void) { work(); }

static NOINLINE void child(void)
{
    for (int i = 0; i < 1000; i++)
        leaf();
    work();
}

int main(int count, char **arguments)
{
    pthread_t thread;
    pthread_create(&thread, NULL, load, arguments[count - 1]);
    for (int i = 0; i < CHILDREN; i++) {
        int status;
        pid_t process = fork();
        if (process == 0) {
            alarm(600); /* ends one that hangs */
            child();
            _exit(0); /* exit needs locks of the C library that dlclose may have had */
        }
        if (waitpid(process, &status, 0) != process || status != 0) {
            fprintf(stderr, "child %d: status %x\n", i, (unsigned)status);
            _exit(1);
        }
        usleep(i * 7 % 300);
    }
    atomic_store(&stop, 1);
    pthread_join(thread, NULL);
    return 0;
}
#endif
