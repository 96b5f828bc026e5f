// Local functions of equal names in several files are told apart by their file.
// RUN: split-file %s %t && cd %t
// RUN: %hcct-cc -O0 -I%S/Inputs one.c two.c main.c -o 0 && sh %S/Inputs/exact.sh %hcct-decode %s %t/0
// RUN: %hcct-cc -O2 -I%S/Inputs one.c two.c main.c -o 2 && sh %S/Inputs/exact.sh %hcct-decode %s %t/2
// RUN: %hcct-cc -O2 -g -I%S/Inputs one.c two.c main.c -o 2g && sh %S/Inputs/exact.sh %hcct-decode %s %t/2g
//--- one.c
#include "e2e.h"
static NOINLINE void same(void) { work(); }
NOINLINE void one(void) { same(); same(); work(); }
//--- two.c
#include "e2e.h"
static NOINLINE void same(void) { work(); }
NOINLINE void two(void) { same(); work(); }
//--- main.c
#include "e2e.h"
void one(void), two(void);
static NOINLINE void same(void) { one(); two(); two(); work(); }
int main(void) { same(); return 0; }
// CHECK: main 1
// CHECK-NEXT: main;same (main.c) 1
// CHECK-NEXT: main;same (main.c);one 1
// CHECK-NEXT: main;same (main.c);one;same (one.c) 2
// CHECK-NEXT: main;same (main.c);two 2
// CHECK-NEXT: main;same (main.c);two;same (two.c) 2
