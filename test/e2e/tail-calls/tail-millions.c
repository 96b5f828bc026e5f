// Chains of ten million musttail calls run in constant stack, out of a callback too, and are counted.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t
// RUN: ulimit -s 256; for mode in cct hcct; do HCCT_OPTIONS=mode=$mode:output=%t.bin %t > %t.said && \
// RUN:   %hcct-decode --format=json --all %t.bin -o %t.json && FileCheck --check-prefix=NOTHING %s < %t.json && \
// RUN:   sed -n 's/^"calls": \([0-9]*\),.*/\1/p' %t.json | diff %t.said - && test $(%hcct-decode --all %t.bin | wc -l) -lt 100 || exit 1; done
// NOTHING-DAG: "dropped": {{{[^1-9]*}}},
// NOTHING-DAG: "misplaced": {{{[^1-9]*}}},
#include <stdio.h>

#include "e2e.h"
#include "library.h"

enum { CALLS = 10000000 };
#define MUSTTAIL __attribute__((musttail))

typedef int link_type(int left, int sum);
static NOINLINE int ping(int left, int sum);
NOINLINE int pong(int left, int sum);
static NOINLINE int pang(int left, int sum);
static link_type *volatile pointers[] = {ping, pong, pang};

/* Numbered in one direction, a push in the other. */
static NOINLINE int ping(int left, int sum)
{
    work();
    if (left == 0)
        return sum;
    MUSTTAIL return pong(left - 1, sum ^ 1);
}

NOINLINE int pong(int left, int sum)
{
    work();
    if (left == 0)
        return sum;
    MUSTTAIL return ping(left - 1, sum ^ 2);
}

/* Through pointers. */
static NOINLINE int pang(int left, int sum)
{
    work();
    if (left == 0)
        return sum;
    MUSTTAIL return pointers[left % 1000000 ? 2 : left % 3](left - 1, sum ^ 4);
}

/* Each in turn, by one of several sites. */
static NOINLINE int third(int left, int sum);
static NOINLINE int second(int left, int sum)
{
    work();
    if (left <= 0)
        return sum;
    if (left % 7 == 0)
        MUSTTAIL return third(left - 1, sum + 1);
    MUSTTAIL return third(left - 2, sum + 1);
}

static NOINLINE int third(int left, int sum)
{
    work();
    if (left <= 0)
        return sum;
    if (left % 5 == 0)
        MUSTTAIL return second(left - 1, sum);
    MUSTTAIL return second(left - 3, sum);
}

static NOINLINE void chains(void)
{
    if (ping(CALLS, 0) != 0)
        __builtin_trap();
    work();
}

static NOINLINE void chains_of_pointers(void)
{
    pang(CALLS - 1, 0);
    work();
}

static NOINLINE void chains_of_sites(void)
{
    if (second(CALLS, 0) <= 0)
        __builtin_trap();
    work();
}

int main(void)
{
    chains();
    call(chains);
    chains_of_pointers();
    call(chains_of_pointers);
    chains_of_sites();
    call_both(chains_of_sites, chains_of_sites);
    printf("%d\n", worked + 1); /* each function works once, and there is main */
    return 0;
}
