// A profile of 8 contexts or more is packed: it has less than half of its bytes, and decodes as one that is not, which another
// program made of it by docs/format.md. A smaller one is not packed.
// RUN: %hcct-cc -O1 -gline-tables-only %s -o %t && HCCT_OPTIONS=mode=cct:output=%t.bin %t 12
// RUN: python3 %S/../../hostile/Inputs/packed.py sizes %t.bin > %t.sizes
// RUN: awk '{ exit !($1 * 2 < $2) }' %t.sizes
// RUN: python3 %S/../../hostile/Inputs/packed.py unpack %t.bin %t.plain
// RUN: %hcct-decode --all --format=json %t.bin > %t.json && %hcct-decode --all --format=json %t.plain | cmp - %t.json
// RUN: %hcct-decode --all --format=folded %t.bin | FileCheck %s
// CHECK: main;odd;even;odd;leaf 4{{$}}
// RUN: python3 %S/../../hostile/Inputs/packed.py pack %t.plain %t.again && cmp %t.bin %t.again
//
// The same with bounded counting, whose prefixes come in another order.
// RUN: HCCT_OPTIONS=output=%t.hot %t 12 && python3 %S/../../hostile/Inputs/packed.py unpack %t.hot %t.plain
// RUN: %hcct-decode --all --format=json %t.hot > %t.json && %hcct-decode --all --format=json %t.plain | cmp - %t.json
//
// A packed profile tells the contexts that are known, guides a compiler, and is added to others.
// RUN: env HCCT_OPTIONS=mode=cct:output=%t.new:known=%t.bin %t 12 && %hcct-decode --new %t.new | FileCheck %s --check-prefix=KNOWN
// KNOWN: 0 new contexts, beside 1130 that were known
// RUN: %hcct-cc --hcct-guide=%t.bin -O1 -c %s -o %t.o 2>&1 | count 0
// RUN: %hcct-merge -o %t.sum %t.bin %t.plain && %hcct-decode --all --format=folded %t.sum | FileCheck %s --check-prefix=SUM
// SUM: main;odd;even;odd;leaf 8{{$}}
//
// RUN: HCCT_OPTIONS=mode=cct:output=%t.small %t 0 && python3 %S/../../hostile/Inputs/packed.py sizes %t.small | awk '{ exit $1 != $2 }'
#include <stdlib.h>

static volatile int sink;

__attribute__((noinline)) static int leaf(int n)
{
    return sink += n;
}

static int odd(int n);

__attribute__((noinline)) static int even(int n)
{
    return n > 0 ? odd(n - 1) + odd(n - 2) + leaf(n) : 0;
}

__attribute__((noinline)) static int odd(int n)
{
    return n > 0 ? even(n - 1) - even(n - 2) + leaf(n) : 1;
}

int main(int argc, char **argv)
{
    return odd(argc > 1 ? atoi(argv[1]) : 0) == -1;
}
