// metric=time: contexts get the shares of CPU time that they took by the thread's own clock, in one piece or interleaved, directly,
// in callbacks, in the C library and in threads; what a library does is a leaf of the context that called it, with the name of what was called.
// RUN: %hcct-cc -O2 -I%inputs %s -lpthread -o %t
// RUN: sh %inputs/pooled.sh %t.runs metric=time:mode=cct %t %hcct-decode && %hcct-decode --all %t.runs/1.bin | FileCheck %s
// CHECK: s of CPU time in {{[0-9]+}} contexts, by samples
// CHECK: total {{ *}}share {{ *}}secs {{ *}}context
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spend.h"

/* What was spent below a function, by the clock: printed as "path seconds". */
static double last_clock;

static void tell(const char *path)
{
    double now = cpu_now();
    printf("%s %.4f\n", path, now - last_clock);
    last_clock = cpu_now();
}

NOINLINE static void burn(double seconds)
{
    spend(seconds);
}

NOINLINE static void long_one(void)
{
    burn(1.2);
}

NOINLINE static void short_one(void)
{
    burn(0.4);
}

/* From 0 to 2. Lengths that are all the same would keep step with the kernel's tick, at which samples are taken. */
static inline __attribute__((always_inline)) double draw(void)
{
    static unsigned long state = 1;
    state = state * 6364136223846793005 + 1442695040888963407;
    return (double)(state >> 32) * 0x1p-31;
}

NOINLINE static void odd(void)
{
    spend(0.0003 * draw());
}

NOINLINE static void even(void)
{
    spend(0.0001 * draw());
}

static double odd_spent, even_spent;

NOINLINE static void turns(void)
{
    for (int i = 0; i < 3000; i++) {
        double start = cpu_now();
        odd();
        double middle = cpu_now();
        even();
        odd_spent += middle - start;
        even_spent += cpu_now() - middle;
    }
}

char block[1 << 16]; /* anybody may read it */

NOINLINE static void library(void)
{
    double end = cpu_now() + 0.6;
    while (cpu_now() < end)
        for (int i = 0; i < 100; i++) {
            memset(block, i, sizeof block);
            __asm__ volatile("" ::: "memory");
        }
}

static int compare(const void *a, const void *b)
{
    spend(0.1);
    return *(const int *)a - *(const int *)b;
}

NOINLINE static void callbacks(void)
{
    int numbers[] = { 2, 1, 3 };
    qsort(numbers, 3, sizeof numbers[0], compare);
}

static double run_spent;

static void *run(void *unused)
{
    double start = cpu_now();
    spend(0.5);
    run_spent = cpu_now() - start;
    return unused;
}

int main(void)
{
    pthread_t thread;
    last_clock = cpu_now();
    long_one();
    tell("main;long_one");
    short_one();
    tell("main;short_one");
    turns();
    printf("main;turns;odd %.4f\nmain;turns;even %.4f\n", odd_spent, even_spent);
    last_clock = cpu_now();
    library();
    tell("main;library;[memset]");
    callbacks();
    tell("main;callbacks;[qsort];compare");
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    printf("run %.4f\n", run_spent);
    return 0;
}
