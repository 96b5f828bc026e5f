// sample=…: estimates from sampled calls, in threads, handlers, callbacks and a fork, against the exact counts of the same program.
// RUN: %hcct-cc -O2 -pthread %s -o %t && rm -f %t.bin*
// RUN: env HCCT_OPTIONS=mode=cct:output=%t.exact %t 8 && %hcct-decode --all --format=json %t.exact -o %t.exact.json
// Every call is a sample with period=1: all is exact, and the profile says so. The loop of ten functions has a length that divides 1000, which the samples must not
// keep in step with.
// RUN: for mode in cct hcct; do for kind in calls calls-per-function; do for period in 1 7 1000; do \
// RUN:   env HCCT_OPTIONS=mode=$mode:sample=$kind:period=$period:output=%t.bin %t 8 && %hcct-decode --all --format=json %t.bin -o %t.json && \
// RUN:   python3 %inputs/samples.py %t.exact.json %t.json || exit 1; done; done; done
// RUN: env HCCT_OPTIONS=mode=cct:sample=calls:period=1:output=%t.each %t 8 && %hcct-decode %t.exact %t.each | FileCheck %s --check-prefix=EACH
// EACH: every count exact
// What is known of the estimates is said, and is kept when they are merged; a child has estimates of its own.
// RUN: %hcct-decode %t.bin | FileCheck %s
// RUN: %hcct-merge -o %t.merged %t.bin %t.bin && %hcct-decode %t.merged | FileCheck %s
// RUN: %hcct-decode --all --format=folded %t.bin.* | FileCheck %s --check-prefix=CHILD
// CHECK: estimates, from {{[0-9]+}} samples, one in 1000 calls of each function, and more of rare ones:
// CHECK-NEXT: there were {{.*}} to {{.*}} 10% mean {{.*}}(95% confidence)
// CHILD-NOT: work
// CHILD: in_child
// What samples do not go with is said.
// RUN: env HCCT_OPTIONS=metric=weight:sample=calls:output=%t.bin %t 0 2>&1 | FileCheck %s --check-prefix=WEIGHT
// RUN: env HCCT_OPTIONS=burst=on:sample=calls:output=%t.bin %t 0 2>&1 | FileCheck %s --check-prefix=WEIGHT
// RUN: env HCCT_OPTIONS=sample=calls:period=0:output=%t.bin %t 0 2>&1 | FileCheck %s --check-prefix=PERIOD
// WEIGHT: sample needs metric=calls, no burst
// PERIOD: bad value '0' for period
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

#define IN_TURN(name)                                                                                        \
    NOINLINE static void name(void)                                                                          \
    {                                                                                                        \
        __asm__ volatile("");                                                                                \
    }
IN_TURN(zero)
IN_TURN(one)
IN_TURN(two)
IN_TURN(three)
IN_TURN(four)
IN_TURN(five)
IN_TURN(six)
IN_TURN(seven)
IN_TURN(eight)
IN_TURN(nine)
IN_TURN(seldom)
IN_TURN(in_child)

NOINLINE static void in_turn(long rounds)
{
    for (long i = 0; i < rounds; i++) {
        zero();
        one();
        two();
        three();
        four();
        five();
        six();
        seven();
        eight();
        nine();
    }
}

NOINLINE static void deep(int depth)
{
    __asm__ volatile("");
    if (depth)
        deep(depth - 1);
    __asm__ volatile("");
}

static void (*volatile pointer)(int) = deep;

static int compare(const void *a, const void *b)
{
    zero();
    return *(const int *)a - *(const int *)b;
}

static void on_signal(int number)
{
    (void)number;
    in_turn(2000);
}

NOINLINE static void *work(void *rounds)
{
    for (long i = 0; i < (long)rounds; i++) {
        int numbers[] = { 3, 1, 2, 5, 4 };
        in_turn(1000);
        for (int j = 0; j < 300; j++)
            pointer(j % 5);
        for (int j = 0; j < 100; j++)
            qsort(numbers, 5, sizeof *numbers, compare);
    }
    seldom();
    return NULL;
}

int main(int count, char **arguments)
{
    long rounds = count > 1 ? 30 * atoi(arguments[1]) : 0;
    pthread_t threads[2];
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)(rounds * i));
    work((void *)rounds);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; rounds && i < 20000; i++)
            in_child();
        exit(0);
    }
    waitpid(child, NULL, 0);
    return 0;
}
