// Local functions of equal names in several files are told apart by their file; their linkage names are what they are (static-names-linkage.c).
// RUN: split-file %s %t && cd %t
// RUN: %hcct-cc -O0 -I%inputs one.c two.c main.c -o 0 && env CHECKS=LINKAGE sh %inputs/exact.sh %hcct-decode %s %t/0
// RUN: %hcct-cc -O2 -I%inputs one.c two.c main.c -o 2 && env CHECKS=LINKAGE sh %inputs/exact.sh %hcct-decode %s %t/2
// RUN: %hcct-cc -O2 -g -I%inputs one.c two.c main.c -o 2g && env CHECKS=LINKAGE sh %inputs/exact.sh %hcct-decode %s %t/2g
// RUN: for profile in 0 2 2g; do for mode in cct hcct; do %hcct-decode --all --format=folded $profile.$mode.bin | \
// RUN:   FileCheck --match-full-lines --implicit-check-not='{{.}}' %s || exit 1; done; done
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
// LINKAGE: main 1
// LINKAGE-NEXT: main;same 1
// LINKAGE-NEXT: main;same;one 1
// LINKAGE-NEXT: main;same;one;same 2
// LINKAGE-NEXT: main;same;two 2
// LINKAGE-NEXT: main;same;two;same 2
