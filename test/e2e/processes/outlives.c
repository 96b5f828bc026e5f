// hcct-run says that a process of the program still runs when the program has ended, and the folder stays, in which that process leaves its profile.
// RUN: rm -rf %t.go %t.d && mkdir %t.d && %hcct-cc -O1 -g %s -o %t && env TMPDIR=%t.d %hcct-run %t %t.go > %t.out 2> %t.err && FileCheck %s < %t.err && FileCheck --check-prefix=SHOWN %s < %t.out
// RUN: touch %t.go && for i in $(seq 600); do ls %t.d/hcct-run.*/*.bin | wc -l | grep -qx 2 && break; sleep 0.1; done; \
// RUN:   %hcct-decode --all --format=folded %t.d/hcct-run.*/*.bin | grep -x 'main;called 1001'
// With --keep nothing else is said, whatever the folder's name. Where no process is left that is instrumented, the folder goes.
// RUN: rm -rf %t.go %t.k%%ept && %hcct-run --keep=%t.k%%ept %t %t.go 2> %t.err > /dev/null && touch %t.go && FileCheck %s < %t.err && rm -rf %t.e && mkdir %t.e && env TMPDIR=%t.e %hcct-run sh -c "sleep 30 > /dev/null 2>&1 & exec %t" > /dev/null 2> %t.err && not grep "still run" %t.err && rmdir %t.e
// A process that sets its title may have written over its environment.
// RUN: rm -rf %t.go %t.r && mkdir %t.r && env TMPDIR=%t.r %hcct-run %t %t.go erased 2> %t.err > /dev/null; touch %t.go && FileCheck %s < %t.err
// CHECK: hcct-run: 1 process still runs, and what it counts is not shown; profiles that come later are in {{/.+}}
// SHOWN: 2 calls in 2
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static void erase(void)
{
    for (char **at = environ; *at; at++)
        memset(*at, 0, strlen(*at));
}

__attribute__((noinline)) static int called(int n)
{
    return n * 2;
}

int main(int count, char **arguments)
{
    volatile int x = called(count);
    if (count > 1 && fork() == 0) {
        if (count > 2)
            erase();
        for (int tries = 0; tries < 6000 && access(arguments[1], F_OK) != 0; tries++)
            usleep(10000);
        for (int i = 0; i < 1000; i++)
            x = called(x & 7);
        exit(0);
    }
    return 0;
}
