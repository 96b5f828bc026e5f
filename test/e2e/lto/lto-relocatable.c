// What -r makes of bitcode is a part of a program, not all of it: several such objects, and more bitcode, make one executable.
// RUN: split-file %s %t && cd %t && for file in one two main; do %hcct-cc -flto -O2 -I%inputs -c $file.c -o $file.o || exit 1; done
// RUN: %hcct-cc -flto -O2 -r one.o -o one.r.o && %hcct-cc -flto -O2 -r two.o -o two.r.o
// RUN: for link in "main.o one.r.o two.o" "main.o one.r.o two.r.o" "main.o one.o two.o"; do \
// RUN:   %hcct-cc -flto -O2 $link -o x && sh %inputs/exact.sh %hcct-decode %s %t/x || exit 1; done
// Only the executable's own bitcode is numbered in the link.
// RUN: %hcct-cc -flto -O2 main.o one.o two.o -Wl,--lto-emit-asm -o all.s && grep -q '\.data\.hcct,' all.s*
// RUN: %hcct-cc -flto -O2 -r one.o -Wl,--lto-emit-asm -o part.s && grep -q '\.data\.hcct\.open,' part.s* && not grep '\.data\.hcct,' part.s*
//--- one.c
#include "e2e.h"
static NOINLINE void local(void) { work(); }
NOINLINE void one(void) { local(); work(); }
//--- two.c
#include "e2e.h"
void one(void);
static NOINLINE void local(void) { one(); work(); }
NOINLINE void two(void) { local(); local(); work(); }
//--- main.c
#include "e2e.h"
void one(void), two(void);
int main(void)
{
    one();
    two();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;one 1
// CHECK-NEXT: main;one;local 1
// CHECK-NEXT: main;two 1
// CHECK-NEXT: main;two;local 2
// CHECK-NEXT: main;two;local;one 2
// CHECK-NEXT: main;two;local;one;local 2
