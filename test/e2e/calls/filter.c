// What the filter file names is not instrumented: HCCT_FILTER and --hcct-filter, by function and by source.
// RUN: split-file %s %t && cd %t
// RUN: env HCCT_FILTER=%t/filter %hcct-cc -O0 -I%inputs main.c other.c -o 0 && sh %inputs/exact.sh %hcct-decode %s %t/0
// RUN: %hcct-cc --hcct-filter=filter -O2 -I%inputs main.c other.c -o 2 && sh %inputs/exact.sh %hcct-decode %s %t/2
// A filter that cannot be read, or is no filter, is an error, which tells the line and what is expected.
// RUN: not %hcct-cc -Werror --hcct-filter=missing -I%inputs -c other.c -o /dev/null 2>&1 | FileCheck --check-prefix=MISSING %s
// RUN: not env HCCT_FILTER=%t/missing %hcct-cc -I%inputs -c other.c -o missing.o 2>&1 | FileCheck --check-prefix=UNREADABLE %s
// RUN: (echo 'fun:main'; echo; echo ' function:leaf') > bad && (echo '# none'; echo 'src:') > empty
// RUN: not env HCCT_FILTER=%t/bad %hcct-cc -I%inputs -c other.c -o bad.o 2>&1 | FileCheck --check-prefix=BAD %s
// RUN: not %hcct-cc --hcct-filter=empty -I%inputs -c other.c -o bad.o 2>&1 | FileCheck --check-prefix=EMPTY %s
// RUN: not %hcct-cc --hcct-clock=bad -I%inputs -c other.c -o bad.o 2>&1 | FileCheck --check-prefix=BAD %s
// RUN: test ! -e bad.o && test ! -e missing.o
// MISSING: missing
// UNREADABLE: error: hcct: cannot read the filter file '{{.*}}missing' (HCCT_FILTER): No such file or directory
// BAD: error: hcct: {{.*}}bad:3: a line is fun:GLOB, src:GLOB or a comment that begins with #, but this is 'function:leaf'
// EMPTY: error: hcct: {{.*}}empty:2: a line is fun:GLOB, src:GLOB or a comment that begins with #, but this is 'src:'
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
