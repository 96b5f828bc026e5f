// hcct_heap_allocate() and hcct_heap_free(): blocks of a pool are blocks of the functions that give them out, in all threads and builds; with another metric nothing happens.
//
// RUN: for how in "-O0" "-O2" "-O2 -flto"; do %hcct-cc $how -g -I%hcct-source/include %s -o %t && env HCCT_OPTIONS=metric=heap:mode=cct:output=%t.bin %t && \
// RUN:   %hcct-decode --value=blocks --all --format=folded %t.bin | FileCheck --check-prefix=BLOCKS --match-full-lines %s && \
// RUN:   %hcct-decode --value=live --all --format=folded %t.bin | FileCheck --check-prefix=LIVE --match-full-lines %s && \
// RUN:   %hcct-decode --value=peak --all --format=folded %t.bin | FileCheck --check-prefix=PEAK --match-full-lines %s && \
// RUN:   env HCCT_OPTIONS=mode=cct:output=%t.calls.bin %t && %hcct-decode --all --format=folded %t.calls.bin | FileCheck --check-prefix=CALLS --match-full-lines %s || exit 1; done
// BLOCKS-DAG: main;one;take 30
// BLOCKS-DAG: main;two;one;take 20
// BLOCKS-DAG: main;[malloc] 1
// LIVE-DAG: main;two;one;take 200
// LIVE-DAG: main;[malloc] 100000
// LIVE-NOT: main;one;take {{.*}}
// PEAK-DAG: main;one;take 300
// PEAK-DAG: main;two;one;take 200
// CALLS-DAG: main;one;take 30
// CALLS-DAG: main;two;one;take 20
#include <hcct/hcct.h>
#include <stdlib.h>

#define FUNCTION __attribute__((noinline, optnone))
static char *slab;
static unsigned next; // the first block is at the slab's own address

FUNCTION static void *take(void)
{
    void *block = slab + 16 * next++;
    hcct_heap_allocate(block, 10);
    return block;
}

FUNCTION static void one(void **blocks, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        blocks[i] = take();
}

FUNCTION static void two(void **blocks)
{
    one(blocks, 20);
}

int main(void)
{
    void *blocks[50];
    slab = malloc(100000);
    one(blocks, 30);
    two(blocks + 30);
    for (int i = 0; i < 30; i++)
        hcct_heap_free(blocks[i]);
    hcct_heap_free(slab + 8); /* not known */
}
