// Destructors of shared libraries run after the program's own. They are counted, of libraries that are linked and of those
// that dlopen brought and nobody closed.
// RUN: split-file %s %t && cd %t
// RUN: for o in 0 2; do %hcct-cc -O$o -shared -fPIC -I%inputs library.c -o library.so && for p in pie no-pie; do \
// RUN:   %hcct-cc -O$o -$p -I%inputs main.c ./library.so -o linked.$p && sh %inputs/exact.sh %hcct-decode %s %t/linked.$p && \
// RUN:   %hcct-cc -O$o -$p -I%inputs main.c -o loads && sh %inputs/exact.sh %hcct-decode %s %t/loads ./library.so || exit 1; done || exit 1; done
// Where the program is not instrumented, the library's runtime counts.
// RUN: %clang -O2 -I%inputs main.c ./library.so -o plain && env CHECKS=PLAIN sh %inputs/exact.sh %hcct-decode %s %t/plain
// A destructor that crashes leaves the profile of all that was before.
// RUN: for p in pie no-pie; do rm -f bin && { HCCT_OPTIONS=mode=cct:output=bin ENDS=crashes ./linked.$p; test -s bin; } && \
// RUN:   %hcct-decode --format=folded --all bin | FileCheck --match-full-lines --implicit-check-not='{{.}}' --check-prefix=CRASHES %s || exit 1; done
// A pipe gets one profile, as a second one would stand behind it: the whole one.
// RUN: rm -f pipe && mkfifo pipe && (exec 3<> pipe && HCCT_OPTIONS=mode=cct:output=pipe ./linked.pie && dd bs=65536 count=1 <&3 > piped) && %hcct-decode --format=folded --all piped | FileCheck --match-full-lines --implicit-check-not='{{.}}' %s
//--- library.c
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "e2e.h"
NOINLINE void leaf(void) { work(); }
static NOINLINE void inner(int depth)
{
    if (depth)
        inner(depth - 1);
    leaf();
    work();
}
__attribute__((destructor)) static void ends(void)
{
    const char *how = getenv("ENDS");
    inner(1);
    if (how && strcmp(how, "crashes") == 0)
        __builtin_trap();
}
__attribute__((destructor(101))) static void ends_last(void)
{
    leaf();
    work();
}
//--- main.c
#include <dlfcn.h>
#include "e2e.h"
static NOINLINE void own(void) { work(); }
__attribute__((destructor(101))) static void ends_main(void)
{
    own();
    own();
}
int main(int count, char **arguments)
{
    return count > 1 && !dlopen(arguments[1], RTLD_NOW);
}
// CHECK: ends 1
// CHECK-NEXT: ends;inner 1
// CHECK-NEXT: ends;inner;inner 1
// CHECK-NEXT: ends;inner;inner;leaf 1
// CHECK-NEXT: ends;inner;leaf 1
// CHECK-NEXT: ends_last 1
// CHECK-NEXT: ends_last;leaf 1
// CHECK-NEXT: ends_main 1
// CHECK-NEXT: ends_main;own 2
// CHECK-NEXT: main 1
// PLAIN: ends 1
// PLAIN-NEXT: ends;inner 1
// PLAIN-NEXT: ends;inner;inner 1
// PLAIN-NEXT: ends;inner;inner;leaf 1
// PLAIN-NEXT: ends;inner;leaf 1
// PLAIN-NEXT: ends_last 1
// PLAIN-NEXT: ends_last;leaf 1
// CRASHES: ends 1
// CRASHES-NEXT: ends;inner 1
// CRASHES-NEXT: ends;inner;inner 1
// CRASHES-NEXT: ends;inner;inner;leaf 1
// CRASHES-NEXT: ends;inner;leaf 1
// CRASHES-NEXT: ends_main 1
// CRASHES-NEXT: ends_main;own 2
// CRASHES-NEXT: main 1
