// Weak functions that another file overrides or not, weak undefined ones, and aliases, weak and strong.
// RUN: split-file %s %t && cd %t
// RUN: %hcct-cc -O0 -I%inputs main.c other.c -o 0 && sh %inputs/exact.sh %hcct-decode %s %t/0
// RUN: %hcct-cc -O2 -I%inputs main.c other.c -o 2 && sh %inputs/exact.sh %hcct-decode %s %t/2
// RUN: %hcct-cc -O2 -I%inputs other.c main.c -o r && sh %inputs/exact.sh %hcct-decode %s %t/r
//--- main.c
#include "e2e.h"
void leaf(void);
__attribute__((weak)) NOINLINE void overridden(void) { work(); }
__attribute__((weak)) NOINLINE void kept(void) { leaf(); work(); }
__attribute__((weak)) void absent(void);
NOINLINE void real(void) { leaf(); work(); }
void strong_alias(void) __attribute__((alias("real")));
void weak_alias(void) __attribute__((weak, alias("real")));
static void local_alias(void) __attribute__((alias("real")));
int main(void)
{
    overridden();
    kept();
    if (absent)
        absent();
    strong_alias();
    weak_alias();
    local_alias();
    void (*volatile pointer)(void) = strong_alias;
    pointer();
    return 0;
}
//--- other.c
#include "e2e.h"
NOINLINE void leaf(void) { work(); }
NOINLINE void overridden(void) { leaf(); leaf(); work(); }
// CHECK: main 1
// CHECK-NEXT: main;kept 1
// CHECK-NEXT: main;kept;leaf 1
// CHECK-NEXT: main;overridden 1
// CHECK-NEXT: main;overridden;leaf 2
// CHECK-NEXT: main;real 4
// CHECK-NEXT: main;real;leaf 4
