// Inline assembly that calls an instrumented function: the call hangs below the function that the assembly is in.
// XFAIL: *
// Wrong: assembly is no call to the pass, so nothing is pushed, and what it calls hangs below the last live push, or is a root
// if there is none.
// RUN: %hcct-cc -O0 -I%S/Inputs %s -o %t.0 && sh %S/Inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%S/Inputs %s -o %t.2 && sh %S/Inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"

__attribute__((used)) NOINLINE void leaf(void)
{
    work();
}

static NOINLINE void by_assembly(void)
{
#if defined(__x86_64__)
    __asm__ volatile("lea -256(%%rsp), %%rsp\n\tmov %%rsp, %%rbx\n\tand $-16, %%rsp\n\tcall leaf@PLT\n\tmov %%rbx, %%rsp\n\tlea 256(%%rsp), %%rsp"
                     ::: "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
#else
    leaf();
#endif
    work();
}

int main(void)
{
    by_assembly();
    leaf();
    by_assembly();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;by_assembly 2
// CHECK-NEXT: main;by_assembly;leaf 2
// CHECK-NEXT: main;leaf 1
