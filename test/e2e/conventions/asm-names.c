// Local functions that assembly calls by a name which the source gave them, or in an `asm goto`, are entered by it too.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"

#if defined(__x86_64__)
#define CALL(function)                                                                                                   \
    "movabs $0x123456789, %%r10\n\tlea -128(%%rsp), %%rsp\n\tpush %%rbx\n\tmov %%rsp, %%rbx\n\tand $-16, %%rsp\n\tcall " function \
    "\n\tmov %%rbx, %%rsp\n\tpop %%rbx\n\tlea 128(%%rsp), %%rsp"
#else
#define CALL(function) "movn x18, #77\n\tmovn x15, #77\n\tbl " function
#endif

__attribute__((used)) static void labelled(void) __asm__("another_name");

__attribute__((used)) static NOINLINE void labelled(void)
{
    work();
}

__attribute__((used)) static NOINLINE void jumped_to(void)
{
    work();
}

static NOINLINE void by_name(void)
{
    __asm__ volatile(CALL("another_name") ::);
    labelled();
}

/* To the compiler it is no call. */
static NOINLINE void by_goto(void)
{
    __asm__ goto(CALL("jumped_to") : : : : out);
    work();
out:
    jumped_to();
}

int main(void)
{
    by_name();
    by_goto();
    return 0;
}
// CHECK: jumped_to 1
// CHECK-NEXT: main 1
// CHECK-NEXT: main;by_goto 1
// CHECK-NEXT: main;by_goto;jumped_to 1
// CHECK-NEXT: main;by_name 1
// CHECK-NEXT: main;by_name;another_name 2
