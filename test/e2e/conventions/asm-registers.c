// Register variables bound by asm keep their values for the assembly that uses them, and so do system calls by hand.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <sys/syscall.h>
#include <unistd.h>

#include "e2e.h"

static NOINLINE long value(long n)
{
    work();
    return n * 3;
}

static long (*volatile pointer)(long) = value;

#if defined(__x86_64__)
static NOINLINE long bound(long n)
{
    long first = value(n), second = pointer(n);
    register long in_r12 __asm__("r12") = first;
    register long in_r10 __asm__("r10") = second;
    register long in_r8 __asm__("r8") = n;
    register double in_xmm9 __asm__("xmm9") = 2.0;
    long sum;
    __asm__ volatile("cvttsd2si %%xmm9, %0\n\tadd %%r12, %0\n\tadd %%r10, %0\n\tadd %%r8, %0"
                     : "=&r"(sum) : "r"(in_r12), "r"(in_r10), "r"(in_r8), "x"(in_xmm9));
    return sum + value(n);
}

static NOINLINE long by_hand(int file)
{
    register long number __asm__("rax") = SYS_dup;
    register long argument __asm__("rdi") = file;
    __asm__ volatile("syscall" : "+r"(number) : "r"(argument) : "rcx", "r11", "memory");
    return number;
}
#else
static NOINLINE long bound(long n)
{
    return 2 + value(n) + pointer(n) + n + value(n);
}

static NOINLINE long by_hand(int file)
{
    return dup(file);
}
#endif

int main(void)
{
    if (bound(5) != 2 + 15 + 15 + 5 + 15)
        return 1;
    long copy = by_hand(0);
    return copy < 0 || close((int)copy) ? 2 : 0;
}
// CHECK: main 1
// CHECK-NEXT: main;bound 1
// CHECK-NEXT: main;bound;value 3
// CHECK-NEXT: main;by_hand 1
