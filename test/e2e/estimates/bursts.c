// burst=on and burst=adaptive: estimates from bursts in several threads and phases, with handlers and a fork, against the exact counts.
// RUN: %hcct-cc -O2 -pthread %s -o %t
// RUN: env HCCT_OPTIONS=mode=cct:output=%t.exact %t 1 && %hcct-decode --all --format=json %t.exact -o %t.exact.json
// RUN: for burst in on adaptive; do for mode in cct hcct; do \
// RUN:   env HCCT_OPTIONS=mode=$mode:burst=$burst:interval=20ms:length=4ms:output=%t.bin %t 1 && %hcct-decode --all --format=json %t.bin -o %t.json && \
// RUN:   python3 %inputs/bursts.py %t.exact.json %t.json own || exit 1; done; done
// Contexts that are merged, and files that are added up, have the interval of the worst case.
// RUN: %hcct-decode --all --by=function --format=json %t.bin -o %t.json && %hcct-decode --all --by=function --format=json %t.exact -o %t.exact.json && \
// RUN:   python3 %inputs/bursts.py %t.exact.json %t.json
// Which contexts are hot, too, but for one run in a hundred or so: each phase has at least a burst.
// RUN: sh %inputs/tries.sh "env HCCT_OPTIONS=burst=on:interval=20ms:length=4ms:output=%t.bin %t 1 && \
// RUN:   %hcct-lab metrics %t.exact %t.bin | FileCheck %s --check-prefix=COMPARE"
// What is known of the estimates is said, and is kept when they are merged.
// RUN: %hcct-decode %t.bin | FileCheck %s
// RUN: %hcct-merge -o %t.merged %t.bin %t.bin && %hcct-decode %t.merged | FileCheck %s
// CHECK: estimates, from {{[0-9]+}} bursts of {{.*}} ms of CPU time
// CHECK-NEXT: calls were counted; N is an estimate without bounds; 10% mean {{.*}}(95% confidence)
// COMPARE: hot edge coverage, tau 0.1 100.0000%
// A thread without a timer does not count, which is said. What has no bursts goes on without.
// RUN: env HCCT_OPTIONS=mode=cct:burst=on:output=%t.bin prlimit --sigpending=0 %t 1 2>&1 | FileCheck %s --check-prefix=UNTIMED
// UNTIMED: a thread has no timer
// RUN: env HCCT_OPTIONS=metric=weight:burst=on:output=%t.bin %t 0 2>&1 | FileCheck %s --check-prefix=WEIGHT
// RUN: env HCCT_OPTIONS=burst=on:interval=5ms:length=4ms:output=%t.bin %t 0 2>&1 | FileCheck %s --check-prefix=SHORT
// WEIGHT: burst needs metric=calls
// SHORT: interval is to be 2 to 10000 times length
// A budget has bursts without an interval.
// RUN: for options in budget=10%% counting=on; do HCCT_OPTIONS=$options:length=20ms:output=%t.short %t 0 2>&1 > /dev/null | not grep hcct: || exit 1; done
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS = 1000000 };

__attribute__((noinline)) static void even(void)
{
    __asm__ volatile("");
}

__attribute__((noinline)) static void odd(int depth)
{
    __asm__ volatile("");
    if (depth)
        odd(depth - 1);
    __asm__ volatile("");
}

static void (*volatile pointer)(int) = odd;

__attribute__((noinline)) static void phase(long rounds)
{
    for (long i = 0; i < rounds * STEPS; i++) {
        even();
        if (i % 4 == 0)
            pointer(3);
    }
}

__attribute__((noinline)) static void *work(void *rounds)
{
    phase((long)rounds);
    for (long i = 0; i < (long)rounds * STEPS; i++)
        odd(1);
    return NULL;
}

static void on_signal(int number)
{
    (void)number;
    odd(2);
}

int main(int count, char **arguments)
{
    long rounds = count > 1 && atoi(arguments[1]) ? 40 : 0;
    pthread_t threads[2];
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    phase(1);
    for (int i = 0; rounds && i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)(rounds / 2 * (i + 1)));
    phase(rounds);
    for (int i = 0; rounds && i < 2; i++)
        pthread_join(threads[i], NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(0); /* has counted nothing, or next to nothing */
    waitpid(child, NULL, 0);
    return 0;
}
