// Objects that are compiled for a fixed place (-fno-pie), and hold no address as a constant, link as position-independent with us as without.
// REQUIRES: !target-aarch64
// RUN: for level in 1 2 s; do %clang -O$level -fno-pie -I%inputs -c %s -o %t.plain.o && %clang -pie -Wl,-z,text %t.plain.o -o %t.plain && %t.plain && \
// RUN:   %hcct-cc -O$level -fno-pie -I%inputs -c %s -o %t.o && %hcct-cc -fuse-ld=lld -pie %t.o -o %t.lld && sh %inputs/exact.sh %hcct-decode %s %t.lld && \
// RUN:   %hcct-cc -pie -Wl,-z,text %t.o -o %t.x && sh %inputs/exact.sh %hcct-decode %s %t.x || exit 1; done
// At -O0 the accesses of a global hold its address, so that there are no functions in tables.
// RUN: %hcct-cc -O0 -fno-pie -DFEW -I%inputs -c %s -o %t.0.o && %hcct-cc -pie %t.0.o -o %t.0 && env CHECKS=FEW sh %inputs/exact.sh %hcct-decode %s %t.0
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

int other(int n);

static NOINLINE int recursive(int n)
{
    return n ? recursive(n - 1) + other(n) : other(n);
}

#if FEW
int other(int n)
{
    return abs(n) + 1;
}

int main(void)
{
    recursive(2);
    return 0;
}
#else
NOINLINE int other(int n)
{
    void *volatile memory = malloc((size_t)n + 1);
    free(memory);
    return n + 1;
}

static NOINLINE int first(int n)
{
    return other(n);
}

static NOINLINE int second(int n)
{
    return recursive(n);
}

static struct table {
    int (*volatile first)(int);
    int (*volatile second)(int);
} table = { first, second };

int main(void)
{
    return table.first(1) + table.second(1) + recursive(2) - 2 - 2 - 1 - 3 - 2 - 1;
}
#endif
// CHECK: main 1
// CHECK-NEXT: main;first 1
// CHECK-NEXT: main;first;other 1
// CHECK-NEXT: main;recursive 1
// CHECK-NEXT: main;recursive;other 1
// CHECK-NEXT: main;recursive;recursive 1
// CHECK-NEXT: main;recursive;recursive;other 1
// CHECK-NEXT: main;recursive;recursive;recursive 1
// CHECK-NEXT: main;recursive;recursive;recursive;other 1
// CHECK-NEXT: main;second 1
// CHECK-NEXT: main;second;recursive 1
// CHECK-NEXT: main;second;recursive;other 1
// CHECK-NEXT: main;second;recursive;recursive 1
// CHECK-NEXT: main;second;recursive;recursive;other 1
// FEW: main 1
// FEW-NEXT: main;recursive 1
// FEW-NEXT: main;recursive;other 1
// FEW-NEXT: main;recursive;recursive 1
// FEW-NEXT: main;recursive;recursive;other 1
// FEW-NEXT: main;recursive;recursive;recursive 1
// FEW-NEXT: main;recursive;recursive;recursive;other 1
