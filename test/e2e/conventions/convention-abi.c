// ms_abi and sysv_abi: other registers for arguments, others kept, and space above the return address.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 '-DCONVENTION=__attribute__((ms_abi))' -I%inputs %s %t.o -o %t.ms_abi && sh %inputs/exact.sh %hcct-decode %s %t.ms_abi
// RUN: %hcct-cc -O2 '-DCONVENTION=__attribute__((ms_abi))' -I%inputs %s %t.o -o %t.ms_abi && sh %inputs/exact.sh %hcct-decode %s %t.ms_abi
// RUN: %hcct-cc -O0 '-DCONVENTION=__attribute__((sysv_abi))' -I%inputs %s %t.o -o %t.sysv_abi && sh %inputs/exact.sh %hcct-decode %s %t.sysv_abi
// RUN: %hcct-cc -O2 '-DCONVENTION=__attribute__((sysv_abi))' -I%inputs %s %t.o -o %t.sysv_abi && sh %inputs/exact.sh %hcct-decode %s %t.sysv_abi
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
