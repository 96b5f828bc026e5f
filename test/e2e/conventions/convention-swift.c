// swiftcall: a convention with registers of its own for contexts and errors.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 '-DCONVENTION=__attribute__((swiftcall))' -I%inputs %s %t.o -o %t.swiftcall && sh %inputs/exact.sh %hcct-decode %s %t.swiftcall
// RUN: %hcct-cc -O2 '-DCONVENTION=__attribute__((swiftcall))' -I%inputs %s %t.o -o %t.swiftcall && sh %inputs/exact.sh %hcct-decode %s %t.swiftcall
#include "convention.h"

// CHECK: main 1
// CHECK-NEXT: main;[call];back 1
// CHECK-NEXT: main;[call];back;descend 1
// CHECK-NEXT: main;[call];back;descend;descend 1
// CHECK-NEXT: main;[call];back;descend;descend;descend 1
// CHECK-NEXT: main;[call];back;descend;descend;descend;descend 1
// CHECK-NEXT: main;[call];back;descend;descend;descend;descend;[call];leaf 1
// CHECK-NEXT: main;[call];back;external 2
// CHECK-NEXT: main;[call];back;external;local 2
// CHECK-NEXT: main;[call];back;external;local;[call];leaf 2
// CHECK-NEXT: main;[call];back;external;local;leaf 2
// CHECK-NEXT: main;back 1
// CHECK-NEXT: main;back;descend 1
// CHECK-NEXT: main;back;descend;descend 1
// CHECK-NEXT: main;back;descend;descend;descend 1
// CHECK-NEXT: main;back;descend;descend;descend;descend 1
// CHECK-NEXT: main;back;descend;descend;descend;descend;[call];leaf 1
// CHECK-NEXT: main;back;external 2
// CHECK-NEXT: main;back;external;local 2
// CHECK-NEXT: main;back;external;local;[call];leaf 2
// CHECK-NEXT: main;back;external;local;leaf 2
