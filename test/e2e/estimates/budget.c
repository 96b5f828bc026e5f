// budget=10%: a program that does nothing but miss is counted in bursts, and what the profile tells is true of the exact run; one that hardly calls is
// counted whole, and its profile is as exact as without a budget.
// REQUIRES: turn-5
// RUN: %hcct-cc -O2 -pthread -I%inputs %s -o %t
// RUN: env HCCT_OPTIONS=mode=cct:output=%t.exact %t misses && %hcct-decode --all --by=function --format=json %t.exact -o %t.exact.json
// RUN: for mode in cct hcct; do env HCCT_OPTIONS=mode=$mode:budget=10%%:output=%t.bin %t misses && \
// RUN:   %hcct-decode --all --by=function --format=json %t.bin -o %t.json && python3 %inputs/budget.py %t.exact.json %t.json fourth leaf || exit 1; done
// RUN: env HCCT_OPTIONS=mode=cct:budget=10%%:output=%t.bin %t misses && %hcct-decode --by=function %t.bin | FileCheck %s
// CHECK: estimates, from {{[0-9]+}} bursts of {{.*}} of CPU time, where all calls would have passed the budget:
// CHECK-NEXT: calls were counted, at most {{[0-9.]+}}% of all; N is an estimate without bounds
// RUN: env HCCT_OPTIONS=mode=cct:output=%t.exact %t works && env HCCT_OPTIONS=mode=cct:budget=10%%:output=%t.bin %t works
// RUN: %hcct-decode --all --format=folded %t.exact -o %t.exact.folded && %hcct-decode --all --format=folded %t.bin -o %t.folded
// RUN: diff %t.exact.folded %t.folded && %hcct-decode %t.bin | FileCheck %s --check-prefix=WHOLE --implicit-check-not="estimates, from"
// WHOLE: {{[0-9]+}} calls in
// What it does not go with is said, and so is a value that is none.
// RUN: env HCCT_OPTIONS=budget=10%%:metric=weight:output=%t.bin %t none 2>&1 | FileCheck %s --check-prefix=WEIGHT
// RUN: env HCCT_OPTIONS=budget=0%%:output=%t.bin %t none 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: env HCCT_OPTIONS=budget=10:output=%t.bin %t none 2>&1 | FileCheck %s --check-prefix=VALUE
// WEIGHT: budget needs metric=calls, and is left out
// VALUE: bad value '{{.*}}' for budget
#include "misses.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 4000000, WORK = 60000000 };

__attribute__((noinline)) static void *misses(void *unused)
{
    miss(ROUNDS);
    return unused;
}

__attribute__((noinline)) static void *works(void *unused)
{
    for (volatile unsigned i = 0; i < WORK; i++)
        if (i % (WORK / 100) == 0)
            leaf();
    return unused;
}

int main(int count, char **arguments)
{
    void *(*task)(void *) = count > 1 && !strcmp(arguments[1], "misses") ? misses : works;
    if (count < 2 || !strcmp(arguments[1], "none"))
        return 0;
    pthread_t thread;
    pthread_create(&thread, NULL, task, NULL);
    task(NULL);
    pthread_join(thread, NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    return 0;
}
