// Bitcode that was compiled without hcct stays as it is in a link that instruments: its functions are frames in brackets.
// RUN: split-file %s %t && cd %t
// RUN: for mode in -flto -flto=thin; do %hcct-cc $mode -O2 -I%inputs -c one.c && %clang $mode -O2 -I%inputs -c two.c && \
// RUN:   %hcct-cc $mode -O2 one.o two.o -o x && sh %inputs/exact.sh %hcct-decode %s %t/x || exit 1; done
// So does a program that has none that is to be instrumented: it writes no profile.
// RUN: for mode in -flto -flto=thin; do %clang $mode -O2 -I%inputs -c alone.c && rm -f ids.bin && %hcct-cc $mode -O2 alone.o -o x && ./x && test ! -e ids.bin || exit 1; done
//--- one.c
#include "e2e.h"
void between(void);
NOINLINE void leaf(void) { work(); }
static NOINLINE void local(void) { between(); work(); }
int main(void)
{
    local();
    leaf();
    return 0;
}
//--- two.c
#include "e2e.h"
void leaf(void);
static NOINLINE void local(void) { leaf(); work(); }
NOINLINE void between(void) { local(); leaf(); work(); }
//--- alone.c
#include "e2e.h"
static NOINLINE void local(void) { work(); }
int main(void) { local(); return 0; }
// CHECK: main 1
// CHECK-NEXT: main;leaf 1
// CHECK-NEXT: main;local 1
// CHECK-NEXT: main;local;[between];leaf 2
