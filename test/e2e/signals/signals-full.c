// Handlers of handlers where the context stack is full: the frames at its bottom stay, so the callers after the recursion are right.
// UNSUPPORTED: target-aarch64
// RUN: %hcct-cc -O1 -I%inputs %s -o %t.x
// RUN: (ulimit -s 250000 && ulimit -v 400000 && HCCT_OPTIONS=mode=cct:recursion=fold:output=%t.bin %t.x)
// RUN: %hcct-decode --format=folded --all %t.bin | FileCheck --match-full-lines --implicit-check-not='[unknown];leaf' %s
#include <signal.h>

#include "e2e.h"

enum { DEPTH = 400000, LAST = 200 }; /* each call pushes; 12.8 MB of 400000 KB are for some 312,000 frames */

static NOINLINE void leaf(void) { work(); }
static NOINLINE void down(int depth);
static NOINLINE void c(void);
static NOINLINE void b(void);
static NOINLINE void a(void);
static void (*volatile to_leaf)(void) = leaf, (*volatile to_a)(void) = a, (*volatile to_b)(void) = b, (*volatile to_c)(void) = c;
static void (*volatile to_down)(int) = down;

static void inner(int signal)
{
    to_leaf();
    work();
}

static void outer(int signal)
{
    raise(SIGUSR2);
    work();
}

static void down(int depth)
{
    if (depth < LAST)
        raise(SIGUSR1);
    if (depth)
        to_down(depth - 1);
    work();
}

static void c(void)
{
    to_down(DEPTH);
    to_leaf();
    work();
}

static void b(void)
{
    to_c();
    to_leaf();
    work();
}

static void a(void)
{
    to_b();
    to_leaf();
    work();
}

int main(void)
{
    signal(SIGUSR1, outer);
    signal(SIGUSR2, inner);
    to_a();
    to_leaf();
    return 0;
}
// CHECK-DAG: main;a;b;c;leaf 1
// CHECK-DAG: main;a;b;leaf 1
// CHECK-DAG: main;a;leaf 1
// CHECK-DAG: main;leaf 1
