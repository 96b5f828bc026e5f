// Objects for LTO, full and thin, fat ones, and usual ones in one program: one profile, in which nothing is counted twice.
// RUN: split-file %s %t && cd %t
// RUN: for mode in "-flto|-flto" "-flto=thin|-flto=thin" "-flto|" "|-flto=thin" "-flto=thin|" "-flto -ffat-lto-objects|" "-flto=thin -ffat-lto-objects|-flto=thin -ffat-lto-objects"; do \
// RUN:   echo "$mode" && %hcct-cc -O2 ${mode%%%%|*} -I%inputs -c one.c && %hcct-cc -O2 ${mode##*|} -I%inputs -c two.c && \
// RUN:   %hcct-cc -O2 -fuse-ld=lld -flto one.o two.o -o x && sh %inputs/exact.sh %hcct-decode %s %t/x && \
// RUN:   %hcct-cc -O2 -fuse-ld=lld -flto -static -Wl,--gc-sections one.o two.o -o x && sh %inputs/exact.sh %hcct-decode %s %t/x || exit 1; done
// Fat objects, which LLVM 16 does not have, are usual ones to a linker that does not use the other half.
// RUN: for linker in %if clang-16 %{ %} %else %{ bfd lld %}; do %hcct-cc -O2 -flto -ffat-lto-objects -I%inputs -c one.c && %hcct-cc -O2 -flto -ffat-lto-objects -I%inputs -c two.c && \
// RUN:   %hcct-cc -O2 -fno-lto -fuse-ld=$linker one.o two.o -o x && sh %inputs/exact.sh %hcct-decode %s %t/x || exit 1; done
//--- one.c
#include "e2e.h"
void visit(int, void (*)(void));
NOINLINE void leaf(void) { work(); }
static NOINLINE void local(void) { leaf(); work(); }
int main(void)
{
    visit(2, local);
    local();
    return 0;
}
//--- two.c
#include "e2e.h"
void leaf(void);
static NOINLINE void local(void) { leaf(); leaf(); work(); }
NOINLINE void visit(int n, void (*back)(void))
{
    if (n)
        visit(n - 1, back);
    else
        local();
    back();
    work();
}
// CHECK: main 1
// CHECK-NEXT: main;local (one.c) 1
// CHECK-NEXT: main;local (one.c);leaf 1
// CHECK-NEXT: main;visit 1
// CHECK-NEXT: main;visit;local (one.c) 1
// CHECK-NEXT: main;visit;local (one.c);leaf 1
// CHECK-NEXT: main;visit;visit 1
// CHECK-NEXT: main;visit;visit;local (one.c) 1
// CHECK-NEXT: main;visit;visit;local (one.c);leaf 1
// CHECK-NEXT: main;visit;visit;visit 1
// CHECK-NEXT: main;visit;visit;visit;local (one.c) 1
// CHECK-NEXT: main;visit;visit;visit;local (one.c);leaf 1
// CHECK-NEXT: main;visit;visit;visit;local (two.c) 1
// CHECK-NEXT: main;visit;visit;visit;local (two.c);leaf 2
