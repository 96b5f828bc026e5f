// What a sample may count: the shape of figure 6 of Arnold and Sweeney (2000). a() calls b() 1,000 times, which calls c() 100 times each. By the last
// edge alone (edges=last), b and c come out as 1 to 100. By all edges to activations that are new since the last sample (edges=all-new), b is new in
// nearly each sample, so b and c come out alike, as the paper says; a and main are new in the first sample only.
// RUN: %hcct-cc -O2 %s -o %t
// RUN: env HCCT_OPTIONS=mode=cct:output=%t.exact %t && %hcct-decode --all --format=folded %t.exact > %t.exact.txt
// RUN: for period in 509 1559; do for edges in last all-new; do \
// RUN:   env HCCT_OPTIONS=mode=cct:sample=calls:period=$period:edges=$edges:output=%t.bin %t && %hcct-decode --all --format=folded %t.bin > %t.$edges.txt || exit 1; done; \
// RUN:   python3 %inputs/samples_edges.py $period %t.exact.txt %t.last.txt %t.all-new.txt || exit 1; done
// The profile of all new edges says that nothing in it is right, gives no bounds, and is added to its own kind only.
// RUN: %hcct-decode %t.bin | FileCheck %s --check-prefix=WRONG --implicit-check-not='confidence' --implicit-check-not=sound
// WRONG: estimates, from {{[0-9]+}} samples, one in 1559 calls, all new edges: neither counts nor N are right
// RUN: %hcct-decode --format=json %t.bin | FileCheck %s --check-prefix=NULL --implicit-check-not='_low": {{[0-9]}}' --implicit-check-not='"low": {{[0-9]}}'
// NULL: "kind": "all-new", "period": 1559, {{.*}}"calls_low": null, "calls_high": null
// NULL: "low": null, "high": null
// RUN: %hcct-decode --format=csv %t.bin | FileCheck %s --check-prefix=FACT
// FACT: guarantee: none: all new edges of calls (edges=all-new) are counted, which is wrong
// RUN: %hcct-merge -o %t.sum %t.bin %t.bin && %hcct-decode %t.sum | FileCheck %s --check-prefix=WRONG
// RUN: env HCCT_OPTIONS=sample=timer:edges=all-new:output=%t.timer %t && %hcct-decode --format=json %t.timer | FileCheck %s --check-prefix=TIMER
// TIMER: "kind": "timer-all-new"
// RUN: for other in exact timer; do for pair in "%t.bin %t.$other" "%t.$other %t.bin"; do \
// RUN:   %hcct-merge -o %t.sum $pair 2>&1; echo status $?; %hcct-decode $pair 2>&1; echo status $?; done; done | FileCheck %s --check-prefix=OTHER --implicit-check-not='status 0'
// OTHER-COUNT-2: exact: counts calls, and the first file all new edges of calls (edges=all-new)
// OTHER-COUNT-2: bin: counts all new edges of calls (edges=all-new), and the first file calls
// OTHER-COUNT-2: timer: counts all new edges of ticks (edges=all-new), and the first file all new edges of calls
// OTHER-COUNT-2: bin: counts all new edges of calls (edges=all-new), and the first file all new edges of ticks
// RUN: env HCCT_OPTIONS=sample=calls-per-function:edges=all-new:output=%t.bin %t 2>&1 | FileCheck %s
// CHECK: edges=all-new is for sample=calls and timer, and is left out
// In a folded cycle the depth of the path tells no activations apart: the last edge is counted then, and period=1 is exact.
// RUN: %hcct-cc -O1 -DCYCLE %s -o %t.cycle
// RUN: env HCCT_OPTIONS=mode=cct:recursion=fold:output=%t.exact %t.cycle && %hcct-decode --all --format=folded %t.exact > %t.exact.txt
// RUN: env HCCT_OPTIONS=mode=cct:recursion=fold:sample=calls:period=1:edges=all-new:output=%t.bin %t.cycle 2>&1 | FileCheck --check-prefix=FOLD %s
// RUN: %hcct-decode --all --format=folded %t.bin | diff %t.exact.txt -
// FOLD: edges=all-new needs recursion=keep, and is left out
#define NOINLINE __attribute__((noinline))

#ifdef CYCLE
NOINLINE static void b(int n);
static void (*volatile pointer)(int) = b;

NOINLINE static void leaf(void)
{
    __asm__ volatile("");
}

NOINLINE static void a(int n)
{
    pointer(n);
    __asm__ volatile("");
}

NOINLINE static void d(int n)
{
    a(n - 1);
    leaf();
    __asm__ volatile("");
}

NOINLINE static void c(int n)
{
    d(n);
    __asm__ volatile("");
}

NOINLINE static void b(int n)
{
    if (n)
        c(n);
    __asm__ volatile("");
}

int main(void)
{
    for (int i = 0; i < 1000; i++)
        a(10);
    return 0;
}
#else
NOINLINE static void c(void)
{
    __asm__ volatile("");
}

NOINLINE static void b(void)
{
    for (int i = 0; i < 100; i++)
        c();
}

NOINLINE static void a(void)
{
    for (int i = 0; i < 1000; i++)
        b();
}

/* By pointer, so that the path has a push in it, too. */
static void (*volatile pointer)(void) = a;

int main(void)
{
    pointer();
    return 0;
}
#endif
