// Structures of kilobytes by value, as arguments and as results, of numbered, recursive and indirect calls and out of a library.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <string.h>

#include "e2e.h"
#include "library.h"

struct big {
    int words[1024];
};

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE struct big add(struct big a, struct big b)
{
    call(leaf);
    for (int i = 0; i < 1024; i++)
        a.words[i] += b.words[i] * (i + 1);
    return a;
}

static struct big (*volatile pointer)(struct big, struct big) = add;

static NOINLINE struct big descend(struct big a, int n)
{
    if (n) {
        struct big b = descend(a, n - 1);
        work();
        return pointer(a, b);
    }
    call(leaf);
    return a;
}

static NOINLINE void back(void)
{
    struct big one;
    for (int i = 0; i < 1024; i++)
        one.words[i] = i;
    one = descend(one, 2);
    for (int i = 0; i < 1024; i++)
        if (one.words[i] != i + (i + i * (i + 1)) * (i + 1))
            __builtin_trap();
}

int main(void)
{
    back();
    call(back);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[call];back 1
// CHECK-NEXT: main;[call];back;descend 1
// CHECK-NEXT: main;[call];back;descend;add 1
// CHECK-NEXT: main;[call];back;descend;add;[call];leaf 1
// CHECK-NEXT: main;[call];back;descend;descend 1
// CHECK-NEXT: main;[call];back;descend;descend;add 1
// CHECK-NEXT: main;[call];back;descend;descend;add;[call];leaf 1
// CHECK-NEXT: main;[call];back;descend;descend;descend 1
// CHECK-NEXT: main;[call];back;descend;descend;descend;[call];leaf 1
// CHECK-NEXT: main;back 1
// CHECK-NEXT: main;back;descend 1
// CHECK-NEXT: main;back;descend;add 1
// CHECK-NEXT: main;back;descend;add;[call];leaf 1
// CHECK-NEXT: main;back;descend;descend 1
// CHECK-NEXT: main;back;descend;descend;add 1
// CHECK-NEXT: main;back;descend;descend;add;[call];leaf 1
// CHECK-NEXT: main;back;descend;descend;descend 1
// CHECK-NEXT: main;back;descend;descend;descend;[call];leaf 1
