// metric=wall says when code was compiled without --hcct-time, also if only some was, and counts nothing then; an impossible frequency
// is refused, one that the system's tick does not allow is lowered; the restoring build counts calls as any other.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %hcct-cc -O1 -I%inputs %s -o without && HCCT_OPTIONS=metric=wall ./without 2>&1 | FileCheck --check-prefix=WITHOUT %s
// RUN: %hcct-cc -O1 -I%inputs -DPART -c %s -o part.o && %hcct-cc --hcct-time -O1 -I%inputs -DWHOLE %s part.o -o mixed
// RUN: HCCT_OPTIONS=metric=wall ./mixed 2>&1 | FileCheck --check-prefix=WITHOUT %s
// RUN: %hcct-decode 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %hcct-cc -flto -O1 -I%inputs -DPART -c %s -o part.o && %hcct-cc -flto --hcct-time -O1 -I%inputs -DWHOLE %s part.o -o mixed
// RUN: HCCT_OPTIONS=metric=wall ./mixed 2>&1 | FileCheck --check-prefix=WITHOUT %s
// RUN: HCCT_TIME=1 %hcct-cc -O1 -I%inputs %s -o with && HCCT_OPTIONS=metric=time:frequency=9999 ./with 2>&1 | FileCheck --check-prefix=TICK %s
// RUN: HCCT_OPTIONS=metric=time:frequency=0 ./with 2>&1 | FileCheck --check-prefix=BAD %s
// RUN: HCCT_OPTIONS=metric=time:verbosity=2 ./with 2>&1 | FileCheck --check-prefix=QUIET %s
// RUN: sh %inputs/exact.sh %hcct-decode %s ./with
// WITHOUT: hcct: metric=wall: {{.*}} has code that was compiled without --hcct-time: nothing is counted
// WITHOUT-NOT: hcct
// NONE: N = 0
// TICK: hcct: metric=time: this system's tick allows {{[0-9]+}} samples a second
// BAD: hcct: HCCT_OPTIONS: bad value '0' for frequency
// QUIET-NOT: {{tick|without}}
#include "parts.h"
// CHECK: main 1
// CHECK-NEXT: main;part 2
