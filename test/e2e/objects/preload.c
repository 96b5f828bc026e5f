// LD_PRELOAD puts a function before that of a library that is linked: an instrumented one gets its place in the paths; one that is
// not instrumented has what it calls below it.
// RUN: split-file %s %t && cd %t && chmod +x with_*
// RUN: for level in 0 2; do %hcct-cc -O$level -shared -fPIC -I%inputs library.c -o liblibrary.so && %hcct-cc -O$level -I%inputs main.c ./liblibrary.so -o x && \
// RUN:   %hcct-cc -O$level -shared -fPIC -I%inputs before.c -o instrumented.so && %clang -O$level -shared -fPIC -I%inputs before.c -o plain.so && \
// RUN:   env CHECKS=ALONE sh %inputs/exact.sh %hcct-decode %s %t/x && env CHECKS=BEFORE sh %inputs/exact.sh %hcct-decode %s %t/with_instrumented && \
// RUN:   env CHECKS=PLAIN sh %inputs/exact.sh %hcct-decode %s %t/with_plain || exit 1; done
// A program that is not instrumented: the profile begins in the library that was put before.
// RUN: %clang -O2 -shared -fPIC -I%inputs library.c -o liblibrary.so && %clang -O2 -I%inputs main.c ./liblibrary.so -o x && env CHECKS=ONLY sh %inputs/exact.sh %hcct-decode %s %t/with_instrumented
//--- with_instrumented
#!/bin/sh
LD_PRELOAD=./instrumented.so exec ./x
//--- with_plain
#!/bin/sh
LD_PRELOAD=./plain.so exec ./x
//--- library.c
#include "e2e.h"
NOINLINE int replaced(int n, int (*back)(int)) { work(); return n + back(n); }
NOINLINE int own(int n, int (*back)(int)) { int sum = replaced(n, back); work(); return sum; }
//--- before.c
#include "e2e.h"
static NOINLINE int inner(int n, int (*back)(int)) { int sum = back(n) + back(n + 1); work(); return sum; }
NOINLINE int replaced(int n, int (*back)(int)) { int sum = inner(n, back); work(); return sum; }
//--- main.c
#include "e2e.h"
int replaced(int, int (*)(int)), own(int, int (*)(int));
static NOINLINE int leaf(int n) { work(); return n; }
int main(void)
{
    int first = replaced(10, leaf), second = own(20, leaf), sum = first + second + leaf(1);
    return sum != 61 && sum != 63;
}
// ALONE: main 1
// ALONE-NEXT: main;leaf 1
// ALONE-NEXT: main;own 1
// ALONE-NEXT: main;own;replaced 1
// ALONE-NEXT: main;own;replaced;leaf 1
// ALONE-NEXT: main;replaced 1
// ALONE-NEXT: main;replaced;leaf 1
// BEFORE: main 1
// BEFORE-NEXT: main;leaf 1
// BEFORE-NEXT: main;own 1
// BEFORE-NEXT: main;own;replaced 1
// BEFORE-NEXT: main;own;replaced;inner 1
// BEFORE-NEXT: main;own;replaced;inner;leaf 2
// BEFORE-NEXT: main;replaced 1
// BEFORE-NEXT: main;replaced;inner 1
// BEFORE-NEXT: main;replaced;inner;leaf 2
// PLAIN: main 1
// PLAIN-NEXT: main;[replaced];leaf 2
// PLAIN-NEXT: main;leaf 1
// PLAIN-NEXT: main;own 1
// PLAIN-NEXT: main;own;[replaced];leaf 2
// ONLY: replaced 2
// ONLY-NEXT: replaced;inner 2
