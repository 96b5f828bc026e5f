// A program that the link numbered, and an instrumented library: paths across the border, both ways, and back into recursion.
// RUN: split-file %s %t && cd %t
// RUN: for flto in -flto "-flto -O0"; do %hcct-cc -O2 -fPIC -shared -I%inputs library.c -o liblib.so && \
// RUN:   %hcct-cc -O2 $flto -I%inputs program.c ./liblib.so -o x && sh %inputs/exact.sh %hcct-decode program.c %t/x || exit 1; done
//--- program.c
#include "e2e.h"
void visit(int, void (*)(int));
static NOINLINE void tree(int n)
{
    work();
    if (n) {
        tree(n - 1);
        tree(n - 1);
        work();
    }
}
static NOINLINE void back(int n) { tree(n); work(); }
int main(void)
{
    tree(1);
    visit(1, back);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;tree 1
// CHECK-NEXT: main;tree;tree 2
// CHECK-NEXT: main;visit 1
// CHECK-NEXT: main;visit;back 1
// CHECK-NEXT: main;visit;back;tree 1
// CHECK-NEXT: main;visit;back;tree;tree 2
// CHECK-NEXT: main;visit;visit 1
// CHECK-NEXT: main;visit;visit;back 1
// CHECK-NEXT: main;visit;visit;back;tree 1
//--- library.c
#include "e2e.h"
NOINLINE void visit(int n, void (*f)(int))
{
    f(n);
    if (n)
        visit(n - 1, f);
    work();
}
