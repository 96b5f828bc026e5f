// __attribute__((cleanup)): the functions run at the end of a scope, on return, goto and break, but not on longjmp.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <setjmp.h>

#include "e2e.h"
#include "library.h"

static jmp_buf target;

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE void clean(int *value)
{
    *value = 0;
    leaf();
    work();
}

static void leave(void)
{
    int value __attribute__((cleanup(clean))) = 1;
    call(leaf);
    longjmp(target, value);
}

static NOINLINE int scopes(int n)
{
    int outer __attribute__((cleanup(clean))) = n;
    for (int i = 0; i < n; i++) {
        int inner __attribute__((cleanup(clean))) = i;
        if (i == 2)
            break;
        if (i == 1)
            goto next;
        call(leaf);
    next:;
    }
    return outer + 1;
}

int main(void)
{
    if (scopes(5) != 6)
        return 1;
    if (setjmp(target) == 0)
        call(leave);
    call(leaf);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[call];leaf 1
// CHECK-NEXT: main;[call];leave 1
// CHECK-NEXT: main;[call];leave;[call];leaf 1
// CHECK-NEXT: main;scopes 1
// CHECK-NEXT: main;scopes;[call];leaf 1
// CHECK-NEXT: main;scopes;clean 4
// CHECK-NEXT: main;scopes;clean;leaf 4
