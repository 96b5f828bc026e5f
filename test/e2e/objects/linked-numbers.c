// The numbers that the link wrote hold after strip and objcopy. They are refused where the file was changed, and where other instrumented objects are loaded.
// Paths and counts are the same in all cases.
// REQUIRES: !target-aarch64
// RUN: rm -rf %t && split-file %s %t && cd %t && chmod +x preloaded
// RUN: %hcct-cc -O2 -I%inputs -c main.c && %hcct-cc -O2 -gline-tables-only -I%inputs -c other.c
// RUN: %hcct-cc main.o other.o -o x && python3 %inputs/linked.py x | FileCheck --check-prefix=IS %s
// RUN: env HCCT_NUMBERS=start %hcct-cc main.o other.o -o at-start && python3 %inputs/linked.py at-start | FileCheck --check-prefix=NOT %s
// IS: {{^numbered}}
// NOT: not numbered
// RUN: cp x stripped && strip stripped && objcopy --only-keep-debug x x.debug && objcopy --strip-debug --add-gnu-debuglink=x.debug x split
// RUN: for held in x stripped split; do sh %inputs/exact.sh %hcct-decode %s %t/$held && env HCCT_OPTIONS=verbosity=2 ./$held 2>&1 | not grep 'do not hold' || exit 1; done
// RUN: sh %inputs/exact.sh %hcct-decode %s %t/at-start
// What the profile says of the whole build is the same whoever computes it, the link or the runtime: the build's name, and the names of what is not on a path.
// RUN: mkdir builds && for x in x at-start; do env HCCT_OPTIONS=output=builds/%%m ./$x && cp builds/* $x.profile || exit 1; done; test "$(ls builds | wc -l)" = 1
// RUN: python3 %inputs/linked.py x.profile names=at-start.profile | FileCheck --check-prefix=NAMES %s && env HCCT_NUMBERS=start %hcct-cc -DMORE -O2 -I%inputs main.c other.o -o more && env HCCT_OPTIONS=output=more.profile ./more
// RUN: python3 %inputs/linked.py x.profile names=more.profile | FileCheck --check-prefix=MORE %s
// NAMES: the same names
// MORE: other names
// RUN: for what in base delta flags place; do cp x $what && python3 %inputs/linked.py $what $what || exit 1; done
// RUN: cp at-start forged && python3 %inputs/linked.py forged mark=x && cp x emptied && objcopy --remove-section=.note.gnu.build-id emptied
// RUN: for spoilt in base delta flags place forged; do sh %inputs/exact.sh %hcct-decode %s %t/$spoilt && env HCCT_OPTIONS=verbosity=2 ./$spoilt 2>&1 | FileCheck --check-prefix=CHANGED %s || exit 1; done
// CHANGED: the numbers of the link do not hold: the executable was changed after its link
// What else is loaded: a library that is instrumented, in either order; one that is put before it; one that is not instrumented.
// RUN: %hcct-cc -O2 -shared -fPIC -I%inputs library.c -o liba.so && %clang -O2 -shared -fPIC -I%inputs plain.c -o libplain.so && %hcct-cc -O2 -shared -fPIC -I%inputs -DEMPTY plain.c -o libb.so
// RUN: %hcct-cc -O2 -I%inputs -DLIBRARY main.c other.o -L. -Wl,-rpath,%t -Wl,--no-as-needed -la -lb -lplain -o ab && %hcct-cc -O2 -I%inputs -DLIBRARY main.c other.o -L. -Wl,-rpath,%t -Wl,--no-as-needed -lb -la -lplain -o ba
// RUN: for x in ab ba; do python3 %inputs/linked.py $x | FileCheck --check-prefix=IS %s && env CHECKS=LIBRARY sh %inputs/exact.sh %hcct-decode %s %t/$x && env HCCT_OPTIONS=verbosity=2 ./$x 2>&1 | FileCheck --check-prefix=OTHERS %s || exit 1; done
// RUN: %hcct-cc -O2 -I%inputs -DLIBRARY main.c other.o -L. -Wl,-rpath,%t -Wl,--no-as-needed -lplain -o x-plain && env CHECKS=PLAIN sh %inputs/exact.sh %hcct-decode %s %t/x-plain && env HCCT_OPTIONS=verbosity=2 ./x-plain 2>&1 | not grep 'do not hold'
// RUN: env CHECKS=LIBRARY sh %inputs/exact.sh %hcct-decode %s %t/preloaded && env HCCT_OPTIONS=verbosity=2 ./preloaded 2>&1 | FileCheck --check-prefix=OTHERS %s
// OTHERS: the numbers of the link do not hold: other instrumented objects are loaded
// A meter of library calls changes the deltas of these only.
// RUN: env HCCT_OPTIONS=verbosity=2:metric=heap:output=heap ./x 2>&1 | not grep 'do not hold' && env HCCT_OPTIONS=metric=heap:output=heap-at-start ./at-start
// RUN: %hcct-decode --format=folded --value=blocks heap > blocks && %hcct-decode --format=folded --value=blocks heap-at-start | cmp - blocks && FileCheck --check-prefix=HEAP --match-full-lines %s < blocks
// HEAP: main;dispatch;own;other;leaf;[malloc] 1
// HEAP-NEXT: main;other;leaf;[malloc] 1
// HEAP-NEXT: main;other;other;leaf;[malloc] 1
// HEAP-NEXT: main;own;other;leaf;[malloc] 1
// HEAP-NEXT: main;own;other;other;leaf;[malloc] 1
// An object that is loaded later is numbered behind what the link numbered.
// RUN: %hcct-cc -O2 -I%inputs -DLATER='"./liba.so"' main.c other.o -rdynamic -o later && env CHECKS=LIBRARY sh %inputs/exact.sh %hcct-decode %s %t/later && env HCCT_OPTIONS=verbosity=2 ./later 2>&1 | not grep 'do not hold'
//--- preloaded
#!/bin/sh
LD_PRELOAD=./liba.so exec ./x-plain
//--- main.c
#include <dlfcn.h>
#include "e2e.h"
int other(int), library(int (*)(int), int);
static NOINLINE int own(int n) { work(); return other(n - 1); }
int (*volatile pointer)(int) = own;
/* a tail call through a pointer: the runtime has to find the function by its address */
NOINLINE int dispatch(int n) { work(); return pointer(n); }
#ifdef MORE
NOINLINE int more(int n) { work(); return n; }
#endif
int main(void)
{
    int sum = own(3) + other(2) + dispatch(2);
#ifdef LATER
    int (*found)(int (*)(int), int) = (int (*)(int (*)(int), int))dlsym(dlopen(LATER, RTLD_NOW), "library");
    sum += found(dispatch, 1);
#elif defined LIBRARY
    sum += library(dispatch, 1);
#endif
    return sum == 0;
}
//--- other.c
#include <stdlib.h>
#include "e2e.h"
static void *volatile block;
static NOINLINE int leaf(int n) { work(); free(block = malloc(8)); return n; }
static inline __attribute__((always_inline)) int inlined(int n) { return leaf(n) + leaf(n + 1); }
NOINLINE int unused(int n) { work(); return inlined(n) + inlined(n + 2); }
NOINLINE int other(int n) { int sum = leaf(n); if (n > 1) sum += other(n - 1); work(); return sum + 1; }
//--- library.c
#include "e2e.h"
NOINLINE int library(int (*back)(int), int n) { int sum = back(n); work(); return sum; }
//--- plain.c
#include "e2e.h"
#ifdef EMPTY
NOINLINE int unused(int n) { work(); return n; }
#else
NOINLINE int library(int (*back)(int), int n) { int sum = back(n); work(); return sum; }
#endif
//--- end
// CHECK: main 1
// CHECK-NEXT: main;dispatch 1
// CHECK-NEXT: main;dispatch;own 1
// CHECK-NEXT: main;dispatch;own;other 1
// CHECK-NEXT: main;dispatch;own;other;leaf 1
// CHECK-NEXT: main;other 1
// CHECK-NEXT: main;other;leaf 1
// CHECK-NEXT: main;other;other 1
// CHECK-NEXT: main;other;other;leaf 1
// CHECK-NEXT: main;own 1
// CHECK-NEXT: main;own;other 1
// CHECK-NEXT: main;own;other;leaf 1
// CHECK-NEXT: main;own;other;other 1
// CHECK-NEXT: main;own;other;other;leaf 1
// LIBRARY: main 1
// LIBRARY-NEXT: main;dispatch 1
// LIBRARY-NEXT: main;dispatch;own 1
// LIBRARY-NEXT: main;dispatch;own;other 1
// LIBRARY-NEXT: main;dispatch;own;other;leaf 1
// LIBRARY-NEXT: main;library 1
// LIBRARY-NEXT: main;library;dispatch 1
// LIBRARY-NEXT: main;library;dispatch;own 1
// LIBRARY-NEXT: main;library;dispatch;own;other 1
// LIBRARY-NEXT: main;library;dispatch;own;other;leaf 1
// LIBRARY-NEXT: main;other 1
// LIBRARY-NEXT: main;other;leaf 1
// LIBRARY-NEXT: main;other;other 1
// LIBRARY-NEXT: main;other;other;leaf 1
// LIBRARY-NEXT: main;own 1
// LIBRARY-NEXT: main;own;other 1
// LIBRARY-NEXT: main;own;other;leaf 1
// LIBRARY-NEXT: main;own;other;other 1
// LIBRARY-NEXT: main;own;other;other;leaf 1
// PLAIN: main 1
// PLAIN-NEXT: main;[library];dispatch 1
// PLAIN-NEXT: main;[library];dispatch;own 1
// PLAIN-NEXT: main;[library];dispatch;own;other 1
// PLAIN-NEXT: main;[library];dispatch;own;other;leaf 1
// PLAIN-NEXT: main;dispatch 1
// PLAIN-NEXT: main;dispatch;own 1
// PLAIN-NEXT: main;dispatch;own;other 1
// PLAIN-NEXT: main;dispatch;own;other;leaf 1
// PLAIN-NEXT: main;other 1
// PLAIN-NEXT: main;other;leaf 1
// PLAIN-NEXT: main;other;other 1
// PLAIN-NEXT: main;other;other;leaf 1
// PLAIN-NEXT: main;own 1
// PLAIN-NEXT: main;own;other 1
// PLAIN-NEXT: main;own;other;leaf 1
// PLAIN-NEXT: main;own;other;other 1
// PLAIN-NEXT: main;own;other;other;leaf 1
