// metric=clock: what the profiler itself takes is no context's. A function of a few nanoseconds that is called many times, and the one that calls
// it, have next to none; what a call takes in all is several times that. One that takes longer has what it takes where it is not measured, or less, but by no
// more than an entry and an exit take: so much is taken off, whether the processor did it beside the function's own work or not.
// REQUIRES: turn-3
// RUN: %hcct-cc --hcct-clock -O2 -I%hcct-source/include %s -o %t && python3 %inputs/clock_cost.py %hcct-decode %t %t.folder
// RUN: HCCT_OPTIONS=metric=clock:verbosity=2:output=%t.bin %t 1 2>&1 | FileCheck %s
// CHECK: metric=clock: the entry and exit of a function take {{[1-9][0-9]*}} ns here, which are taken off each call
// Instructions of a call, for docs/metrics.md: measured, with nothing measured, and with calls counted in a build that can measure, and in one that cannot.
// RUN: %hcct-cc --hcct-clock -O2 -I%hcct-source/include %s -o %t.counts && %hcct-cc -O2 -I%hcct-source/include %s -o %t.plain
// RUN: sh %inputs/instructions.sh metric=clock %t.counts 200 && sh %inputs/instructions.sh metric=weight %t.counts 60
// RUN: sh %inputs/instructions.sh metric=calls:mode=cct %t.counts 70 && sh %inputs/instructions.sh metric=calls:mode=cct %t.plain 30
#include <hcct/hcct.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CALLS = 10000, ROUNDS = 300 };

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

/* The quickest round, which nothing has interrupted: the machine may be busy. Its profile gets a name of its own. */
struct quickest {
    void (*calls)(void);
    const char *profile;
    long time;
};

__attribute__((noinline)) static void play_round(struct quickest *quickest)
{
    hcct_reset();
    long start = time_now();
    quickest->calls();
    long time = time_now() - start;
    if (quickest->time && time >= quickest->time)
        return;
    quickest->time = time;
    if (hcct_dump())
        rename("clock.bin", quickest->profile);
}

int main(int count, char **arguments)
{
    if (count > 1) { /* for callgrind */
        for (int i = 0; i < atoi(arguments[1]); i += CALLS)
            parent();
        return 0;
    }
    struct quickest kinds[] = { { parent, "leaf.bin", 0 }, { parent_of_longer, "longer.bin", 0 }, { parent_of_none, "none.bin", 0 } };
    for (int i = 0; i < 3 * ROUNDS; i++) /* in turns: the machine may go at one speed now and at another then */
        play_round(&kinds[i % 3]);
    printf("%d %f %f %f\n", CALLS, (double)kinds[0].time / CALLS, (double)kinds[1].time / CALLS, (double)kinds[2].time / CALLS);
    return 0;
}
