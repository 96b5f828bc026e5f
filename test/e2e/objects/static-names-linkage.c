// --no-demangle prints linkage names, which other programs look up: a local function's file stands behind its name only where it meets another
// local function of its name in one place, or the two would be one context.
// RUN: split-file %s %t && cd %t && %hcct-cc -O1 -I%inputs one.c two.c main.c -o program && env HCCT_OPTIONS=mode=cct ./program
// RUN: %hcct-decode --no-demangle --format=folded | FileCheck --match-full-lines --implicit-check-not={{.}} %s
// RUN: %hcct-decode --no-demangle --format=csv | FileCheck --check-prefix=CSV %s
// RUN: %hcct-decode --format=folded | FileCheck --check-prefix=READ %s
//--- one.c
#include "e2e.h"
static NOINLINE void apart(void) { work(); }
static NOINLINE void meet(void) { work(); }
void (*const one_meets)(void) = meet;
NOINLINE void one(void) { apart(); work(); }
//--- two.c
#include "e2e.h"
static NOINLINE void apart(void) { work(); }
static NOINLINE void meet(void) { work(); }
void (*const two_meets)(void) = meet;
NOINLINE void two(void) { apart(); work(); }
//--- main.c
#include "e2e.h"
void one(void), two(void);
extern void (*const one_meets)(void), (*const two_meets)(void);
int main(void)
{
    void (*volatile each[3])(void) = { one_meets, two_meets, two_meets };
    one();
    two();
    for (int i = 0; i < 3; i++)
        each[i]();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;meet (one.c) 1
// CHECK-NEXT: main;meet (two.c) 2
// CHECK-NEXT: main;one 1
// CHECK-NEXT: main;one;apart 1
// CHECK-NEXT: main;two 1
// CHECK-NEXT: main;two;apart 1
// CSV-COUNT-2: ,apart,function,
// READ: main;one;apart (one.c) 1
