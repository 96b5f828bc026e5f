// metric=clock: what the profiler itself takes is no context's. A function of a few nanoseconds that is called many times, and the one that calls
// it, have next to none; what a call takes in all is several times that. One that takes longer has what it takes where it is not measured.
// RUN: %hcct-cc --hcct-clock --hcct-time-only -O2 -I%hcct-source/include %s -o %t && python3 %S/Inputs/clock_cost.py %hcct-decode %t %t.bin
// Instructions of a call, for docs/clock.md: measured, with nothing measured, and with calls counted in a build that can measure, and in one that cannot.
// RUN: %hcct-cc --hcct-clock -O2 -I%hcct-source/include %s -o %t.counts && %hcct-cc -O2 -I%hcct-source/include %s -o %t.plain
// RUN: sh %S/Inputs/instructions.sh metric=clock %t.counts 200 && sh %S/Inputs/instructions.sh metric=weight %t.counts 60
// RUN: sh %S/Inputs/instructions.sh metric=calls:mode=cct %t.counts 70 && sh %S/Inputs/instructions.sh metric=calls:mode=cct %t.plain 30
#include <hcct/hcct.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CALLS = 10000, ROUNDS = 1000 }; /* 10 million */

#define NOT_MEASURED __attribute__((noinline, no_profile_instrument_function)) static

/* Each step waits for the one before, of the call before too. */
static inline __attribute__((always_inline)) void take(int steps)
{
    static unsigned long value = 3;
    for (int i = 0; i < steps; i++) {
        value *= value;
        __asm__ volatile("" : "+r"(value));
    }
}

__attribute__((noinline)) void leaf(void)
{
    __asm__ volatile("nop");
}

__attribute__((noinline)) void longer(void)
{
    take(100);
}

NOT_MEASURED void not_measured(void)
{
    take(100);
}

#define CALL_MANY(name, callee)               \
    __attribute__((noinline)) void name(void) \
    {                                         \
        for (int i = 0; i < CALLS; i++)       \
            callee();                         \
        __asm__ volatile("");                 \
    }
CALL_MANY(parent, leaf)
CALL_MANY(parent_of_longer, longer)
NOT_MEASURED CALL_MANY(parent_of_none, not_measured)

static long time_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Nanoseconds of a call in the quickest round, which nothing has interrupted: the machine may be busy. Its profile is written. */
static double quickest(void (*calls)(void))
{
    long least = 1000000000;
    for (int i = 0; i < ROUNDS; i++) {
        hcct_reset();
        long start = time_now();
        calls();
        long time = time_now() - start;
        if (time >= least)
            continue;
        least = time;
        hcct_dump();
    }
    return (double)least / CALLS;
}

int main(int count, char **arguments)
{
    if (count > 1 && atoi(arguments[1])) { /* for callgrind */
        for (int i = 0; i < atoi(arguments[1]); i += CALLS)
            parent();
        return 0;
    }
    double none = quickest(parent_of_none), each = quickest(count > 1 ? parent_of_longer : parent);
    printf("%d %f %f\n", CALLS, each, none);
    fflush(stdout);
    raise(SIGKILL); /* the end would write another profile */
}
