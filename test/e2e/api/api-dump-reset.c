// hcct_dump writes the profile so far, and the exit the whole run again; hcct_reset begins from zero; both keep errno.
// RUN: %hcct-cc -O2 -I%hcct-source/include -I%inputs %s -o %t.2
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: HCCT_OPTIONS=mode=cct:output=out.bin %t.2
// RUN: %hcct-decode --format=folded --all first.bin | FileCheck --implicit-check-not='{{.}}' --match-full-lines --check-prefix=FIRST %s
// RUN: %hcct-decode --format=folded --all second.bin | FileCheck --implicit-check-not='{{.}}' --match-full-lines --check-prefix=SECOND %s
// RUN: %hcct-decode --format=folded --all out.bin | FileCheck --implicit-check-not='{{.}}' --match-full-lines --check-prefix=LAST %s
// RUN: rm *.bin && HCCT_OPTIONS=output=out.bin %t.2
// RUN: %hcct-decode --format=folded --all first.bin | FileCheck --implicit-check-not='{{.}}' --match-full-lines --check-prefix=FIRST %s
// RUN: %hcct-decode --format=folded --all second.bin | FileCheck --implicit-check-not='{{.}}' --match-full-lines --check-prefix=SECOND %s
// RUN: %hcct-decode --format=folded --all out.bin | FileCheck --implicit-check-not='{{.}}' --match-full-lines --check-prefix=LAST %s
// Without instrumentation, and without the runtime, the calls do nothing.
// RUN: %clang -DPLAIN -I%hcct-source/include -I%inputs %s -o %t.plain && %t.plain
#include <errno.h>
#include <hcct/hcct.h>
#include <stdio.h>
#include <stdlib.h>

#include "e2e.h"

NOINLINE void leaf(void)
{
    work();
}

void (*volatile pointer)(void) = leaf;

#ifndef PLAIN
NOINLINE void save(const char *name)
{
    errno = EDOM;
    if (!hcct_dump() || errno != EDOM || rename("out.bin", name))
        abort();
}

NOINLINE void middle(void)
{
    save("first.bin");
    errno = EDOM;
    hcct_reset();
    if (errno != EDOM)
        abort();
    leaf();
    pointer();
    work();
}

int main(void)
{
    pointer();
    middle();
    save("second.bin");
    pointer();
    return 0;
}
#else
int main(void)
{
    hcct_reset();
    hcct_stop();
    hcct_start();
    return hcct_dump();
}
#endif
// FIRST: main 1
// FIRST-NEXT: main;leaf 1
// FIRST-NEXT: main;middle 1
// FIRST-NEXT: main;middle;save 1
// SECOND: main;middle;leaf 2
// SECOND-NEXT: main;save 1
// LAST: main;leaf 1
// LAST-NEXT: main;middle;leaf 2
// LAST-NEXT: main;save 1
