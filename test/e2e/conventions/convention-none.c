// preserve_none: no register is kept, and arguments are in registers that nobody else passes them in.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 '-DCONVENTION=__attribute__((preserve_none))' -I%inputs %s %t.o -o %t.preserve_none && sh %inputs/exact.sh %hcct-decode %s %t.preserve_none
// RUN: %hcct-cc -O2 '-DCONVENTION=__attribute__((preserve_none))' -I%inputs %s %t.o -o %t.preserve_none && sh %inputs/exact.sh %hcct-decode %s %t.preserve_none
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
