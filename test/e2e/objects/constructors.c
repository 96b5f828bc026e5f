// Constructors (with priorities), exit handlers and destructors are roots, and are counted to the last.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <stdlib.h>

#include "e2e.h"

static NOINLINE void leaf(void)
{
    work();
}

static void first_handler(void)
{
    leaf();
    work();
}

static void second_handler(void)
{
    leaf();
    atexit(first_handler); /* runs next */
}

__attribute__((constructor(200))) static void early(void)
{
    leaf();
    work();
}

__attribute__((constructor)) static void late(void)
{
    leaf();
    atexit(first_handler);
}

__attribute__((destructor(200))) static void last(void)
{
    leaf();
    work();
}

__attribute__((destructor)) static void before_last(void)
{
    leaf();
    work();
}

int main(void)
{
    atexit(second_handler);
    return 0;
}
// CHECK: before_last 1
// CHECK-NEXT: before_last;leaf 1
// CHECK-NEXT: early 1
// CHECK-NEXT: early;leaf 1
// CHECK-NEXT: first_handler 2
// CHECK-NEXT: first_handler;leaf 2
// CHECK-NEXT: last 1
// CHECK-NEXT: last;leaf 1
// CHECK-NEXT: late 1
// CHECK-NEXT: late;leaf 1
// CHECK-NEXT: main 1
// CHECK-NEXT: second_handler 1
// CHECK-NEXT: second_handler;leaf 1
