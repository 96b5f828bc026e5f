// preserve_most and preserve_all: the callee, and the profiler in it, keeps nearly all registers.
// UNSUPPORTED: clang-16
// (clang 16 itself loses results of such functions.)
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 '-DCONVENTION=__attribute__((preserve_most))' -I%inputs %s %t.o -o %t.preserve_most && sh %inputs/exact.sh %hcct-decode %s %t.preserve_most
// RUN: %hcct-cc -O2 '-DCONVENTION=__attribute__((preserve_most))' -I%inputs %s %t.o -o %t.preserve_most && sh %inputs/exact.sh %hcct-decode %s %t.preserve_most
// RUN: %hcct-cc -O0 '-DCONVENTION=__attribute__((preserve_all))' -I%inputs %s %t.o -o %t.preserve_all && sh %inputs/exact.sh %hcct-decode %s %t.preserve_all
// RUN: %hcct-cc -O2 '-DCONVENTION=__attribute__((preserve_all))' -I%inputs %s %t.o -o %t.preserve_all && sh %inputs/exact.sh %hcct-decode %s %t.preserve_all
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
