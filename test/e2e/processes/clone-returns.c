// A child of clone with memory of its own that returns from its function, and so ends by a system call inside the C library:
// it has the same exit status as without hcct, and leaves a profile. Another thread of its goes on when the first one returns.
// RUN: %hcct-cc -O0 -I%inputs %s -lpthread -o %t.0 && %hcct-cc -O2 -I%inputs %s -lpthread -o %t.2 && %hcct-cc -O2 -static -I%inputs %s -lpthread -o %t.s
// RUN: for x in 0 2 s; do for options in mode=cct mode=hcct; do rm -rf %t && mkdir %t && cd %t && \
// RUN:   HCCT_OPTIONS=$options:output=out.bin %t.$x && rm out.bin && ls | count 2 || exit 1; \
// RUN:   for child in out.bin.*; do %hcct-decode --format=folded --all $child; done > all.txt; sort all.txt | FileCheck --match-full-lines %s || exit 1; done || exit 1; done
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

NOINLINE void leaf(void) { work(); }

NOINLINE int child(void *number)
{
    leaf();
    leaf();
    return *(int *)number;
}

/* Waits until the first thread has ended, as /proc tells. */
NOINLINE void *second_thread(void *unused)
{
    char state = 0;
    while (state != 'Z') {
        FILE *file = fopen("/proc/self/stat", "r");
        if (!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
            abort();
        fclose(file);
        usleep(1000);
    }
    _exit(9);
    return unused;
}

/* The process ends with the second thread. */
NOINLINE int child_with_thread(void *unused)
{
    pthread_t second;
    (void)unused;
    if (pthread_create(&second, NULL, second_thread, NULL) != 0)
        abort();
    return 0;
}

NOINLINE void await(pid_t pid, int expected)
{
    int status;
    if (pid <= 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != expected)
        abort();
}

int main(void)
{
    enum { STACK = 1 << 18 };
    static char stack[STACK] __attribute__((aligned(16)));
    int number = 7;
    leaf();
    await(clone(child, stack + STACK, SIGCHLD, &number), 7);
    await(clone(child_with_thread, stack + STACK, SIGCHLD, NULL), 9);
    return 0;
}
// CHECK: {{(main;\[clone\];)?}}child 1
// CHECK: {{(main;\[clone\];)?}}child;leaf 2
