// hcct-lab replay --sample: estimates from sampled calls of a trace, in threads, handlers and callbacks, against the exact counts of the same run.
// RUN: %hcct-cc -O2 -pthread %s -o %t && rm -f %t.bin*
// RUN: env HCCT_OPTIONS=trace=%t.trace:output=%t.exact %t 8 && %hcct-decode --all --format=json %t.exact -o %t.exact.json
// Every call is a sample with a period of 1: all is exact, and the profile says so. The loop of ten functions has a length that 7 and 1009 do not divide: as published
// each period-th call is the sample, and 1000 would keep in step with it.
// RUN: for mode in cct hcct; do for kind in calls calls-per-function; do for period in 1 7 1009; do \
// RUN:   %hcct-lab replay --mode=$mode --sample=$kind/$period -o %t.bin %t.trace && %hcct-decode --all --format=json %t.bin -o %t.json && \
// RUN:   python3 %inputs/samples.py %t.exact.json %t.json || exit 1; done; done; done
// RUN: %hcct-lab replay --mode=cct --sample=calls/1 -o %t.each %t.trace && %hcct-decode %t.exact %t.each | FileCheck %s --check-prefix=EACH
// EACH: every count exact
// What is known of the estimates is said, and is kept when they are merged.
// RUN: %hcct-decode %t.bin | FileCheck %s
// RUN: %hcct-merge -o %t.merged %t.bin %t.bin && %hcct-decode %t.merged | FileCheck %s
// CHECK: estimates, from {{[0-9]+}} samples, one in 1009 calls of each function
// CHECK-NEXT: there were {{.*}} to {{.*}} 10% mean {{.*}}(95% confidence)
// Bursts of 1000 of each 10000 calls; what is none is refused.
// RUN: %hcct-lab replay --mode=cct --burst=1000/10000 -o %t.bin %t.trace && %hcct-decode %t.bin | FileCheck --check-prefix=BURSTS %s
// BURSTS: estimates, from {{[0-9]+}} bursts:
// BURSTS-NEXT: calls were counted; N is an estimate without bounds; 10% mean {{.*}}(95% confidence)
// RUN: for wrong in --sample=calls/0 --sample=timer --sample=calls/ --burst=3/10 "--sample=calls/7 --burst=1/10" --one-in=2 --frames=2 "--sample=calls/7 --frames=0"; do %hcct-lab replay $wrong %t.trace 2> %t.err; test $? = 2 && test -s %t.err || exit 1; done
// The runtime's keys are refused, with what took their place.
// RUN: env HCCT_OPTIONS=sample=calls:burst=on:interval=5ms:length=2ms:edges=last:output=%t.bin %t 0 2>&1 | FileCheck %s --check-prefix=GONE && %hcct-decode %t.bin | grep 'calls in .*contexts'
// GONE-COUNT-5: HCCT_OPTIONS: there is no key '{{sample|burst|interval|length|edges}}' any more: {{.*budget=|.*hcct-lab replay --sample}}
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
