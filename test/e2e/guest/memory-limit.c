// mode=cct where memory is short: the program does not notice, and the profile is left all the same; it tells exactly how many calls
// it lacks. Also into a pipe, which is laid out in memory, or not left, and said.
// REQUIRES: turn-7
// RUN: %hcct-cc -O0 -I%inputs %s -o %t
// RUN: for kilobytes in 200000 230000; do rm -f %t.bin; (ulimit -v $kilobytes; HCCT_OPTIONS=mode=cct:output=%t.bin %t) | grep -cx 317811 && \
// RUN:   %hcct-decode --format=json --all %t.bin | python3 %inputs/lacks.py 1028458 || exit 1; done | FileCheck %s
// CHECK-COUNT-2: {{[1-9][0-9]*}} of 1028458 calls are not there
// RUN: (ulimit -v 120000; HCCT_OPTIONS=mode=cct:output=/dev/full %t 2>&1) | FileCheck --check-prefix=FULL %s
// FULL: 317811
// FULL-NEXT: hcct: cannot write the profile to '/dev/full': {{out of memory|no space left}}
// Where there is no memory for the counters themselves, that is said.
// RUN: (ulimit -v 60000; HCCT_OPTIONS=phi=1e-5:epsilon=1e-6:output=%t.none.bin %t) 2>&1 | FileCheck --check-prefix=NONE %s
// NONE-DAG: 317811
// NONE-DAG: hcct: out of memory: nothing is counted
// The same where there never was any for the exact table.
// RUN: for options in mode=cct mode=cct:threads=split mode=hcct; do HCCT_OPTIONS=$options:output=%t.never.bin %t never | grep -cx 6765 || exit 1; done
#include <stdio.h>
#include <sys/resource.h>

#include "e2e.h"

static NOINLINE int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

/* 2 fib(29) - 1 calls of fib, each a context of its own. */
int main(int argc, char **argv)
{
    if (argc > 1)
        setrlimit(RLIMIT_DATA, &(struct rlimit){ 0 });
    printf("%d\n", fib(argc > 1 ? 20 : 28));
    fflush(stdout);
    return 0;
}
