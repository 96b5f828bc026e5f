// A program whose allocator gets its memory by mmap: the heading says that it is not counted, and names the option. A build with the option has the blocks, and no such line; nor has a program without an allocator, or with a small map.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && %hcct-cc -O1 -g %s -o pool && env HCCT_OPTIONS=metric=heap:mode=cct ./pool && %hcct-decode ids.bin | FileCheck %s
// CHECK: heap: 100 bytes allocated in 1 block,
// CHECK-NEXT: not counted: up to 4194304 bytes that the program mapped itself (mmap); if an allocator of its own gives them out: hcct-cc --hcct-allocator=REGEX (docs/heap.md)
// RUN: %hcct-decode --format=json ids.bin > /dev/null && %hcct-merge -o sum.bin ids.bin ids.bin && %hcct-decode sum.bin | grep 'not counted: up to 8388608 bytes'
// RUN: %hcct-cc -O1 -g '--hcct-allocator=^pool_alloc$' %s -o pool && env HCCT_OPTIONS=metric=heap:mode=cct ./pool && %hcct-decode ids.bin | FileCheck --check-prefix=TOLD %s
// TOLD: heap: 1000100 bytes allocated in 1001 blocks,
// TOLD-NOT: not counted
// RUN: for how in -Dpool_alloc=take -DBYTES=65536 -DUSUAL=64000000; do %hcct-cc -O1 -g $how %s -o other && env HCCT_OPTIONS=metric=heap:mode=cct ./other && %hcct-decode ids.bin | not grep "not counted" || exit 1; done
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>

#ifndef BYTES
#define BYTES (4 << 20)
#endif
#ifndef USUAL
#define USUAL 100
#endif
#define FUNCTION __attribute__((noinline))
static char *slab;
static size_t used;

FUNCTION static void *pool_alloc(size_t bytes)
{
    used = (used + bytes) % (BYTES - 1000);
    return slab + used;
}

int main(void)
{
    void *volatile usual = malloc(USUAL);
    void *gone = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(gone, BYTES);
    slab = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 1000; i++)
        *(char *)pool_alloc(1000) = 1;
    free(usual);
    return 0;
}
