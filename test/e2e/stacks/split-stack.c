// -fsplit-stack: a part of the stack may lie above the one before it, so that nothing could be told from stack pointers. Functions that
// have it are left alone, with one warning; those that have not, in the same program, are counted.
// RUN: for o in -O0 -O2; do \
// RUN:   %hcct-cc $o -fsplit-stack -fuse-ld=bfd -I%inputs %s -o %t 2> %t.err && grep -c 'warning: hcct: -fsplit-stack is not supported' %t.err | grep -x 1 && \
// RUN:   sh %inputs/exact.sh %hcct-decode %s %t || exit 1; done
#include <pthread.h>

#include "e2e.h"

#define WHOLE __attribute__((no_split_stack))

WHOLE static NOINLINE void leaf(void)
{
    work();
}

WHOLE static NOINLINE void counted(void)
{
    leaf();
    leaf();
    work();
}

static NOINLINE void split(int bytes)
{
    volatile char room[100000];
    room[bytes] = 1;
    work();
}

static void *body(void *unused)
{
    split(10);
    split(20);
    return unused;
}

WHOLE int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, body, 0);
    pthread_join(thread, 0);
    split(30);
    counted();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;counted 1
// CHECK-NEXT: main;counted;leaf 2
