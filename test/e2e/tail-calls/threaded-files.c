// An interpreter whose loop of tail calls goes through two files and a pointer of another type than any of its functions: five million laps in a small
// stack. The way into the loop is shown once, and the loop folded.
// RUN: split-file %s %t && for o in 1 2; do %hcct-cc -O$o -I%inputs %t/fetch.c %t/steps.c -o %t/$o || exit 1; done && %hcct-cc -O2 -flto -I%inputs %t/fetch.c %t/steps.c -o %t/l
// RUN: for x in 1 2 l; do for m in hcct cct; do (ulimit -s 256; HCCT_OPTIONS=mode=$m:output=%t/bin %t/$x) && %hcct-decode --format=folded --all %t/bin | \
// RUN:   awk '{ n += $NF; if ($1 ~ /unknown/) exit 1 } END { print NR <= 12 ? n : NR " contexts" }' | FileCheck %s && %hcct-decode %t/bin | grep -q 'sound: nothing dropped' || exit 1; done; done
// CHECK: 10000003
//--- code.h
typedef struct code code;
struct code {
    long (*run)(code *, long);
    long operand;
};
long fetch(code *at);
long step(code *at, long operand), jump(code *at, long operand), stop(code *at, long operand);
//--- fetch.c
#include "code.h"
#include "e2e.h"

NOINLINE long fetch(code *at)
{
    return at->run(at, at->operand);
}

int main(void)
{
    code program[] = { { step, 1 }, { jump, 1 }, { stop, 0 } };
    return fetch(program) != 2500000;
}
//--- steps.c
#include "code.h"
#include "e2e.h"

static volatile long left = 2500000, sum;

long step(code *at, long operand)
{
    sum += operand;
    return fetch(at + 1);
}

long jump(code *at, long operand)
{
    left -= operand;
    return fetch(left > 0 ? at - 1 : at + 1);
}

long stop(code *at, long operand)
{
    (void)at;
    return sum + operand;
}
