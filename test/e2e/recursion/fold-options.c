// recursion=fold together with the other options: hcct_context_describe tells folded paths, and hcct-decode --context the same; weights and
// what a crash leaves are of folded contexts; so are samples; in both modes.
// RUN: %hcct-cc -O0 -I%hcct-source/include -I%inputs %s -o %t.0 && env HCCT_TEST_OPTIONS=:recursion=fold sh %inputs/context.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%hcct-source/include -I%inputs %s -o %t.2 && env HCCT_TEST_OPTIONS=:recursion=fold sh %inputs/context.sh %hcct-decode %s %t.2
// RUN: %hcct-cc -O2 -flto -I%hcct-source/include -I%inputs %s -o %t.l && env HCCT_TEST_OPTIONS=:recursion=fold sh %inputs/context.sh %hcct-decode %s %t.l
// CHECK: main;down;down;leaf
// CHECK-NEXT: [signal 10];handle;down;down;leaf
// CHECK-NEXT: main;down;leaf
// RUN: for x in 0 2 l; do for mode in cct hcct; do \
// RUN:   HCCT_OPTIONS=metric=weight:mode=$mode:recursion=fold:output=%t.w.bin %t.$x > %t.out && \
// RUN:   %hcct-decode --format=folded --all %t.w.bin | FileCheck --check-prefix=WEIGHT --implicit-check-not='{{.}}' --match-full-lines %s && \
// RUN:   rm -f %t.k.bin && (HCCT_OPTIONS=mode=$mode:recursion=fold:output=%t.k.bin %t.$x kill > %t.out || true) && \
// RUN:   %hcct-decode --all %t.k.bin | grep -x '.* contexts, recursion folded.*' && \
// RUN:   %hcct-decode --format=folded --all %t.k.bin | FileCheck --check-prefix=CALLS --implicit-check-not='{{.}}' --match-full-lines %s || exit 1; \
// RUN: done; done
// WEIGHT: [signal 10];handle;down;down;leaf 100
// WEIGHT-NEXT: main;down;down;leaf 1001
// WEIGHT-NEXT: main;down;leaf 10
// CALLS: [signal 10];handle 1
// CALLS-NEXT: [signal 10];handle;down 1
// CALLS-NEXT: [signal 10];handle;down;down 3
// CALLS-NEXT: [signal 10];handle;down;down;leaf 1
// CALLS-NEXT: main 1
// CALLS-NEXT: main;down 3
// CALLS-NEXT: main;down;down 7
// CALLS-NEXT: main;down;down;leaf 2
// CALLS-NEXT: main;down;leaf 1
// RUN: %if cpu-timers %{ HCCT_OPTIONS=metric=time:mode=cct:recursion=fold:output=%t.s.bin %t.2 spin > %t.out %}
// RUN: %if cpu-timers %{ %hcct-decode --format=folded --all %t.s.bin | FileCheck --check-prefix=TIME --implicit-check-not='down;down;down' %s %}
// TIME: {{^}}main;down;down;leaf{{[ ;]}}
#include <signal.h>
#include <string.h>
#include <time.h>

#include "context.h"

static int spins;

static NOINLINE void leaf(int weight)
{
    hcct_count((uint64_t)weight);
    if (weight > 1)
        tell();
    for (clock_t end = clock() + CLOCKS_PER_SEC / 2; spins && weight == 1 && clock() < end;)
        work();
}

static void (*volatile pointer)(int) = leaf;

static NOINLINE void down(int n, int weight)
{
    if (n)
        down(n - 1, weight);
    else
        pointer(weight);
    work();
}

static void handle(int number)
{
    down(3, 100);
    (void)number;
}

int main(int count, char **arguments)
{
    spins = count > 1 && strcmp(arguments[1], "spin") == 0;
    signal(SIGUSR1, handle);
    for (int i = 0; i < 2; i++)
        down(i ? 2 : 5, i ? 1 : 1000);
    raise(SIGUSR1);
    down(0, 10);
    if (count > 1 && strcmp(arguments[1], "kill") == 0)
        raise(SIGQUIT);
    return 0;
}
