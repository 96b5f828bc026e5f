// Pushes in code that is seldom passed, above the frame of the tail call through a pointer that led there: it stays on the context
// stack, and what is called afterwards lies under it too.
// RUN: for flags in -O0 -O2 "-O2 -flto"; do %hcct-cc $flags -I%inputs %s -o %t && sh %inputs/exact.sh %hcct-decode %s %t || exit 1; done
// RUN: HCCT_OPTIONS=mode=cct:recursion=fold:output=%t.bin %t && %hcct-decode --format=folded --all %t.bin | \
// RUN:   FileCheck --match-full-lines --implicit-check-not='{{.}}' %s
#include "e2e.h"

static NOINLINE void leaf(int i)
{
    (void)i;
    work();
}

static void (*volatile to_leaf)(int) = leaf;

static void often(int i)
{
    work();
    to_leaf(i);
    work();
}

static void seldom(int i)
{
    work();
    to_leaf(i);
    work();
}

static void (*volatile to_often)(int) = often, (*volatile to_seldom)(int) = seldom;

static void target(int i)
{
    work();
    if (__builtin_expect(i % 4 == 3, 0)) {
        to_seldom(i);
        work();
        to_seldom(i);
    }
    to_often(i);
    work();
}

static void (*volatile to_target)(int) = target;

static NOINLINE void through(int i)
{
    work();
    to_target(i);
}

int main(void)
{
    for (int i = 0; i < 10; i++)
        through(i);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;through 10
// CHECK-NEXT: main;through;target 10
// CHECK-NEXT: main;through;target;often 10
// CHECK-NEXT: main;through;target;often;leaf 10
// CHECK-NEXT: main;through;target;seldom 4
// CHECK-NEXT: main;through;target;seldom;leaf 4
