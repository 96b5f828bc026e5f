// known=: a callback of instrumented code leaves tail calls alone whose callee is new: what that callee calls afterwards is in its context still.
// RUN: %hcct-cc -O2 -I%hcct-source/include -I%inputs %s -o %t
// RUN: HCCT_OPTIONS=mode=cct:output=%t.plain %t && HCCT_OPTIONS=mode=cct:known=none:output=%t.told %t told | FileCheck %s
// RUN: HCCT_OPTIONS=mode=cct:recursion=fold:output=%t.plain-fold %t && HCCT_OPTIONS=mode=cct:recursion=fold:known=none:output=%t.told-fold %t told
// RUN: for f in "" -fold; do %hcct-decode --all --format=folded %t.plain$f > %t.txt && %hcct-decode --all --format=folded %t.told$f | diff %t.txt - && \
// RUN:   %hcct-decode %t.told$f | grep 'sound: nothing dropped, nothing lost' || exit 1; done
// RUN: grep "^main;even;odd;even;odd;leaf 9$" %t.txt
// CHECK: told {{[4-9]|1[0-9]}}
#include <hcct/hcct.h>
#include <stdio.h>

#include "e2e.h"

typedef void function(int);
static NOINLINE void even(int n), odd(int n);
static function *volatile functions[] = { even, odd };
static int told;

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE void even(int n)
{
    leaf();
    if (n)
        functions[1](n - 1);
}

static NOINLINE void odd(int n)
{
    leaf();
    if (n)
        functions[0](n - 1);
}

static void tell(uint64_t context, void *argument)
{
    (void)context;
    (void)argument;
    told++;
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        hcct_on_new_context(tell, NULL);
    even(20);
    printf("told %d\n", told);
    return 0;
}
