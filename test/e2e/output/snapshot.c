// snapshot=100ms: who reads the output file at any time finds a whole profile, and growing counts; that of the end has all calls of all
// threads. No system call of the program is interrupted. A forked child has profiles of its own, also one that is killed.
// REQUIRES: turn-5
// RUN: %hcct-cc -O1 -I%inputs %s -lpthread -o %t
// RUN: python3 %inputs/collect.py %hcct-decode %t.bin %t mode=cct
// RUN: python3 %inputs/collect.py %hcct-decode %t.bin %t mode=hcct
// RUN: %hcct-cc -O1 -I%inputs %s -lpthread -o %t.time
// RUN: python3 %inputs/collect.py %hcct-decode %t.bin %t.time metric=time
// RUN: env HCCT_OPTIONS=snapshot=100:output=%t.bin %t 0 2>&1 | FileCheck --check-prefix=UNIT %s
// UNIT: hcct: HCCT_OPTIONS: bad value '100' for snapshot, the default is used
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spend.h"

static double seconds;

NOINLINE static void step(void)
{
    work();
}

NOINLINE static long steps(void)
{
    long count = 0;
    for (double end = cpu_now() + seconds; cpu_now() < end; count += 1000)
        for (int i = 0; i < 1000; i++)
            step();
    return count;
}

static void *run(void *count)
{
    *(long *)count = steps();
    return NULL;
}

/* Interrupted system calls. */
static void *wait_often(void *interrupted)
{
    for (int i = 0; i < seconds * 100; i++) {
        step();
        *(long *)interrupted += (usleep(5000) != 0) + (poll(NULL, 0, 5) != 0);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[3];
    long counts[2], interrupted = 0;
    int status;
    seconds = argc > 1 ? atof(argv[1]) : 1;
    pid_t child = fork();
    if (!child) {
        steps();
        raise(SIGKILL);
    }
    pthread_create(&threads[0], NULL, run, &counts[0]);
    pthread_create(&threads[1], NULL, run, &counts[1]);
    pthread_create(&threads[2], NULL, wait_often, &interrupted);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    if (waitpid(child, &status, 0) != child || WTERMSIG(status) != SIGKILL)
        return 1;
    printf("%ld %ld %d\n", counts[0] + counts[1], interrupted, (int)child);
    return 0;
}
