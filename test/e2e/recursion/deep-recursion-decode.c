// Recursion of 300,000 frames: at -O0 and -O2, with arguments on the stack and callbacks between; every format is decoded on a
// small stack, and the tree is short enough to be read.
// REQUIRES: turn-4
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: for level in 0 2; do %hcct-cc -O$level -gline-tables-only -I%inputs %s %t.o -o %t && HCCT_OPTIONS=mode=cct:output=%t.bin %t && ( ulimit -s 256 && \
// RUN:   %hcct-decode --all %t.bin -o %t.tree && %hcct-decode --format=folded --all --top=3 %t.bin -o %t.folded ) && \
// RUN:   FileCheck %s < %t.tree && test $(wc -l < %t.tree) -lt 400 && test $(wc -L < %t.tree) -lt 1000 || exit 1; done
// RUN: ( ulimit -s 256 && %hcct-decode --format=json --all %t.bin ) | grep -c '^{"parent"' | FileCheck --check-prefix=NODES %s
#include <pthread.h>
#include <stdlib.h>

#include "e2e.h"
#include "library.h"

enum { DEPTH = 100000 };

static __thread int left;

static NOINLINE double descend(double a, long b, long c, long d, long e, long f, long g, double h, long i);

static NOINLINE void back(void)
{
    if (descend(1, 2, 3, 4, 5, 6, 7, 8, 9) != 37 + 8)
        abort();
    work();
}

static NOINLINE double through(long i)
{
    call(back);
    work();
    return (double)i;
}

static NOINLINE double descend(double a, long b, long c, long d, long e, long f, long g, double h, long i)
{
    if (left-- > 0)
        through(i);
    work();
    return a + (double)(b + c + d + e + f + g) + h + (double)i;
}

static void *body(void *unused)
{
    left = DEPTH;
    back();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, (size_t)1 << 30) || pthread_create(&thread, &attributes, body, 0))
        abort();
    pthread_join(thread, 0);
    return 0;
}
// main, body, DEPTH + 1 of back and of descend, DEPTH of through, and in json a [call] below each of these.
// CHECK: 300004 calls in 300004 contexts, every count exact
// CHECK: sound: nothing dropped, nothing lost
// CHECK: [x{{[0-9]+}}]
// NODES: {{^400004$}}
