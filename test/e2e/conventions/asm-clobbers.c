// Inline assembly that calls and does not say what its callee changes: nothing is kept where a call may change it, neither of ours nor of
// the program's, and contexts behind it are exact.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
// RUN: %hcct-cc -Os -I%inputs %s -o %t.s && sh %inputs/exact.sh %hcct-decode %s %t.s
// RUN: %hcct-cc -O1 --hcct-clock -I%inputs %s -o %t.c && sh %inputs/exact.sh %hcct-decode %s %t.c
#include "e2e.h"

/* wipe changes all that a callee may; wipe_first does, and goes on to the function `leaf`. */
#if defined(__x86_64__)
#define PUT(to) "mov $0x123456789, %" to "\n\t"
#define WIPE                                                                                                   \
    PUT("rax") PUT("rcx") PUT("rdx") PUT("rsi") PUT("rdi") PUT("r8") PUT("r9") PUT("r10") PUT("r11")              \
    "pcmpeqd %xmm0, %xmm0\n\tpcmpeqd %xmm1, %xmm1\n\tpcmpeqd %xmm2, %xmm2\n\tpcmpeqd %xmm3, %xmm3\n\t"
#define GO "jmp leaf"
#define RETURN "ret"
#define CALL(function) "call " function
#else
#define PUT(to) "movn " to ", #77\n\t"
#define WIPE                                                                                                   \
    PUT("x0") PUT("x1") PUT("x2") PUT("x3") PUT("x4") PUT("x5") PUT("x6") PUT("x7") PUT("x8") PUT("x9") PUT("x10") \
    PUT("x11") PUT("x12") PUT("x13") PUT("x14") PUT("x15") PUT("x16") PUT("x17") PUT("x18")                       \
    "movi v0.16b, #1\n\tmovi v1.16b, #1\n\tmovi v2.16b, #1\n\tmovi v16.16b, #1\n\t"
#define GO "b leaf"
#define RETURN "ret"
#define CALL(function) "bl " function
#endif

__asm__(".text\nwipe:\n\t" WIPE RETURN "\nwipe_first:\n\t" WIPE GO "\n");

__attribute__((used)) NOINLINE void leaf(void)
{
    work();
}

static volatile long one = 1;
static volatile double two = 2;

/* Many values are live over the assembly. */
static NOINLINE long keeps(long n)
{
    long a = one + n, b = one * n, c = one - n, d = n / one, e = n ^ one, f = n | one, g = n & one;
    double x = two + (double)n, y = two * (double)n;
    __asm__ volatile(CALL("wipe"));
    __asm__ volatile(CALL("wipe_first"));
    leaf();
    return a * 2 + b * 3 + c * 5 + d * 7 + e * 11 + f * 13 + g * 17 + (long)x * 19 + (long)y * 23;
}

static NOINLINE long takes(long n)
{
    long given = n, got;
    __asm__ volatile(CALL("wipe_first") : "=r"(got) : "0"(given + 1), "r"(n));
    leaf();
    return got != 0;
}

static NOINLINE long jumps(long n)
{
    __asm__ goto(CALL("wipe") : : : : out);
    leaf();
out:
    leaf();
    return n;
}

static NOINLINE long loops(long n)
{
    long sum = 0;
    for (long i = 0; i < n; i++) {
        leaf();
        __asm__ volatile(CALL("wipe_first"));
        sum += i;
    }
    return sum;
}

int main(void)
{
    long n = 12;
    if (keeps(n) != 13 * 2 + 12 * 3 - 11 * 5 + 12 * 7 + 13 * 11 + 13 * 13 + 14 * 19 + 24 * 23)
        return 1;
    if (takes(n) < 0 || jumps(n) != 12 || loops(4) != 6)
        return 2;
    leaf();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;jumps 1
// CHECK-NEXT: main;jumps;leaf 2
// CHECK-NEXT: main;keeps 1
// CHECK-NEXT: main;keeps;leaf 2
// CHECK-NEXT: main;leaf 1
// CHECK-NEXT: main;loops 1
// CHECK-NEXT: main;loops;leaf 8
// CHECK-NEXT: main;takes 1
// CHECK-NEXT: main;takes;leaf 2
