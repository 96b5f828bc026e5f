// hcct_count with metric=weight: each context has the sum of what it gave, exactly, below calls, recursion, pointers, callbacks, in
// handlers and threads, and from code that is not instrumented; calls do not count. With metric=calls it does nothing.
// RUN: %hcct-cc -O0 -I%hcct-source/include -I%inputs %s -lpthread -o %t.0
// RUN: %hcct-cc -O2 -I%hcct-source/include -I%inputs %s -lpthread -o %t.2
// RUN: %hcct-cc -O2 -flto -I%hcct-source/include -I%inputs %s -lpthread -o %t.l
// RUN: for x in 0 2 l; do for mode in cct hcct; do HCCT_OPTIONS=metric=weight:unit=bytes:mode=$mode:output=%t.bin %t.$x && \
// RUN:   %hcct-decode --format=folded --all %t.bin > %t.folded && FileCheck --implicit-check-not='{{.}}' --match-full-lines %s < %t.folded || exit 1; done; done
// RUN: %hcct-decode --format=json %t.bin | FileCheck --check-prefix=JSON %s
// JSON: "metric": "weight",
// JSON-NEXT: "unit": "bytes",
// JSON: "calls": 3000017642,
// JSON-NEXT: "other": {{[0-9]+}},
// JSON-NEXT: "dropped": {"memory": 0, "chain": 0, "interrupted": 0, "undecodable": 0, "unaccounted": 0},
// JSON-NEXT: "misplaced": {"stale": 0,
// RUN: %hcct-decode %t.bin | FileCheck --check-prefix=TREE %s
// TREE: 3000017642 bytes in
// TREE: at least 0.01% of the bytes each
// TREE: share {{ *}}bytes  context
// RUN: %hcct-decode --format=csv %t.bin | FileCheck --check-prefix=CSV %s
// CSV: metric: weight in bytes
// RUN: HCCT_OPTIONS=output=%t.calls.bin %t.2 && %hcct-decode --format=folded --all %t.calls.bin | FileCheck --check-prefix=CALLS %s
// CALLS: {{^}}main;leaf 3
// RUN: not %hcct-decode %t.bin %t.calls.bin 2>&1 | FileCheck --check-prefix=MIXED %s
// RUN: HCCT_OPTIONS=metric=weight:unit=items:output=%t.items.bin %t.2 && not %hcct-merge -o %t.all.bin %t.bin %t.items.bin 2>&1 | FileCheck --check-prefix=MIXED %s
// MIXED: counts another metric or unit than the first file
// RUN: HCCT_OPTIONS='metric=weight:unit=a<b:output=%t.u.bin' %t.2 2>&1 | FileCheck --check-prefix=UNIT %s
// UNIT: bad value 'a<b' for unit, the default is used
#include <errno.h>
#include <hcct/hcct.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "e2e.h"

static NOINLINE void leaf(uint64_t weight)
{
    hcct_count(weight);
    work();
}

static void (*volatile pointer)(uint64_t) = leaf;

static NOINLINE void down(int n)
{
    hcct_count(1);
    if (n)
        down(n - 1);
    hcct_count(10);
}

static inline __attribute__((always_inline)) void within(void)
{
    hcct_count(500);
}

__attribute__((no_profile_instrument_function)) NOINLINE void outside(void)
{
    hcct_count(7000);
    work();
}

static int compare(const void *a, const void *b)
{
    hcct_count(0);
    if (*(const int *)a == 1 && *(const int *)b == 2)
        hcct_count(4);
    return *(const int *)a - *(const int *)b;
}

static void handle(int number)
{
    leaf((uint64_t)number);
}

static void *run(void *argument)
{
    for (int i = 0; i < 1000; i++)
        leaf(i < 999 ? 1 : 3000000000u - 999);
    return argument;
}

__attribute__((no_profile_instrument_function)) static void *run_outside(void *argument)
{
    hcct_count(6);
    return argument;
}

int main(void)
{
    int numbers[] = { 1, 2 };
    pthread_t thread;
    errno = EDOM;
    leaf(100);
    leaf(20);
    pointer(3);
    down(2);
    within();
    outside();
    if (errno != EDOM)
        abort();
    qsort(numbers, 2, sizeof *numbers, compare);
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, run_outside, NULL);
    pthread_join(thread, NULL);
    hcct_stop();
    hcct_count(12345);
    hcct_start();
    hcct_count(9966);
    return 0;
}
// CHECK: [signal 10];handle;leaf 10
// CHECK-NEXT: [unknown] 6
// CHECK-NEXT: main 10466
// CHECK-NEXT: main;[outside] 7000
// CHECK-NEXT: main;[qsort];compare 4
// CHECK-NEXT: main;down 11
// CHECK-NEXT: main;down;down 11
// CHECK-NEXT: main;down;down;down 11
// CHECK-NEXT: main;leaf 123
// CHECK-NEXT: run;leaf 3000000000
