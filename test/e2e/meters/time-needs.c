// An impossible frequency is refused, one that the system's tick does not allow is lowered, and otherwise samples say nothing.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %hcct-cc -O1 -I%inputs %s -o x && HCCT_OPTIONS=metric=time:frequency=9999 ./x 2>&1 | FileCheck --check-prefix=TICK %s
// RUN: HCCT_OPTIONS=metric=time:frequency=0 ./x 2>&1 | FileCheck --check-prefix=BAD %s
// RUN: HCCT_OPTIONS=metric=time:verbosity=2 ./x 2>&1 | FileCheck --check-prefix=QUIET %s
// TICK: hcct: metric=time: this system's tick allows {{[0-9]+}} samples a second
// BAD: hcct: HCCT_OPTIONS: bad value '0' for frequency
// QUIET-NOT: {{tick|without}}
#include "parts.h"
