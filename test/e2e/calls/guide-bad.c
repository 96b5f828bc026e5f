// A guide that cannot be used is one warning of the compiler, and changes nothing else: none, a folder,
// an empty file, other bytes, a truncated and a damaged profile, and one of weights. One of another program changes nothing that is counted.
// RUN: rm -rf %t && mkdir %t && cd %t && %hcct-cc -O1 -I%inputs %s -o x && HCCT_OPTIONS=mode=cct ./x > plain.out
// RUN: %hcct-cc -O1 -I%inputs -DOTHER %s -o other && HCCT_OPTIONS=output=other.bin ./other > other.out
// RUN: : > empty && cp %s text && head -c 700 ids.bin > short && cp ids.bin damaged && for byte in X Y; do ! cmp -s ids.bin damaged || printf $byte | dd of=damaged bs=1 seek=900 conv=notrunc status=none; done
// RUN: cd %t && HCCT_OPTIONS=metric=weight:output=weights ./x > x.out
// RUN: for guide in none /tmp empty text short damaged weights; do \
// RUN:   HCCT_GUIDE=$guide %hcct-cc -O1 -I%inputs %s -o y 2> y.err && grep -q "guide '$guide' (HCCT_GUIDE), it is left out" y.err && \
// RUN:   HCCT_OPTIONS=mode=cct ./y | cmp - plain.out || exit 1; done
// The option warns as its variable does.
// RUN: for guide in none none/here /tmp empty damaged; do \
// RUN:   rm -f y && %hcct-cc --hcct-guide=$guide -O1 -I%inputs %s -o y 2> y.err && grep -q "$guide' (HCCT_GUIDE), it is left out" y.err && \
// RUN:   HCCT_OPTIONS=mode=cct ./y | cmp - plain.out || exit 1; done
// RUN: %hcct-cc --hcct-guide=other.bin -O1 -I%inputs %s -o y 2>&1 | count 0
// RUN: cd %t && HCCT_OPTIONS=mode=cct ./y | cmp - plain.out
#include <stdio.h>

#include "e2e.h"

#ifdef OTHER
#define ONE other_one
#define TWO other_two
#define START() NOINLINE int start(void)
int start(void);
#else
#define ONE one
#define TWO two
#define START() int main(void)
#endif

int ONE(int n), TWO(int n);

NOINLINE int ONE(int n)
{
    int sum = n ? TWO(n - 1) : 0;
    work();
    return sum + 1;
}

NOINLINE int TWO(int n)
{
    int sum = n ? ONE(n - 1) : 0;
    work();
    return sum + 1;
}

START()
{
    printf("%d\n", ONE(5) + TWO(6));
    return 0;
}

#ifdef OTHER
int main(void)
{
    return start();
}
#endif
