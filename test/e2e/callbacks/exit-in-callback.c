// exit() in a callback: its handlers hang below the call that led to them.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <stdlib.h>

#include "e2e.h"
#include "library.h"

static void handler(void)
{
    work();
}

static void leave(void)
{
    work();
    exit(0);
}

int main(void)
{
    atexit(handler);
    call(leave);
    return 1;
}
// CHECK: main 1
// CHECK-NEXT: main;[call];leave 1
// CHECK-NEXT: main;[call];leave;[exit];handler 1
