// Variable-length arrays: in recursion, in blocks that are left and entered again, around callbacks and jumps.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <string.h>

#include "e2e.h"
#include "library.h"

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE int descend(int n)
{
    char room[n * 37 + 1];
    memset(room, n, sizeof room);
    if (n)
        descend(n - 1);
    call(leaf);
    return room[n * 37];
}

static NOINLINE void blocks(int rounds)
{
    for (int i = 1; i <= rounds; i++) {
        char room[i * 1000];
        memset(room, i, sizeof room);
        call(leaf);
        leaf();
        if (i % 2)
            continue;
        {
            char more[i * 500];
            memset(more, i, sizeof more);
            call_both(leaf, leaf);
        }
    }
    leaf();
    work();
}

int main(void)
{
    if (descend(3) != 3)
        return 1;
    blocks(4);
    call(leaf);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[call];leaf 1
// CHECK-NEXT: main;blocks 1
// CHECK-NEXT: main;blocks;[call];leaf 4
// CHECK-NEXT: main;blocks;[call_both];leaf 4
// CHECK-NEXT: main;blocks;leaf 5
// CHECK-NEXT: main;descend 1
// CHECK-NEXT: main;descend;[call];leaf 1
// CHECK-NEXT: main;descend;descend 1
// CHECK-NEXT: main;descend;descend;[call];leaf 1
// CHECK-NEXT: main;descend;descend;descend 1
// CHECK-NEXT: main;descend;descend;descend;[call];leaf 1
// CHECK-NEXT: main;descend;descend;descend;descend 1
// CHECK-NEXT: main;descend;descend;descend;descend;[call];leaf 1
