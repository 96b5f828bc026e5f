// A signal at every second instruction of the way to another one's handler: each handler's calls are below its own root.
// REQUIRES: !target-aarch64
// RUN: %clang %S/Inputs/strike.c -o %t.strike && %hcct-cc -O2 -I%inputs %s -o %t.2
// RUN: HCCT_OPTIONS=mode=cct:output=%t.bin %t.strike %t.2
// RUN: %hcct-decode --format=folded --all %t.bin | FileCheck --match-full-lines --implicit-check-not='{{.}}' %s
#include <signal.h>

#include "e2e.h"

enum { STEPS = 210 };

NOINLINE void leaf(void) { work(); }
static void (*volatile pointer)(void) = leaf;

static void first(int signal)
{
    pointer();
    work();
}

static void second(int signal)
{
    pointer();
    work();
}

int main(void)
{
    signal(SIGUSR1, first);
    signal(SIGUSR2, second);
    for (int i = 0; i < STEPS; i++)
        raise(SIGUSR1);
    return 0;
}
// CHECK-DAG: main 1
// CHECK-DAG: [signal 10];first 210
// CHECK-DAG: [signal 10];first;leaf 210
// CHECK-DAG: [signal 12];second 210
// CHECK-DAG: [signal 12];second;leaf 210
