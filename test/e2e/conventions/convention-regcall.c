// regcall: as many arguments in registers as there are, and their names get a prefix.
// UNSUPPORTED: target-aarch64
// (There is none on AArch64.)
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 '-DCONVENTION=__attribute__((regcall))' -I%inputs %s %t.o -o %t.regcall && sh %inputs/exact.sh %hcct-decode %s %t.regcall
// RUN: %hcct-cc -O2 '-DCONVENTION=__attribute__((regcall))' -I%inputs %s %t.o -o %t.regcall && sh %inputs/exact.sh %hcct-decode %s %t.regcall
#include "convention.h"

// CHECK: main 1
// CHECK-NEXT: main;[call];back 1
// CHECK-NEXT: main;[call];back;__regcall3__descend 1
// CHECK-NEXT: main;[call];back;__regcall3__descend;__regcall3__descend 1
// CHECK-NEXT: main;[call];back;__regcall3__descend;__regcall3__descend;__regcall3__descend 1
// CHECK-NEXT: main;[call];back;__regcall3__descend;__regcall3__descend;__regcall3__descend;__regcall3__descend 1
// CHECK-NEXT: main;[call];back;__regcall3__descend;__regcall3__descend;__regcall3__descend;__regcall3__descend;[call];leaf 1
// CHECK-NEXT: main;[call];back;__regcall3__external 2
// CHECK-NEXT: main;[call];back;__regcall3__external;__regcall3__local 2
// CHECK-NEXT: main;[call];back;__regcall3__external;__regcall3__local;[call];leaf 2
// CHECK-NEXT: main;[call];back;__regcall3__external;__regcall3__local;leaf 2
// CHECK-NEXT: main;back 1
// CHECK-NEXT: main;back;__regcall3__descend 1
// CHECK-NEXT: main;back;__regcall3__descend;__regcall3__descend 1
// CHECK-NEXT: main;back;__regcall3__descend;__regcall3__descend;__regcall3__descend 1
// CHECK-NEXT: main;back;__regcall3__descend;__regcall3__descend;__regcall3__descend;__regcall3__descend 1
// CHECK-NEXT: main;back;__regcall3__descend;__regcall3__descend;__regcall3__descend;__regcall3__descend;[call];leaf 1
// CHECK-NEXT: main;back;__regcall3__external 2
// CHECK-NEXT: main;back;__regcall3__external;__regcall3__local 2
// CHECK-NEXT: main;back;__regcall3__external;__regcall3__local;[call];leaf 2
// CHECK-NEXT: main;back;__regcall3__external;__regcall3__local;leaf 2
