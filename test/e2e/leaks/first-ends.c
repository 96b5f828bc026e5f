// The first thread ends before the others: the kernel tells nothing of the process any more, but of its threads. The search goes on, and the command line is known.
// UNSUPPORTED: target-aarch64
// RUN: rm -rf %t && mkdir -p %t && cd %t && for how in -O0 -O2; do %hcct-cc $how -g %s -o x -lpthread 2> warnings || exit 1; \
// RUN:   %hcct-run --leaks --keep=kept ./x one two > out; test $? = 23 && FileCheck %s < out && %hcct-decode --value=lost kept/*.bin | FileCheck --check-prefix=HEAD %s && rm -r kept || exit 1; done
// CHECK: leaked: 1234 bytes in 1 block by 1 context; still reachable: 100 bytes in 1 block
// HEAD: /x one two,
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "Inputs/lose.h"

static void *volatile kept;

// What is left of addresses on the stack
static void *run(void *unused)
{
    char program[1];
    while (readlink("/proc/self/exe", program, sizeof program) > 0) // until the first thread has ended
        usleep(1000);
    kept = malloc(100);
    lose(1234);
    wipe();
    return unused;
}

int main(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, NULL))
        return 1;
    pthread_exit(NULL);
}
