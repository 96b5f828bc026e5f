// Phases of estimates: with budget=… all calls outside of bursts may be of any phase, and the bounds of a phase and its contexts hold the truth.
// RUN: %hcct-cc -O2 -I%inputs %s -o %t
// RUN: env HCCT_OPTIONS=mode=cct:budget=10%%:output=%t.bin %t 2000000 && python3 %inputs/phase_estimates.py %hcct-decode %t.bin
#include "misses.h"

#include <hcct/hcct.h>
#include <stdlib.h>

__attribute__((noinline)) static void once(void)
{
    __asm__ volatile("");
}

__attribute__((noinline)) static void often(void)
{
    __asm__ volatile("");
}

int main(int count, char **arguments)
{
    unsigned rounds = count > 1 ? (unsigned)atoi(arguments[1]) : 0;
    hcct_phase("early");
    for (int i = 0; !rounds && i < 50; i++)
        once();
    miss(rounds / 10);
    hcct_phase("late");
    for (int i = 0; !rounds && i < 1010; i++)
        often();
    miss(rounds);
    return 0;
}
