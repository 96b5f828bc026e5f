// What the filter file names is not instrumented: HCCT_FILTER and --hcct-filter, by function and by source.
// RUN: split-file %s %t && cd %t
// RUN: env HCCT_FILTER=%t/filter %hcct-cc -O0 -I%inputs main.c other.c -o 0 && sh %inputs/exact.sh %hcct-decode %s %t/0
// RUN: %hcct-cc --hcct-filter=filter -O2 -I%inputs main.c other.c -o 2 && sh %inputs/exact.sh %hcct-decode %s %t/2
// A filter that cannot be read, or is no filter, is said, and nothing is instrumented in silence.
// RUN: not %hcct-cc -Werror --hcct-filter=missing -I%inputs -c other.c -o /dev/null 2>&1 | FileCheck --check-prefix=MISSING %s
// RUN: echo 'function:leaf' > bad
// RUN: env HCCT_FILTER=%t/bad %hcct-cc -I%inputs -c other.c -o /dev/null 2>&1 | FileCheck --check-prefix=BAD %s
// MISSING: missing
// BAD: warning: hcct: {{.*}}bad:1: neither fun:GLOB nor src:GLOB: 'function:leaf'
//--- filter
# a comment
fun:hidden_*

  src:*other.c
//--- main.c
#include "e2e.h"
void other(void);
NOINLINE void leaf(void) { work(); }
NOINLINE void hidden_function(void) { leaf(); other(); work(); }
NOINLINE void shown(void) { hidden_function(); leaf(); work(); }
int main(void) { shown(); other(); return 0; }
//--- other.c
#include "e2e.h"
void leaf(void);
static NOINLINE void inner(void) { leaf(); work(); }
NOINLINE void other(void) { inner(); work(); }
// CHECK: main 1
// CHECK-NEXT: main;[other];leaf 1
// CHECK-NEXT: main;shown 1
// CHECK-NEXT: main;shown;[hidden_function];leaf 2
// CHECK-NEXT: main;shown;leaf 1
