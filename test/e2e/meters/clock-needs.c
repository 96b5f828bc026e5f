// metric=clock says when nothing was compiled with --hcct-clock; one object that was is enough. The measuring build counts calls as any other;
// a file that cannot be read or understood is an error at compile time.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %hcct-cc -O1 -I%inputs %s -o without && HCCT_OPTIONS=metric=clock ./without 2>&1 | FileCheck --check-prefix=WITHOUT %s
// RUN: %hcct-decode 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %hcct-cc -O1 -I%inputs -DPART -c %s -o part.o && %hcct-cc --hcct-clock -O1 -I%inputs -DWHOLE %s part.o -o mixed
// RUN: HCCT_OPTIONS=metric=clock ./mixed 2>&1 | FileCheck --allow-empty --check-prefix=QUIET %s && %hcct-decode --all --format=folded | FileCheck --check-prefix=MIXED %s
// RUN: sh %inputs/exact.sh %hcct-decode %s ./mixed
// RUN: HCCT_CLOCK=1 %hcct-cc -O1 -I%inputs %s -o with && sh %inputs/exact.sh %hcct-decode %s ./with
// RUN: HCCT_OPTIONS=metric=clock:mode=cct ./with && %hcct-decode --all --format=json | grep '"metric"' -A1 | FileCheck --check-prefix=JSON %s
// RUN: not env HCCT_CLOCK=not_there %hcct-cc -O1 -I%inputs %s -o x 2>&1 | FileCheck --check-prefix=MISSING %s
// RUN: echo 'function:part' > bad && not %hcct-cc --hcct-clock=bad -O1 -I%inputs %s -o x 2>&1 | FileCheck --check-prefix=BAD %s
// RUN: not %hcct-cc --hcct-clock=not_there -c %s 2>&1 | FileCheck --check-prefix=WRAPPER %s
// RUN: not %hcct-cc --hcct-clock= -c %s
// WITHOUT: hcct: metric=clock: nothing here was compiled by hcct-cc --hcct-clock, which it needs: no time is measured
// WITHOUT-NOT: hcct
// NONE: N = 0
// QUIET-NOT: hcct
// MIXED: main {{[1-9]}}
// MIXED-NOT: part
// JSON: "metric": "clock",
// JSON-NEXT: "unit": "ns",
// MISSING: error: hcct: cannot read the filter file 'not_there' (HCCT_CLOCK): No such file or directory
// BAD: error: hcct: {{.*}}bad:1: a line is fun:GLOB, {{.*}} but this is 'function:part'
// WRAPPER: --hcct-clock=not_there: No such file or directory
#include "parts.h"
// CHECK: main 1
// CHECK-NEXT: main;part 2
