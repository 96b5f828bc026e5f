// metric=heap with mode=hcct: a context that comes when the tables are full, and has most bytes, is shown by all values, after one call or many. The rest of the program allocates in 2^17
// contexts.
//
// RUN: %hcct-cc -O1 -g %s -o %t
// RUN: for options in heap heap:memory=0:epsilon=0.002:phi=0.004 heap:memory=0:epsilon=0.01:phi=0.01; do for blocks in 1 100; do \
// RUN:   env HCCT_OPTIONS=metric=$options:output=%t.bin %t $blocks && for value in allocated live peak; do \
// RUN:   %hcct-decode --value=$value --format=folded %t.bin | FileCheck --check-prefix=HOT %s || exit 1; done; \
// RUN:   %hcct-decode %t.bin | FileCheck --check-prefix=BEST %s || exit 1; done; done
// HOT: main;last;take;[malloc] {{1[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]$}}
// BEST: 9{{[0-9.]+}}%  1{{[0-9]+}}{{.*}}[malloc]
#include <stdlib.h>

#define FUNCTION __attribute__((noinline))
FUNCTION static void below(unsigned path, unsigned depth);

static inline void take(size_t bytes)
{
    void *volatile block = malloc(bytes);
    if (!block)
        abort();
}

FUNCTION static void left(unsigned path, unsigned depth)
{
    below(path, depth);
    __asm__ volatile("");
}

FUNCTION static void right(unsigned path, unsigned depth)
{
    below(path, depth);
    __asm__ volatile("");
}

FUNCTION static void below(unsigned path, unsigned depth)
{
    if (depth && path & 1)
        left(path >> 1, depth - 1);
    else if (depth)
        right(path >> 1, depth - 1);
    else
        take(16);
    __asm__ volatile("");
}

FUNCTION static void last(size_t bytes)
{
    take(bytes);
    __asm__ volatile("");
}

int main(int count, char **arguments)
{
    unsigned blocks = count > 1 ? (unsigned)atoi(arguments[1]) : 1;
    for (unsigned path = 0; path < 1 << 17; path++)
        below(path, 17);
    for (unsigned i = 0; i < blocks; i++)
        last(1000000000 / blocks);
    return 0;
}
