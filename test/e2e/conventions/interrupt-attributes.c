// Attributes that change what a function keeps and how it is entered: no_caller_saved_registers, no_callee_saved_registers,
// force_align_arg_pointer, optnone, minsize, disable_tail_calls, target.
// UNSUPPORTED: target-aarch64
// (Most of them are of x86-64.)
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"
#include "library.h"

static NOINLINE void leaf(void)
{
    work();
}

__attribute__((no_callee_saved_registers)) static NOINLINE long keeps_nothing(long a, long b)
{
    leaf();
    call(leaf);
    work();
    return a * b;
}

__attribute__((force_align_arg_pointer)) NOINLINE long aligned(long a, long b)
{
    char room[64] __attribute__((aligned(64)));
    __asm__ volatile("" ::"r"(room) : "memory");
    leaf();
    call(leaf);
    work();
    return (unsigned long)room % 64 ? 0 : a + b;
}

__attribute__((optnone)) static NOINLINE long slow(long a, long b)
{
    leaf();
    call(leaf);
    return a - b;
}

__attribute__((minsize)) static NOINLINE long small(long a, long b)
{
    leaf();
    call(leaf);
    work();
    return a ^ b;
}

__attribute__((disable_tail_calls)) static NOINLINE long no_tails(long a, long b)
{
    call(leaf);
    return small(a, b);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static NOINLINE long other_target(long a, long b)
{
    leaf();
    call(leaf);
    work();
    return a | b;
}
#else
#define other_target no_tails
#endif

static NOINLINE long all(long a, long b)
{
    long k1 = a + 1, k2 = a + 2, k3 = a + 3, k4 = a + 4, k5 = a + 5, k6 = a + 6;
    __asm__ volatile("" : "+r"(k1), "+r"(k2), "+r"(k3), "+r"(k4), "+r"(k5), "+r"(k6));
    long sum = keeps_nothing(a, b) + aligned(a, b) + slow(a, b) + no_tails(a, b) + other_target(a, b);
    return k1 + k2 + k3 + k4 + k5 + k6 == 6 * a + 21 ? sum : 0;
}

int main(void)
{
    return all(12, 5) == 60 + 17 + 7 + 9 + 13 ? 0 : 1;
}
// CHECK: main 1
// CHECK-NEXT: main;all 1
// CHECK-NEXT: main;all;aligned 1
// CHECK-NEXT: main;all;aligned;[call];leaf 1
// CHECK-NEXT: main;all;aligned;leaf 1
// CHECK-NEXT: main;all;keeps_nothing 1
// CHECK-NEXT: main;all;keeps_nothing;[call];leaf 1
// CHECK-NEXT: main;all;keeps_nothing;leaf 1
// CHECK-NEXT: main;all;no_tails 1
// CHECK-NEXT: main;all;no_tails;[call];leaf 1
// CHECK-NEXT: main;all;no_tails;small 1
// CHECK-NEXT: main;all;no_tails;small;[call];leaf 1
// CHECK-NEXT: main;all;no_tails;small;leaf 1
// CHECK-NEXT: main;all;other_target 1
// CHECK-NEXT: main;all;other_target;[call];leaf 1
// CHECK-NEXT: main;all;other_target;leaf 1
// CHECK-NEXT: main;all;slow 1
// CHECK-NEXT: main;all;slow;[call];leaf 1
// CHECK-NEXT: main;all;slow;leaf 1
