// metric=clock: what the profiler itself takes is no context's. A function of a few nanoseconds that is called many times, and the one that calls
// it, have next to none; what a call takes in all is several times that.
// RUN: %hcct-cc --hcct-clock --hcct-time-only -O2 -I%hcct-source/include %s -o %t && python3 %S/Inputs/clock_cost.py %hcct-decode %t %t.bin
// Instructions of a call, for docs/clock.md: measured, with nothing measured, and with calls counted in a build that can measure, and in one that cannot.
// RUN: %hcct-cc --hcct-clock -O2 -I%hcct-source/include %s -o %t.counts && %hcct-cc -O2 -I%hcct-source/include %s -o %t.plain
// RUN: sh %S/Inputs/instructions.sh metric=clock %t.counts 185 && sh %S/Inputs/instructions.sh metric=weight %t.counts 60
// RUN: sh %S/Inputs/instructions.sh metric=calls:mode=cct %t.counts 70 && sh %S/Inputs/instructions.sh metric=calls:mode=cct %t.plain 30
#include <hcct/hcct.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CALLS = 10000, ROUNDS = 1000 }; /* 10 million */

__attribute__((noinline)) void leaf(void)
{
    __asm__ volatile("nop");
}

__attribute__((noinline)) void parent(int calls)
{
    for (int i = 0; i < calls; i++)
        leaf();
    __asm__ volatile("");
}

/* The profile is of the quickest round, which nothing has interrupted: the machine may be busy. */
int main(int count, char **arguments)
{
    long least = 1000000000;
    if (count > 1) { /* for callgrind */
        parent(atoi(arguments[1]));
        return 0;
    }
    for (int i = 0; i < ROUNDS; i++) {
        struct timespec start, end;
        hcct_reset();
        clock_gettime(CLOCK_MONOTONIC, &start);
        parent(CALLS);
        clock_gettime(CLOCK_MONOTONIC, &end);
        long time = (end.tv_sec - start.tv_sec) * 1000000000 + end.tv_nsec - start.tv_nsec;
        if (time >= least)
            continue;
        least = time;
        hcct_dump();
    }
    printf("%f %d\n", (double)least / CALLS, CALLS);
    fflush(stdout);
    raise(SIGKILL); /* the end would write another one */
}
