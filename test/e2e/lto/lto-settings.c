// Settings of the compile step hold for its objects, in whatever link: the filter, by function and source, and
// before inlining; noprofile too.
// RUN: split-file %s %t && cd %t && for mode in -flto -flto=thin; do \
// RUN:   %hcct-cc --hcct-before-inlining --hcct-filter=filter -O2 $mode -I%inputs main.c other.c -o x && sh %inputs/exact.sh %hcct-decode %s %t/x && \
// RUN:   for file in main other; do %hcct-cc --hcct-before-inlining --hcct-filter=filter -O2 $mode -I%inputs -c $file.c || exit 1; done && \
// RUN:   %hcct-cc -O2 $mode main.o other.o -o x && sh %inputs/exact.sh %hcct-decode %s %t/x && \
// RUN:   echo 'fun:*' > all && %hcct-cc --hcct-filter=all -O2 $mode main.o other.o -o x && sh %inputs/exact.sh %hcct-decode %s %t/x || exit 1; done
// A filter that is none is an error of the compile step.
// RUN: echo 'function:leaf' > bad && for mode in -flto -flto=thin; do rm -f y && not %hcct-cc --hcct-filter=bad -O2 $mode -I%inputs main.c other.c -o y 2> said; FileCheck --check-prefix=BAD %s < said && test ! -e y || exit 1; done
// BAD: error: hcct: {{.*}}bad:1: a line is fun:GLOB
//--- filter
fun:hidden_*
src:*other.c
//--- main.c
#include "e2e.h"
void other(void);
static inline void leaf(void) { work(); }
static void hidden_function(void) { leaf(); other(); work(); }
static void shown(void) { hidden_function(); leaf(); work(); }
__attribute__((no_profile_instrument_function)) static NOINLINE void unprofiled(void) { shown(); work(); }
int main(void) { shown(); other(); unprofiled(); return 0; }
//--- other.c
#include "e2e.h"
static NOINLINE void leaf(void) { work(); }
NOINLINE void other(void) { leaf(); work(); }
// CHECK: main 1
// CHECK-NEXT: main;[unprofiled];shown 1
// CHECK-NEXT: main;[unprofiled];shown;[hidden_function];leaf 1
// CHECK-NEXT: main;[unprofiled];shown;leaf 1
// CHECK-NEXT: main;shown 1
// CHECK-NEXT: main;shown;[hidden_function];leaf 1
// CHECK-NEXT: main;shown;leaf 1
