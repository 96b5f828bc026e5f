// A million frames of recursion, direct, mutual and through a pointer: each depth is counted once, on a stack that is
// large enough.
// REQUIRES: turn-6
// RUN: %hcct-cc -O1 -I%inputs %s -o %t
// RUN: HCCT_OPTIONS=mode=cct:output=%t.bin %t
// RUN: %hcct-decode --recursion=keep %t.bin | head -3 | FileCheck %s
// Bounded mode: the same number of calls, in bounded space.
// RUN: ulimit -v 4000000; HCCT_OPTIONS=output=%t.hot.bin %t && %hcct-decode --format=json %t.hot.bin | FileCheck --check-prefix=BOUNDED %s
#include <pthread.h>
#include <stdlib.h>

#include "e2e.h"

enum { DEPTH = 1000000 };

static int other(int n);

static NOINLINE int one(int n);
static int (*volatile pointer)(int) = one;

static NOINLINE int one(int n)
{
    int depth = 0;
    if (n)
        depth = 1 + (n % 3 == 0 ? one(n - 1) : n % 3 == 1 ? pointer(n - 1) : other(n - 1));
    work();
    return depth;
}

static NOINLINE int other(int n)
{
    int depth = n ? 1 + one(n - 1) : 0;
    work();
    return depth;
}

static void *body(void *unused)
{
    if (one(DEPTH) != DEPTH)
        abort();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, (size_t)512 << 20) || pthread_create(&thread, &attributes, body, 0))
        abort();
    pthread_join(thread, 0);
    return 0;
}
// CHECK: 1000003 calls in 1000003 contexts, every count exact
// CHECK-NOT: not exact
// BOUNDED: "calls": 1000003,
