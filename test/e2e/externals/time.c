// Time stays with the context that calls: leaves of --hcct-externals are counted as calls, and have no time, neither of samples nor of the clock.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: for how in -O1 "-O1 --hcct-clock" "-O1 -flto" "-O1 -flto --hcct-clock"; do %hcct-cc --hcct-externals=getppid $how -I%inputs %s -o x && \
// RUN:   sh %inputs/exact.sh %hcct-decode %s %t/x || exit 1; done
// RUN: %hcct-cc --hcct-externals --hcct-clock -O1 -I%inputs %s -o clock && HCCT_OPTIONS=metric=clock:mode=cct ./clock && %hcct-decode --all --format=folded | FileCheck --check-prefix=CLOCK %s
// RUN: %if cpu-timers %{ %hcct-cc --hcct-externals -O1 -I%inputs %s -o time && HCCT_OPTIONS=metric=time:mode=cct:frequency=250 ./time long && %hcct-decode --all --format=folded | FileCheck --check-prefix=TIME %s %}
// CHECK: main 1
// CHECK-NEXT: main;ask 1
// CHECK-NEXT: main;ask;getppid 1000
// CLOCK-NOT: getppid
// CLOCK: main;ask {{[1-9]}}
// CLOCK-NOT: getppid
// TIME-NOT: getppid
// TIME: main;ask;[{{.*}}] {{[1-9]}}
// TIME-NOT: getppid
#include "e2e.h"
#include <unistd.h>
static NOINLINE void ask(int times)
{
    for (int i = 0; i < times; i++)
        worked += getppid() > 0;
    work();
}
int main(int argc, char **argv)
{
    (void)argv;
    ask(argc > 1 ? 1000000 : 1000);
    return 0;
}
