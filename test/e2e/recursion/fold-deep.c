// recursion=fold: recursion deeper than the context stack has frames, direct and through a pointer, has its few contexts with exact counts.
// RUN: %hcct-cc -O1 -I%inputs %s -o %t
// RUN: HCCT_OPTIONS=mode=cct:recursion=fold:output=%t.bin %t
// RUN: %hcct-decode --format=folded --all --by=function %t.bin | FileCheck --match-full-lines --implicit-check-not='{{.}}' %s
// RUN: HCCT_OPTIONS=recursion=fold:output=%t.hot.bin %t
// RUN: %hcct-decode --format=folded --all --by=function %t.hot.bin | FileCheck --match-full-lines --implicit-check-not='{{.}}' %s
#include <pthread.h>
#include <stdlib.h>

#include "e2e.h"

enum { DEPTH = 3000000 };

static NOINLINE int one(int n);
static int (*volatile pointer)(int) = one;

static NOINLINE int one(int n)
{
    int depth = n ? 1 + (n % 2 ? one(n - 1) : pointer(n - 1)) : 0;
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
// CHECK: body 1
// CHECK-NEXT: body;one 1
// CHECK-NEXT: body;one;one 1500000
// CHECK-NEXT: body;one;one;one 1500000
// CHECK-NEXT: main 1
