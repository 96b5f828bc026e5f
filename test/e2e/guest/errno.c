// errno is kept over everything that the runtime does: first calls, misses, the first push, growth of the context
// stack and of the tables, a thread's start, the write at exit.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && %hcct-cc -O2 -I%inputs %s -o %t.2
// RUN: for x in %t.0 %t.2; do for mode in cct hcct; do HCCT_OPTIONS=mode=$mode:output=/nonexistent/x:verbosity=0 $x || exit 1; done; done
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "e2e.h"

#define KEPT() (errno == 4321 ? (void)0 : _exit(1))

static NOINLINE void leaf(int i)
{
    worked += i;
}

static void (*volatile pointer)(int) = leaf;

static NOINLINE void many(int depth, int ways)
{
    KEPT();
    for (int i = 0; i < ways; i++)
        if (depth)
            many(depth - 1, ways);
        else
            pointer(i);
    KEPT();
}

static NOINLINE void deep(int depth)
{
    if (depth)
        deep(depth - 1);
    KEPT();
    work();
}

static void *body(void *unused)
{
    errno = 4321;
    pointer(1);
    KEPT();
    many(2, 2);
    return unused;
}

static void at_exit(void)
{
    KEPT();
}

int main(void)
{
    pthread_t thread;
    errno = 4321;
    leaf(1);
    KEPT();
    pointer(1);
    KEPT();
    many(8, 2);
    deep(20000);
    KEPT();
    if (pthread_create(&thread, 0, body, 0) || pthread_join(thread, 0))
        return 1;
    atexit(at_exit);
    errno = 4321;
    return 0;
}
