// What a sample may count (Mytkowicz, Coughlin and Diwan, OOPSLA 2009): its own context, edges=last, tells how often functions are called. All
// edges that are new since the last sample tell something else: alternate() calls first() and second() in turns, which call leaf() 200 times each;
// where samples are further apart than that, second() is new in half of them.
// RUN: %hcct-cc -O2 %s -o %t
// RUN: env HCCT_OPTIONS=mode=cct:output=%t.exact %t && %hcct-decode --all --format=folded %t.exact > %t.exact.txt
// RUN: for kind in "calls:period=1009" "calls:period=59"; do for edges in last all-new; do \
// RUN:   env HCCT_OPTIONS=mode=cct:sample=$kind:edges=$edges:output=%t.bin %t && %hcct-decode --all --format=folded %t.bin > %t.$edges.txt || exit 1; done; \
// RUN:   python3 %inputs/samples_edges.py %t.exact.txt %t.last.txt %t.all-new.txt || exit 1; done
// RUN: env HCCT_OPTIONS=sample=calls-per-function:edges=all-new:output=%t.bin %t 2>&1 | FileCheck %s
// CHECK: edges=all-new is for sample=calls and timer, and is left out
#define NOINLINE __attribute__((noinline))

NOINLINE static void leaf(void)
{
    __asm__ volatile("");
}

NOINLINE static void first(void)
{
    for (int i = 0; i < 200; i++)
        leaf();
}

NOINLINE static void second(void)
{
    for (int i = 0; i < 200; i++)
        leaf();
}

NOINLINE static void alternate(void)
{
    for (int i = 0; i < 10000; i++) {
        first();
        second();
    }
}

/* By pointer, so that the path has a push in it, too. */
static void (*volatile pointer)(void) = alternate;

int main(void)
{
    pointer();
    return 0;
}
