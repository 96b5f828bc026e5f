// Objects for a shared library, of which a partial link and objcopy make one with few global names, as some libraries are
// shipped: they link with others, in both linkers, and every call is counted. Of functions that other objects call, too, hcct's
// names are kept.
// RUN: split-file %s %t && cd %t
// RUN: for file in one two three main; do %hcct-cc -O2 -fPIC -I%inputs -c $file.c -o $file.o || exit 1; done
// RUN: %hcct-cc -r one.o two.o -o part.o && objcopy -w --keep-global-symbol=one --keep-global-symbol='__hcct_symbol.*' part.o few.o
// RUN: objcopy --localize-hidden two.o shown.o
// RUN: for linker in bfd lld; do for link in few.o "one.o shown.o"; do \
// RUN:   %hcct-cc -fuse-ld=$linker main.o three.o $link -o x && sh %inputs/exact.sh %hcct-decode %s %t/x || exit 1; \
// RUN:   %hcct-cc -fuse-ld=$linker -shared $link -o library.so && %hcct-cc -rdynamic main.o three.o ./library.so -o x && sh %inputs/exact.sh %hcct-decode %s %t/x || exit 1; \
// RUN: done; done
//--- one.c
#include "e2e.h"
void two(void), shared(void);
static NOINLINE void local(void) { work(); }
NOINLINE void one(void) { local(); two(); shared(); work(); }
//--- two.c
#include "e2e.h"
static NOINLINE void local(void) { work(); }
NOINLINE void two(void) { local(); local(); work(); }
//--- three.c
#include "e2e.h"
void shared(void);
NOINLINE void three(void) { shared(); work(); }
//--- main.c
#include "e2e.h"
void one(void), three(void);
NOINLINE void shared(void) { work(); }
int main(void)
{
    one();
    one();
    three();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;one 2
// CHECK-NEXT: main;one;local 2
// CHECK-NEXT: main;one;shared 2
// CHECK-NEXT: main;one;two 2
// CHECK-NEXT: main;one;two;local 4
// CHECK-NEXT: main;three 1
// CHECK-NEXT: main;three;shared 1
