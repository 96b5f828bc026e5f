// A callback leaves by a sibling call through a pointer to code that is not instrumented and returns; the next callback comes from deeper,
// over stack slots that nobody has written since.
// A frame of a tail push would be taken for live, while the return address that it saw still stands in its slot: a
// tail call that turns out to leave instrumented code is a plain call.
// RUN: split-file %s %t && cd %t && %clang -O2 -c library.c -o library.o
// RUN: %hcct-cc -O2 -I%inputs main.c library.o -o 2 && sh %inputs/exact.sh %hcct-decode %s %t/2
//--- library.c
typedef void callback(void);
void external(void) {}
static __attribute__((noinline)) void deep(callback *f)
{
    char pad[4096];
    __asm__ volatile("" ::"r"(pad) : "memory");
    f();
    __asm__ volatile("" ::"r"(pad) : "memory");
}
void both(callback *a, callback *b)
{
    a();
    deep(b);
}
//--- main.c
#include "e2e.h"
typedef void callback(void);
void external(void);
void both(callback *, callback *);
static void (*volatile leave)(void) = external;
NOINLINE void release(void) { work(); leave(); }
static void first(void) { release(); work(); }
static void second(void) { work(); }
int main(void) { both(first, second); return 0; }
// CHECK: main 1
// CHECK-NEXT: main;[both];first 1
// CHECK-NEXT: main;[both];first;release 1
// CHECK-NEXT: main;[both];second 1
