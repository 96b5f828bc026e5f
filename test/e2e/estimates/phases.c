// Phases of estimates: the bounds of sampled calls hold the truth for each phase and its contexts, although a phase begins and ends within a stride; and
// with budget=… all calls outside of bursts may be of any phase.
// RUN: %hcct-cc -O2 -I%inputs %s -o %t
// RUN: for kind in calls calls-per-function; do env HCCT_OPTIONS=mode=cct:sample=$kind:period=20:output=%t.bin %t && \
// RUN:   python3 %inputs/phase_estimates.py %hcct-decode %t.bin early:once:50 late:often:1010 || exit 1; done
// RUN: env HCCT_OPTIONS=mode=cct:sample=calls:period=20:output=%t.bin %t && %hcct-decode --phase=early %t.bin | FileCheck %s
// CHECK: estimates, from the run's {{[0-9]+}} samples, one in 20 calls:
// CHECK-NEXT: there were {{[0-9]+}} to {{[0-9]+}};
// Where each call is a sample, a phase is exact.
// RUN: env HCCT_OPTIONS=mode=cct:sample=calls:period=1:output=%t.bin %t && %hcct-decode --phase=early --format=json %t.bin | FileCheck %s --check-prefix=EACH --implicit-check-not='"estimate"'
// EACH: "guarantee": "exact"
// EACH: "calls": 50,
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
