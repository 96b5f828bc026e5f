// A limit of address space (RLIMIT_AS), or of data (RLIMIT_DATA), from outside or set by the program, leaves it what it has without profiling: threads can be made, and memory.
// The profile is exact.
// UNSUPPORTED: target-aarch64
// RUN: %hcct-cc -O1 -I%inputs %s -lpthread -o %t.x
// RUN: for mode in cct hcct hcct:recursion=fold; do for limit in 64 100 130 200 1024; do \
// RUN:   HCCT_OPTIONS=mode=$mode:output=%t.bin %t.x $limit && %hcct-decode --all %t.bin > %t.out && grep -x 'sound: nothing dropped, nothing lost' %t.out && grep '^542 calls in' %t.out && \
// RUN:   (ulimit -v $((limit * 1024)); HCCT_OPTIONS=mode=$mode:output=%t.bin %t.x 0) && %hcct-decode --all %t.bin > %t.out && grep -x 'sound: nothing dropped, nothing lost' %t.out || exit 1; done; done
// What a program can allocate below a limit of data.
// RUN: for mode in hcct cct hcct:metric=heap; do (ulimit -d 153600; HCCT_OPTIONS=mode=$mode:output=%t.bin %t.x data 75) && HCCT_OPTIONS=mode=$mode:output=%t.bin %t.x data 75 150 && %hcct-decode %t.bin || exit 1; done
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "e2e.h"

enum { THREADS = 20, DEPTH = 10 };

static NOINLINE int down(int depth)
{
    int result = depth ? down(depth - 1) + 1 : 0;
    work();
    return result;
}

static void *thread(void *argument)
{
    return down(DEPTH) == DEPTH ? argument : NULL;
}

/* Whether so many megabytes can be had, a megabyte at a time. */
static int allocates(int megabytes)
{
    void *volatile block;
    for (int i = 0; i < megabytes; i++) {
        block = malloc(1 << 20);
        if (!block)
            return 0;
    }
    return 1;
}

int main(int count, char **arguments)
{
    rlim_t bytes = (rlim_t)(count > 1 ? atoi(arguments[1]) : 0) << 20;
    if (down(300) != 300)
        return 1;
    if (count > 2) {
        rlim_t most = (rlim_t)(count > 3 ? atoi(arguments[3]) : 0) << 20;
        if (most && setrlimit(RLIMIT_DATA, &(struct rlimit){ most, most }))
            return 1;
        return !allocates(atoi(arguments[2]));
    }
    if (bytes && setrlimit(RLIMIT_AS, &(struct rlimit){ bytes, bytes }))
        return 1;
    for (int i = 0; i < THREADS; i++) {
        pthread_t made;
        void *result = NULL;
        int error = pthread_create(&made, NULL, thread, &made);
        if (error || pthread_join(made, &result) || !result)
            return printf("thread %d: error %d\n", i, error) > 0;
    }
    void *memory = malloc(20 << 20);
    free(memory);
    return memory ? 0 : printf("no memory\n") > 0;
}
