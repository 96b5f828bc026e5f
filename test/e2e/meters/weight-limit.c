// metric=weight: a sum that passes 2^64 - 1 stays there, and the profile says so; no count is less than what was given.
// RUN: %hcct-cc -O2 -I%inputs -I%hcct-source/include %s -o %t.x
// RUN: for mode in cct hcct; do HCCT_OPTIONS=mode=$mode:metric=weight:output=%t.bin %t.x && %hcct-decode --all %t.bin > %t.out && \
// RUN:   FileCheck %s < %t.out && %hcct-decode --format=folded --all %t.bin | FileCheck --check-prefix=FOLDED %s || exit 1; done
// RUN: HCCT_OPTIONS=mode=cct:metric=weight:output=%t.bin %t.x less && %hcct-decode --all %t.bin | FileCheck --check-prefix=LESS %s
// RUN: HCCT_OPTIONS=mode=cct:metric=weight:output=%t.bin %t.x phases && %hcct-decode --all --phase=late %t.bin | FileCheck --check-prefix=LATE %s
// CHECK: 18446744073709551615 weight in 2
// CHECK-NOT: {{every count exact|too high}}
// CHECK: not exact: the run's sum has reached 2^64 - 1, and what came after that is missing
// FOLDED-DAG: main;first 18446744073709551600
// FOLDED-DAG: main;second 15
// Other formats say so, too, and so does a sum of profiles; the largest value that pprof has is 2^63 - 1.
// RUN: cp %t.bin %t.whole && HCCT_OPTIONS=mode=cct:metric=weight:output=%t.bin %t.x less && %hcct-merge -o %t.sum %t.bin %t.bin && for file in %t.whole %t.sum; do %hcct-decode --format=json $file | FileCheck --check-prefix=JSON %s && \
// RUN:   %hcct-decode --format=csv $file | FileCheck --check-prefix=CSV %s && for view in tree flat; do %hcct-prefix/bin/hcct-compare --view=$view $file %t.bin | FileCheck --check-prefix=DIFF %s && %hcct-prefix/bin/hcct-compare --view=$view %t.bin $file | FileCheck --check-prefix=DIFF %s || exit 1; done && \
// RUN:   %hcct-prefix/bin/hcct-compare --format=json $file %t.bin | FileCheck --check-prefix=DIFF-JSON %s || exit 1; done
// RUN: %hcct-decode --format=json %t.bin | grep '"guarantee": "exact"' && %hcct-decode --format=json %t.bin | not grep saturated && %hcct-prefix/bin/hcct-compare --format=json %t.bin %t.bin | not grep saturated
// RUN: %if go-pprof %{ python3 -c 'import gzip, subprocess, sys; assert b"saturated: the largest value that pprof has is 2^63 - 1" in gzip.decompress(subprocess.run([sys.argv[1], "--format=pprof", sys.argv[2]], stdout=subprocess.PIPE, check=True).stdout)' %hcct-decode %t.bin %}
// JSON: "guarantee": "none"
// JSON-NEXT: "saturated": true
// CSV: guarantee: none: the run's sum has reached 2^64 - 1, and what came after that is missing
// DIFF-NOT: {{^[*]}}
// DIFF: none is marked: the run's sum has reached 2^64 - 1, and what came after that is missing
// DIFF-NOT: {{^[*]}}
// DIFF-JSON: "saturated": true
// DIFF-JSON: "beyond": 0
// LESS: 18446744073709551612 weight in 2 contexts, every count exact
// LESS: sound: nothing dropped, nothing lost
// A phase of such a run may miss something, too.
// LATE-NOT: every count exact
// LATE: not exact: the run's sum has reached 2^64 - 1
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "e2e.h"
#include "hcct/hcct.h"

static NOINLINE void first(void)
{
    hcct_count(UINT64_MAX / 2);
    hcct_count(UINT64_MAX / 2 - 14);
    work();
}

static NOINLINE void second(int count)
{
    for (int i = 0; i < count; i++)
        hcct_count(3);
    work();
}

int main(int count, char **arguments)
{
    bool has_phases = count > 1 && !strcmp(arguments[1], "phases");
    first();
    if (has_phases)
        hcct_phase("late");
    second(count > 1 && !has_phases ? 4 : 9);
    return 0;
}
