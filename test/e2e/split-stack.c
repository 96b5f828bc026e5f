// -fsplit-stack: each part of the stack may lie anywhere, but returns and callbacks keep their contexts.
// XFAIL: *
// Wrong: with -fsplit-stack a callee's stack pointer may lie above its caller's, and frames of the context stack are told dead
// from live by it. The profile says so: some calls are misplaced.
// RUN: %clang -O2 -c %S/Inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -fsplit-stack -fuse-ld=bfd -I%S/Inputs %s %t.o -o %t.0 && sh %S/Inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -fsplit-stack -fuse-ld=bfd -I%S/Inputs %s %t.o -o %t.2 && sh %S/Inputs/exact.sh %hcct-decode %s %t.2
#include <pthread.h>
#include <string.h>

#include "e2e.h"
#include "library.h"

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE void large(int bytes)
{
    volatile char room[100000];
    room[bytes] = 1;
    call(leaf);
    leaf();
    work();
}

static NOINLINE void middle(void)
{
    large(10);
    large(20);
    call(leaf);
}

static void *body(void *unused)
{
    call(middle);
    middle();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, body, 0);
    pthread_join(thread, 0);
    call(middle);
    return 0;
}
// CHECK: body 1
// CHECK-NEXT: body;[call];middle 1
// CHECK-NEXT: body;[call];middle;[call];leaf 1
// CHECK-NEXT: body;[call];middle;large 2
// CHECK-NEXT: body;[call];middle;large;[call];leaf 2
// CHECK-NEXT: body;[call];middle;large;leaf 2
// CHECK-NEXT: body;middle 1
// CHECK-NEXT: body;middle;[call];leaf 1
// CHECK-NEXT: body;middle;large 2
// CHECK-NEXT: body;middle;large;[call];leaf 2
// CHECK-NEXT: body;middle;large;leaf 2
// CHECK-NEXT: main 1
// CHECK-NEXT: main;[call];middle 1
// CHECK-NEXT: main;[call];middle;[call];leaf 1
// CHECK-NEXT: main;[call];middle;large 2
// CHECK-NEXT: main;[call];middle;large;[call];leaf 2
// CHECK-NEXT: main;[call];middle;large;leaf 2
