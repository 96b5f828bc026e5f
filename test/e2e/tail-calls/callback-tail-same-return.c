// A callback leaves by a sibling call to a function that is not instrumented; then the same call instruction of the
// same frame calls another function that is not instrumented, which calls back from deeper.
// A frame of a tail push that is not popped would be taken for live: its stack slot holds the return address that it saw,
// which here is that of the later call too.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"
#include "library.h"

static NOINLINE void leaf(void)
{
    work();
}

static void quiet(void)
{
    static callback *const nothing[] = {0};
    work();
    call_each(nothing);
}

void call_leaf(void); /* in assembler: not instrumented */
__asm__(".globl call_leaf\n"
        "call_leaf:\n"
#if defined(__x86_64__)
        "  sub $24, %rsp\n  call *leaf_pointer(%rip)\n  add $24, %rsp\n  ret\n"
#else
        "  stp x29, x30, [sp, #-32]!\n  adrp x0, leaf_pointer\n  ldr x0, [x0, :lo12:leaf_pointer]\n"
        "  blr x0\n  ldp x29, x30, [sp], #32\n  ret\n"
#endif
);
__attribute__((visibility("hidden"))) callback *leaf_pointer = leaf;

int main(void)
{
    static callback *const list[] = {quiet, call_leaf, 0};
    call_each(list);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[call_each];leaf 1
// CHECK-NEXT: main;[call_each];quiet 1
