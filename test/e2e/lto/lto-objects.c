// What a link makes of bitcode, -r and -shared too, is instrumented once, and counts with plain objects, archives and libraries as one.
// REQUIRES: turn-4
// RUN: split-file %s %t && cd %t && for mode in -flto -flto=thin; do for file in one two main; do %hcct-cc $mode -O2 -fPIC -I%inputs -c $file.c -o $file.o || exit 1; done && \
// RUN:   %hcct-cc -O2 -fPIC -I%inputs -c main.c -o plain.o && rm -f libone.a && llvm-ar rc libone.a one.o && \
// RUN:   %hcct-cc $mode -O2 -r one.o two.o -o both.o && %hcct-cc $mode -O2 -shared one.o two.o -o libboth.so && %hcct-cc $mode -O2 -shared -Wl,-z,defs one.o -o libone.so && %hcct-cc -O2 -r one.o two.o -o unsaid.o && \
// RUN:   for link in "main.o both.o" "plain.o both.o" "plain.o unsaid.o" "main.o ./libboth.so" "plain.o ./libboth.so" "main.o two.o ./libone.so" "main.o two.o libone.a" "plain.o two.o libone.a"; do \
// RUN:     echo "$link" && %hcct-cc $mode -O2 $link -o x && sh %inputs/exact.sh %hcct-decode %s %t/x || exit 1; done; done
// A link that is not told -flto sees bitcode by itself.
// RUN: %hcct-cc -O2 main.o one.o two.o -o x && sh %inputs/exact.sh %hcct-decode %s %t/x
// So it does in an archive, behind another member and a name that is long, and if the same command compiles the rest, which then is instrumented there.
// RUN: echo 'int unused;' > a_name_that_is_longer_than_sixteen.c && %clang -O2 -c a_name_that_is_longer_than_sixteen.c && %clang -O2 -fPIC -flto -c a_name_that_is_longer_than_sixteen.c -o foreign.o
// RUN: for mode in -flto -flto=thin; do for file in one two; do %hcct-cc $mode -O2 -fPIC -I%inputs -c $file.c -o $file.o || exit 1; done && rm -f libtwo.a && llvm-ar rc libtwo.a a_name_that_is_longer_than_sixteen.o one.o two.o && \
// RUN:   for link in "plain.o libtwo.a" "-fuse-ld=lld plain.o libtwo.a" "plain.o -Wl,--whole-archive,libtwo.a,--no-whole-archive" "main.c libtwo.a" "main.c one.o two.o"; do \
// RUN:     echo "$link" && %hcct-cc -O2 -I%inputs $link -o x && sh %inputs/exact.sh %hcct-decode %s %t/x || exit 1; done; done
// An archive of other bitcode changes nothing.
// RUN: rm -f libforeign.a && llvm-ar rc libforeign.a foreign.o && env HCCT_PRINT_FLAGS=1 %hcct-cc plain.o libforeign.a > flags && not grep load-pass-plugin flags && env HCCT_PRINT_FLAGS=1 %hcct-cc plain.o libtwo.a | grep -c load-pass-plugin
//--- one.c
#include "e2e.h"
NOINLINE void leaf(void) { work(); }
static NOINLINE void local(void) { leaf(); work(); }
NOINLINE void one(void (*back)(void)) { local(); back(); work(); }
//--- two.c
#include "e2e.h"
void leaf(void), one(void (*)(void));
static NOINLINE void local(void) { leaf(); work(); }
NOINLINE void two(void (*back)(void)) { local(); one(back); work(); }
//--- main.c
#include "e2e.h"
void leaf(void), one(void (*)(void)), two(void (*)(void));
static NOINLINE void local(void) { leaf(); work(); }
NOINLINE int main(void)
{
    void (*volatile first)(void (*)(void)) = one, (*volatile second)(void (*)(void)) = two;
    local();
    first(local);
    second(local);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;local (main.c) 1
// CHECK-NEXT: main;local (main.c);leaf 1
// CHECK-NEXT: main;one 1
// CHECK-NEXT: main;one;local (main.c) 1
// CHECK-NEXT: main;one;local (main.c);leaf 1
// CHECK-NEXT: main;one;local (one.c) 1
// CHECK-NEXT: main;one;local (one.c);leaf 1
// CHECK-NEXT: main;two 1
// CHECK-NEXT: main;two;local (two.c) 1
// CHECK-NEXT: main;two;local (two.c);leaf 1
// CHECK-NEXT: main;two;one 1
// CHECK-NEXT: main;two;one;local (main.c) 1
// CHECK-NEXT: main;two;one;local (main.c);leaf 1
// CHECK-NEXT: main;two;one;local (one.c) 1
// CHECK-NEXT: main;two;one;local (one.c);leaf 1
