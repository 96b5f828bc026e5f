// What a thread pushes past the limit of its context stack is told of the counts that have it, not of those since hcct_reset() or in a forked child.
// Address space is short, so that the stack is small.
// UNSUPPORTED: target-aarch64
// RUN: %hcct-cc -O1 -fno-optimize-sibling-calls -I%inputs -I%hcct-source/include %s -o %t.x -lpthread && rm -f %t.bin*
// RUN: for mode in cct hcct; do rm -f %t.bin* && (ulimit -v 400000 && env HCCT_OPTIONS=mode=$mode:output=%t.bin %t.x %t.bin %t.bin.before) && \
// RUN:   %hcct-decode %t.bin.before | grep 'not exact: [0-9]* calls with lost callers, [0-9]* calls past the limit of the context stack' && \
// RUN:   test $(ls %t.bin* | wc -l) = 3 && rm %t.bin.before && for file in %t.bin*; do %hcct-decode $file | grep -x 'sound: nothing dropped, nothing lost' || exit 1; done || exit 1; done
#include <hcct/hcct.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE int deep(int depth) /* 12.8 MB of 400,000 KB are for all frames of a thread, and one takes 40 bytes */
{
    int result = depth ? deep(depth - 1) : 0;
    work();
    return result + 1;
}

static void *thread(void *unused)
{
    deep(60000);
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t other;
    int status = 1;
    if (count != 3 || pthread_create(&other, NULL, thread, NULL) || pthread_join(other, NULL) ||
        !hcct_dump() || rename(arguments[1], arguments[2]))
        abort();
    pid_t child = fork();
    if (child == 0) {
        leaf();
        return 0;
    }
    if (waitpid(child, &status, 0) != child || status)
        abort();
    hcct_reset();
    leaf();
    return 0;
}
