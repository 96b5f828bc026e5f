// Sibling calls through pointers, of a program that its link numbered, take no stack, whoever finds the callee: the first few look among the
// records, later ones make the table of all functions (runtime/objects/bodies.h).
// RUN: split-file %s %t && cd %t && %hcct-cc -O2 -I%inputs main.c callees.c -o x
// RUN: ulimit -s 256; for mode in cct hcct; do HCCT_OPTIONS=mode=$mode ./x && %hcct-decode --all --view=flat --format=json | FileCheck main.c && \
// RUN:   test $(%hcct-decode --all --format=folded | wc -l) -lt 100 || exit 1; done
//--- callees.c
#include "e2e.h"
extern void (*volatile all[12])(int left);
#define CALLEE(name) \
    void name(int left) \
    { \
        work(); \
        if (left) \
            all[left % 12](left - 1); \
    }
CALLEE(a)
CALLEE(b)
CALLEE(c)
CALLEE(d)
CALLEE(e)
CALLEE(f)
CALLEE(g)
CALLEE(h)
CALLEE(i)
CALLEE(j)
CALLEE(k)
CALLEE(l)
//--- main.c
void a(int left), b(int left), c(int left), d(int left), e(int left), f(int left), g(int left), h(int left), i(int left), j(int left), k(int left), l(int left);
void (*volatile all[12])(int left) = { a, b, c, d, e, f, g, h, i, j, k, l };
int main(void)
{
    a(1200000);
    return 0;
}
// CHECK: "calls": 1200002,
