// hcct_context_pin keeps 16384 contexts and no more, and those again; a number that is not kept is refused; a buffer that is
// too small gets the end of the path, one that is not there nothing; errno is kept; without the runtime nothing is told.
// RUN: %hcct-cc -O1 -I%hcct-source/include -I%inputs %s -o %t && HCCT_OPTIONS=mode=hcct:memory=0:phi=0.2:output=%t.bin %t > %t.out
// RUN: FileCheck --match-full-lines --implicit-check-not='{{.}}' %s < %t.out
// RUN: not %hcct-decode --context=0x123456789abcdef0 %t.bin 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not %hcct-decode --context=leaf %t.bin 2>&1 | FileCheck --check-prefix=WORD %s
// RUN: not %hcct-decode --context=1 %t.bin %t.bin 2>&1 | FileCheck --check-prefix=TWO %s
// RUN: %clang -DPLAIN -I%hcct-source/include -I%inputs %s -o %t.plain && %t.plain
#include <errno.h>
#include <hcct/hcct.h>
#include <stdio.h>
#include <string.h>

#include "e2e.h"

#ifdef PLAIN
int main(void)
{
    char text[4] = "abc";
    return hcct_context() || hcct_context_pin() || hcct_context_describe(text, 4) || text[0] ||
           hcct_context_describe(NULL, 0);
}
#else
static int pinned;

static NOINLINE void down(int n)
{
    pinned += hcct_context_pin();
    if (n > 1)
        down(n - 1);
    work();
}

static NOINLINE void cut(size_t size)
{
    char text[16];
    memset(text, '#', sizeof text);
    size_t length = hcct_context_describe(text, size);
    printf("%zu %.*s\n", length, (int)sizeof text, size ? text : "nothing");
    if (text[size] != '#')
        puts("too much");
}

int main(void)
{
    static const size_t sizes[] = { 9, 8, 7, 5, 4, 3, 1, 0 };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        cut(sizes[i]);
    down(20000);
    printf("%d pinned\n", pinned);
    pinned = 0;
    down(1);
    printf("%d pinned\n", pinned);
    errno = EDOM;
    hcct_context_pin();
    hcct_context_describe(NULL, 0);
    printf("%s\n", errno == EDOM ? "kept" : "lost");
    return 0;
}
#endif
// CHECK: 8 main;cut
// CHECK-NEXT: 8 ...;cut
// CHECK-NEXT: 8 ...cut
// CHECK-NEXT: 8 ...t
// CHECK-NEXT: 8 ...
// CHECK-NEXT: 8 ..
// CHECK-NEXT: 8{{ }}
// CHECK-NEXT: 8 nothing
// CHECK-NEXT: 16384 pinned
// CHECK-NEXT: 0 pinned
// CHECK-NEXT: kept
// NONE: 0x123456789abcdef0 is no context that this profile kept
// WORD: leaf: not a value of --context
// TWO: a number means something in one profile only
