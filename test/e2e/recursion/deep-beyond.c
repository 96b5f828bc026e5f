// Recursion deeper than the context stack, which is small where address space is short: a call beyond the limit takes about the time of one before it,
// the profile tells how many were beyond, and what comes after the recursion is exact.
// UNSUPPORTED: target-aarch64
// REQUIRES: turn-3
// RUN: %hcct-cc -O1 -fno-optimize-sibling-calls -I%inputs %s -o %t.x
// RUN: for mode in cct cct:recursion=fold hcct; do (ulimit -s 250000 && ulimit -v 400000 && HCCT_OPTIONS=mode=$mode:output=%t.bin %t.x) && %hcct-decode --format=json --all %t.bin | \
// RUN:   python3 %inputs/beyond.py $mode || exit 1; done
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "e2e.h"

enum { PIECE = 250000, DEPTH = 4 * PIECE }; /* every second call pushes; 12.8 MB of 400000 KB are for some 312,000 frames */

static clock_t began, before, after;

static NOINLINE int odd(int depth);

static NOINLINE int even(int depth)
{
    clock_t *when = depth == 0 ? &began : depth == PIECE ? &before : depth == DEPTH ? &after : NULL;
    if (when)
        *when = clock();
    int result = depth < DEPTH ? odd(depth + 1) : 0;
    work();
    return result + 1;
}

static NOINLINE int odd(int depth)
{
    static clock_t beyond;
    if (depth == DEPTH - PIECE + 1)
        beyond = clock();
    int result = depth < DEPTH ? even(depth + 1) : 0;
    work();
    if (depth == DEPTH - PIECE + 1)
        after -= beyond;
    return result + 1;
}

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE void later(int depth)
{
    if (depth)
        later(depth - 1);
    leaf();
    work();
}

int main(void)
{
    if (even(0) != DEPTH + 1)
        return 1;
    later(5);
    double first = (double)(before - began) / CLOCKS_PER_SEC, last = (double)after / CLOCKS_PER_SEC;
    printf("%.3f s, beyond the limit %.3f s\n", first, last);
    return last > 30 * first + 1;
}
