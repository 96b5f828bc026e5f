// metric=cycles and other events: what the machine does not count, or the system forbids, is said, and nothing is counted; the program runs.
// REQUIRES: no-perf-counters
// UNSUPPORTED: target-aarch64
// RUN: %hcct-cc -O1 -I%inputs %s -o %t
// RUN: HCCT_OPTIONS=metric=cycles:output=%t.bin %t 2>&1 | FileCheck %s
// RUN: HCCT_OPTIONS=metric=bicycles:output=%t.bin %t 2>&1 | FileCheck --check-prefix=NAME %s
// Nor with ticks that are there for snapshots.
// RUN: HCCT_OPTIONS=metric=cycles:snapshot=10ms:output=%t.bin %t 2>&1 | FileCheck %s && %hcct-decode --format=json %t.bin | grep -x '"calls": 0,\?' && %hcct-decode %t.bin | FileCheck --check-prefix=NOTHING %s
// NOTHING: no cycles were counted (N = 0): there were fewer than one sample takes; or this machine does not count them
// CHECK: hcct: metric=cycles: {{(this machine has no counter for it|the system forbids it)}}{{.*}}: nothing is counted
// NAME: hcct: HCCT_OPTIONS: bad value 'bicycles' for metric, the default is used
#include <time.h>

int main(void)
{
    volatile int spun = 0;
    while (clock() < CLOCKS_PER_SEC / 2)
        spun++;
    return 0;
}
