// An instrumented shared library that is linked: one profile with the executable's. Calls cross in both directions, and
// both define one function.
// RUN: split-file %s %t && cd %t
// RUN: %hcct-cc -O0 -shared -fPIC -I%inputs library.c -o liblibrary.so && %hcct-cc -O0 -I%inputs main.c ./liblibrary.so -o 0 && sh %inputs/exact.sh %hcct-decode %s %t/0
// RUN: %hcct-cc -O2 -shared -fPIC -I%inputs library.c -o liblibrary.so && %hcct-cc -O2 -I%inputs main.c ./liblibrary.so -o 2 && sh %inputs/exact.sh %hcct-decode %s %t/2
// RUN: LD_BIND_NOW=1 sh %inputs/exact.sh %hcct-decode %s %t/2
// In a program that is not instrumented the library's runtime counts, bound lazily too.
// RUN: %clang -O2 -I%inputs main.c ./liblibrary.so -Wl,-z,lazy -o plain && env CHECKS=PLAIN sh %inputs/exact.sh %hcct-decode %s %t/plain
//--- library.c
#include "e2e.h"
void leaf(void);
NOINLINE void shadowed(void) { work(); work(); }
static NOINLINE void inner(int depth)
{
    if (depth)
        inner(depth - 1);
    leaf();
    work();
}
NOINLINE void entry(void) { inner(1); shadowed(); work(); }
__attribute__((constructor)) static void loaded(void) { work(); }
//--- main.c
#include "e2e.h"
void entry(void);
NOINLINE void leaf(void) { work(); }
NOINLINE void shadowed(void) { leaf(); work(); }
int main(void)
{
    entry();
    leaf();
    entry();
    shadowed();
    return 0;
}
// CHECK: loaded 1
// CHECK-NEXT: main 1
// CHECK-NEXT: main;entry 2
// CHECK-NEXT: main;entry;inner 2
// CHECK-NEXT: main;entry;inner;inner 2
// CHECK-NEXT: main;entry;inner;inner;leaf 2
// CHECK-NEXT: main;entry;inner;leaf 2
// CHECK-NEXT: main;entry;shadowed 2
// CHECK-NEXT: main;entry;shadowed;leaf 2
// CHECK-NEXT: main;leaf 1
// CHECK-NEXT: main;shadowed 1
// CHECK-NEXT: main;shadowed;leaf 1
// PLAIN: entry 2
// PLAIN-NEXT: entry;inner 2
// PLAIN-NEXT: entry;inner;inner 2
// PLAIN-NEXT: loaded 1
