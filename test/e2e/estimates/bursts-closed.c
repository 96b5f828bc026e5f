// budget=3%: a program that closes the descriptor of the profiler's counter has bursts all the same, and its files are its own.
// REQUIRES: turn-4
// RUN: %hcct-cc -O2 %s -o %t
// RUN: env HCCT_OPTIONS=mode=cct:output=%t.exact %t && %hcct-decode --all --format=json %t.exact -o %t.exact.json
// RUN: env HCCT_OPTIONS=mode=cct:budget=3%%:output=%t.bin %t
// RUN: %hcct-decode --all --format=json %t.bin -o %t.json && python3 %inputs/budget.py %t.exact.json %t.json
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { STEPS = 160000000 };

/* What takes longer than to count a call. */
static inline void work(void)
{
    for (int i = 0; i < 60; i++)
        __asm__ volatile("nop");
}

__attribute__((noinline)) static void before(void)
{
    work();
}

__attribute__((noinline)) static void after(void)
{
    work();
}

int main(void)
{
    for (int i = 0; i < STEPS; i++)
        before();
    closefrom(3);
    int low = open("/dev/null", O_RDONLY), high = fcntl(low, F_DUPFD, 1000);
    for (int i = 0; i < 2 * STEPS; i++)
        after();
    if (low != 3 || fcntl(high, F_GETFD) != 0 || fcntl(low, F_GETFD) != 0) {
        puts("a file is gone");
        return 1;
    }
    return 0;
}
