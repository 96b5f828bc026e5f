// Every algorithm, the runtime's and those of hcct-lab: what is hot in a recursive program with far more contexts than counters is found, with the bounds that it
// promises, and the profile says which it was. The runtime's also by weights, and a profile from the middle of the run has what was hot until then.
// The words that are counted are hashes of the source's name, too, and so is what sticky sampling, whose generator is seeded, makes of them: the compiler gets
// the same name in every folder, so each run is the same there.
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s algorithms.c && %hcct-cc -O1 -I%hcct-source/include -I%inputs algorithms.c -o x
// RUN: for m in calls weight; do HCCT_OPTIONS=metric=$m:mode=cct:output=$m.bin ./x && mv middle.bin $m-middle.bin && \
// RUN:   HCCT_OPTIONS=metric=$m:memory=0:phi=0.01:epsilon=0.002:output=$m.space-saving.bin ./x && mv middle.bin $m-middle.space-saving.bin || exit 1; done
// RUN: HCCT_OPTIONS=trace=x.trace:output=traced.bin ./x && for a in space-saving space-saving-bucket space-saving-lazy lossy-counting sticky-sampling frequent-items; do \
// RUN:   %hcct-lab replay --algorithm=$a --phi=0.01 --epsilon=0.002 -o traced.$a.bin x.trace || exit 1; done
// RUN: ls *.*.bin | count 10 && for hot in *.*.bin; do part=${hot%%%%.*} && a=${hot#*.} && a=${a%%.bin} && \
// RUN:   %hcct-lab metrics --format=json $part.bin $hot > compared.json && %hcct-decode --format=json --all $hot > hot.json && \
// RUN:   %hcct-decode --format=json --all $part.bin > exact.json && python3 %inputs/algorithms.py $a compared.json hot.json exact.json || exit 1; done
// RUN: HCCT_OPTIONS=algorithm=lossy-counting:output=y.bin ./x 2>&1 | FileCheck --match-full-lines --check-prefix=GONE %s && %hcct-decode --format=json y.bin | grep '"algorithm": "space-saving"'
// GONE: hcct: HCCT_OPTIONS: there is no key 'algorithm' any more: record a trace (trace=FILE) for hcct-lab replay --algorithm=NAME
// GONE-NOT: {{.}}
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
