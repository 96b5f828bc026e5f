// --hcct-externals: direct calls of functions that are not instrumented are leaves of their context, compiled file by file and as a whole program. Each call counts
// once, also if another file defines the function and instruments it. What calls back stands there twice: with its count, and in brackets above what it called.
// REQUIRES: turn-4
// RUN: split-file %s %t && cd %t && %clang -O1 -c plain.c -o plain.o
// RUN: for how in -O0 -O1 -O2 -Os -Oz "-O2 -fPIC" "-O2 -fno-pie -no-pie" "-O2 -flto" "-O2 -flto=thin" "-O2 -flto -no-pie" "-O2 -flto -ffat-lto-objects" \
// RUN:     "-O2 -flto -fuse-ld=lld HCCT_LTO=compile" "-O2 --hcct-before-inlining"; do case $how in *HCCT*) lto=${how##* } how=${how% *} ;; *) lto= ;; esac; \
// RUN:   env $lto %hcct-cc --hcct-externals $how -I%inputs main.c other.c plain.o -o x && sh %inputs/exact.sh %hcct-decode %s %t/x || exit 1; done
// As a library, loaded lazily or not.
// RUN: %hcct-cc --hcct-externals -O2 -fPIC -shared -I%inputs other.c plain.o -o libother.so && %hcct-cc --hcct-externals -O2 -I%inputs main.c ./libother.so plain.o -Wl,-z,lazy -o y
// RUN: sh %inputs/exact.sh %hcct-decode %s %t/y && LD_BIND_NOW=1 sh %inputs/exact.sh %hcct-decode %s %t/y
// An instrumented part that was compiled without the option counts its entries only; calls of it count once.
// RUN: %hcct-cc -O2 -I%inputs -c other.c && %hcct-cc --hcct-externals -O2 -I%inputs main.c other.o plain.o -o z && env CHECKS=CHECK-MAIN sh %inputs/exact.sh %hcct-decode %s %t/z
// A part that is not instrumented: the call of it counts.
// RUN: %clang -O2 -I%inputs -c other.c && %hcct-cc --hcct-externals -O2 -I%inputs main.c other.o plain.o -o w && env CHECKS=PLAIN sh %inputs/exact.sh %hcct-decode %s %t/w
// RUN: echo 'src:other.c' > filter && %hcct-cc --hcct-externals --hcct-filter=filter -O2 -I%inputs main.c other.c plain.o -o v && env CHECKS=PLAIN sh %inputs/exact.sh %hcct-decode %s %t/v
// Who calls it most, by which path.
// RUN: %hcct-cc --hcct-externals=plain_leaf -O2 -g1 -I%inputs main.c other.c plain.o -o u && HCCT_OPTIONS=mode=cct ./u && %hcct-decode --view=callers plain_leaf | FileCheck --check-prefix=CALLERS %s
// RUN: %hcct-decode --all --format=json | tr -d ' ' | FileCheck --check-prefix=JSON %s
//--- main.c
#include "e2e.h"
void other(int depth);
void plain_leaf(void);
int plain_sum(int count, ...);
void plain_call_back(void (*f)(int), int count);
void plain_exit(int status) __attribute__((noreturn));
static NOINLINE void back(int n) { plain_leaf(); work(); }
static NOINLINE void twice(void) { plain_call_back(back, 3); other(1); work(); }
static NOINLINE int tail(int n) { work(); return plain_sum(1, n); }
NOINLINE void never(void) { plain_leaf(); work(); }
static void (*volatile pointer)(void) = plain_leaf;
int main(void)
{
    for (int i = 0; i < 4; i++)
        plain_leaf();
    twice();
    pointer(); /* is not direct: does not count */
    __asm__ volatile("" ::"r"(tail(7)));
    other(0);
    if (worked < 0)
        never();
    plain_exit(0);
}
//--- other.c
#include "e2e.h"
void plain_leaf(void);
NOINLINE void other(int depth)
{
    if (depth)
        other(depth - 1);
    plain_leaf();
    plain_leaf();
    work();
}
//--- plain.c
#include <stdarg.h>
#include <stdlib.h>
static volatile int happened;
void plain_leaf(void) { happened++; }
int plain_sum(int count, ...)
{
    va_list values;
    va_start(values, count);
    int sum = 0;
    while (count--)
        sum += va_arg(values, int);
    va_end(values);
    return sum;
}
void plain_call_back(void (*f)(int), int count)
{
    for (int i = 0; i < count; i++)
        f(i);
    plain_leaf(); /* not called from instrumented code: does not count */
}
void plain_exit(int status) { exit(status); }
// CHECK: main 1
// CHECK-NEXT: main;other 1
// CHECK-NEXT: main;other;plain_leaf 2
// CHECK-NEXT: main;plain_exit 1
// CHECK-NEXT: main;plain_leaf 4
// CHECK-NEXT: main;tail 1
// CHECK-NEXT: main;tail;plain_sum 1
// CHECK-NEXT: main;twice 1
// CHECK-NEXT: main;twice;[plain_call_back];back 3
// CHECK-NEXT: main;twice;[plain_call_back];back;plain_leaf 3
// CHECK-NEXT: main;twice;other 1
// CHECK-NEXT: main;twice;other;other 1
// CHECK-NEXT: main;twice;other;other;plain_leaf 2
// CHECK-NEXT: main;twice;other;plain_leaf 2
// CHECK-NEXT: main;twice;plain_call_back 1
// CHECK-MAIN: main 1
// CHECK-MAIN-NEXT: main;other 1
// CHECK-MAIN-NEXT: main;plain_exit 1
// CHECK-MAIN-NEXT: main;plain_leaf 4
// CHECK-MAIN-NEXT: main;tail 1
// CHECK-MAIN-NEXT: main;tail;plain_sum 1
// CHECK-MAIN-NEXT: main;twice 1
// CHECK-MAIN-NEXT: main;twice;[plain_call_back];back 3
// CHECK-MAIN-NEXT: main;twice;[plain_call_back];back;plain_leaf 3
// CHECK-MAIN-NEXT: main;twice;other 1
// CHECK-MAIN-NEXT: main;twice;other;other 1
// CHECK-MAIN-NEXT: main;twice;plain_call_back 1
// PLAIN: main 1
// PLAIN-NEXT: main;other 1
// PLAIN-NEXT: main;plain_exit 1
// PLAIN-NEXT: main;plain_leaf 4
// PLAIN-NEXT: main;tail 1
// PLAIN-NEXT: main;tail;plain_sum 1
// PLAIN-NEXT: main;twice 1
// PLAIN-NEXT: main;twice;[plain_call_back];back 3
// PLAIN-NEXT: main;twice;[plain_call_back];back;plain_leaf 3
// PLAIN-NEXT: main;twice;other 1
// PLAIN-NEXT: main;twice;plain_call_back 1
// CALLERS: % 13 plain_leaf{{$}}
// CALLERS-NEXT: % 4 |- main main.c:15:9
// CALLERS-NEXT: % 3 |- back main.c:7:36
// CALLERS-NEXT: % 3 | `- [plain_call_back]
// CALLERS-NEXT: % 3 | `- twice main.c:8:36
// CALLERS-NEXT: % 3 | `- main main.c:16:5
// CALLERS-NEXT: % 3 |- other other.c:7:5
// CALLERS-NOT: % {{[0-9]+}} plain_leaf
// JSON-COUNT-1: "function":"plain_leaf"
// JSON-NOT: "function":"plain_leaf"
