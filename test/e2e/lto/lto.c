// -flto and -flto=thin: the program is instrumented in the link, as a whole, whatever it becomes; static functions of equal names
// stay apart.
// REQUIRES: turn-6
// RUN: split-file %s %t && cd %t
// RUN: for mode in -flto -flto=thin; do for level in -O0 -O1 -O2 -Os "-O2 -g"; do echo "$mode $level" && \
// RUN:   for file in one two; do %hcct-cc $mode $level -fPIE -I%inputs -c $file.c || exit 1; done && \
// RUN:   for link in "" -static -static-pie -no-pie "-fuse-ld=lld -Wl,--gc-sections" "-Wl,--icf=all,-s" -flto; do \
// RUN:     echo "$link" && %hcct-cc $mode $level $link one.o two.o -o x && sh %inputs/exact.sh %hcct-decode %s %t/x || exit 1; done; done; done
// In one command.
// RUN: for mode in -flto -flto=thin; do %hcct-cc $mode -O2 -I%inputs one.c two.c -o x && sh %inputs/exact.sh %hcct-decode %s %t/x || exit 1; done
//--- one.c
#include <stdlib.h>
#include "e2e.h"
void visit(int, void (*)(void));
int compare(const void *, const void *);
NOINLINE void leaf(void) { work(); }
static NOINLINE void local(void) { leaf(); work(); }
__attribute__((constructor)) static void before(void) { local(); work(); }
static void after(void) { local(); work(); }
int main(void)
{
    int two[] = {2, 1};
    atexit(after);
    qsort(two, 2, sizeof two[0], compare);
    visit(1, local);
    local();
    return two[0] != 1;
}
//--- two.c
#include "e2e.h"
void leaf(void);
static NOINLINE void local(void) { leaf(); leaf(); work(); }
int compare(const void *a, const void *b) { local(); return *(const int *)a - *(const int *)b; }
NOINLINE void visit(int n, void (*back)(void))
{
    if (n)
        visit(n - 1, back);
    else
        local();
    back();
    work();
}
// CHECK: after 1
// CHECK-NEXT: after;local (one.c) 1
// CHECK-NEXT: after;local (one.c);leaf 1
// CHECK-NEXT: before 1
// CHECK-NEXT: before;local (one.c) 1
// CHECK-NEXT: before;local (one.c);leaf 1
// CHECK-NEXT: main 1
// CHECK-NEXT: main;[qsort];compare 1
// CHECK-NEXT: main;[qsort];compare;local (two.c) 1
// CHECK-NEXT: main;[qsort];compare;local (two.c);leaf 2
// CHECK-NEXT: main;local (one.c) 1
// CHECK-NEXT: main;local (one.c);leaf 1
// CHECK-NEXT: main;visit 1
// CHECK-NEXT: main;visit;local (one.c) 1
// CHECK-NEXT: main;visit;local (one.c);leaf 1
// CHECK-NEXT: main;visit;visit 1
// CHECK-NEXT: main;visit;visit;local (one.c) 1
// CHECK-NEXT: main;visit;visit;local (one.c);leaf 1
// CHECK-NEXT: main;visit;visit;local (two.c) 1
// CHECK-NEXT: main;visit;visit;local (two.c);leaf 2
