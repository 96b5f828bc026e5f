// A guide, the profile of an earlier run, moves the push of a cycle to the call that is hardly ever made, against what the source says of
// frequencies: when a file is compiled, and when a whole program is linked. What is counted stays what it was.
// From the bounded profile too, in which what is cold may be missing.
// BEFORE: {{^ +}}1000 {{.*}} back or cut edge
// AFTER: {{^ +}}10 {{.*}} back or cut edge
// RUN: %hcct-cc -O1 -I%inputs %s -o %t.one && HCCT_OPTIONS=output=%t.one.hot.bin %t.one && HCCT_OPTIONS=mode=cct:output=%t.one.bin %t.one
// RUN: %hcct-cc --hcct-guide=%t.one.hot.bin -O1 -I%inputs %s -o %t.two 2>&1 | count 0
// RUN: HCCT_OPTIONS=mode=cct:output=%t.two.bin %t.two
// RUN: python3 %hcct-source/bench/pushes.py %t.one.bin | FileCheck --check-prefix=BEFORE %s
// RUN: python3 %hcct-source/bench/pushes.py %t.two.bin | FileCheck --check-prefix=AFTER %s
// RUN: %hcct-decode --format=json --all %t.one.bin -o %t.json && %hcct-decode --format=json --all %t.two.bin -o %t.guided.json
// RUN: python3 %inputs/same_contexts.py %t.json %t.guided.json

// And in the link of the whole program.
// RUN: %hcct-cc -flto -O1 -DPART=1 -I%inputs -c %s -o %t.1.o && %hcct-cc -flto -O1 -DPART=2 -I%inputs -c %s -o %t.2.o
// RUN: %hcct-cc -flto %t.1.o %t.2.o -o %t.lto && HCCT_OPTIONS=mode=cct:output=%t.lto.bin %t.lto
// RUN: HCCT_GUIDE=%t.lto.bin %hcct-cc -flto %t.1.o %t.2.o -o %t.lto && HCCT_OPTIONS=mode=cct:output=%t.lto2.bin %t.lto
// RUN: python3 %hcct-source/bench/pushes.py %t.lto.bin | FileCheck --check-prefix=BEFORE %s
// RUN: python3 %hcct-source/bench/pushes.py %t.lto2.bin | FileCheck --check-prefix=AFTER %s
// RUN: %hcct-decode --format=json --all %t.lto.bin -o %t.json && %hcct-decode --format=json --all %t.lto2.bin -o %t.guided.json
// RUN: python3 %inputs/same_contexts.py %t.json %t.guided.json
#include "e2e.h"

int one(int n), two(int n);

#if PART != 2
/* Taken for hot: calls once in a hundred times. */
NOINLINE int one(int n)
{
    int sum = 0;
    work();
    for (int i = 0; i < 100; i++)
        if (__builtin_expect(n % 100 == i, 1) && i == 1)
            sum += two(n - 1);
    work();
    return sum + 1;
}
#endif

#if PART != 1
/* Taken for colder than the other call, but not for so cold that it pushes whatever its number is; and always does. */
NOINLINE int two(int n)
{
    int sum = 0;
    work();
    if (__builtin_expect_with_probability(n > 0, 1, 0.05))
        for (int i = 0; i < 100; i++)
            sum += one(n - i);
    work();
    return sum + 1;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 10; i++)
        sum += two(1);
    return sum < 0;
}
#endif
