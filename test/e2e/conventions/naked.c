// A naked function is left alone and works; in a link too, where only its assembly refers to a function.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
// RUN: for mode in -flto -flto=thin; do %hcct-cc -O2 $mode -I%inputs %s -o %t.l && sh %inputs/exact.sh %hcct-decode %s %t.l || exit 1; done
#include "e2e.h"

NOINLINE void leaf(void)
{
    work();
}

__attribute__((naked)) void relay(void)
{
#if defined(__x86_64__)
    __asm__("jmp leaf");
#else
    __asm__("b leaf");
#endif
}

int main(void)
{
    relay();
    leaf();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[relay];leaf 1
// CHECK-NEXT: main;leaf 1
