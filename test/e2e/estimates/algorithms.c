// Every algorithm: what is hot in a recursive program with far more contexts than counters is found, with the bounds that it
// promises, by calls and by weights, and the profile says which it was; a profile from the middle of the run has what was hot until then.
// The words that are counted are hashes of the source's name, too, and so is what sticky sampling, whose generator is seeded, makes of them: the compiler gets
// the same name in every folder, so each run is the same there.
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s algorithms.c && %hcct-cc -O1 -I%hcct-source/include -I%inputs algorithms.c -o x
// RUN: for m in calls weight; do HCCT_OPTIONS=metric=$m:mode=cct:output=exact.bin ./x && mv middle.bin exact-middle.bin && \
// RUN: for a in space-saving space-saving-bucket space-saving-lazy lossy-counting sticky-sampling frequent-items; do \
// RUN:   HCCT_OPTIONS=metric=$m:phi=0.01:epsilon=0.002:algorithm=$a:output=exact.$a.bin ./x && mv middle.bin exact-middle.$a.bin || exit 1; \
// RUN:   for part in exact exact-middle; do \
// RUN:     %hcct-lab metrics --format=json $part.bin $part.$a.bin > $part.$a.json && \
// RUN:     %hcct-decode --format=json --all $part.$a.bin > $a.$part.json && %hcct-decode --format=json --all $part.bin > $part.json && \
// RUN:     python3 %inputs/algorithms.py $a $part.$a.json $a.$part.json $part.json || exit 1; \
// RUN:   done; done; done
// RUN: HCCT_OPTIONS=algorithm=quantum:output=y.bin ./x 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: bad value 'quantum' for algorithm, the default is used
#include <hcct/hcct.h>
#include <stdio.h>
#include <stdlib.h>

#include "e2e.h"

static volatile unsigned state = 1;

static NOINLINE void hot_leaf(void)
{
    work();
}

static NOINLINE void left(int depth);

/* 2^depth contexts, each seldom; the leaves of one branch are hot. */
static NOINLINE void right(int depth)
{
    hcct_count((unsigned)(depth * depth) % 50 + 1);
    if (!depth)
        return;
    state = state * 1103515245u + 12345u;
    if (state >> 16 & 1)
        left(depth - 1);
    else
        right(depth - 1);
    work();
}

static NOINLINE void left(int depth)
{
    if (depth > 12)
        hot_leaf();
    right(depth - (depth > 0));
    work();
}

static NOINLINE void rounds(int count)
{
    for (int i = 0; i < count; i++) {
        left(16);
        hot_leaf();
    }
}

int main(void)
{
    rounds(30000);
    if (!hcct_dump())
        abort();
    const char *options = getenv("HCCT_OPTIONS");
    char name[64] = "y.bin";
    for (const char *at = options; at && *at; at++)
        if (sscanf(at, "output=%63s", name) == 1)
            break;
    rename(name, "middle.bin");
    rounds(20000);
    return 0;
}
