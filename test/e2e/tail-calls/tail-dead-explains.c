// A tail call has ended, and the same call site calls again: the frame of the ended call looks live. If all
// paths to the function had ids, it would explain half of all words. No chain is lost, and none is wrong.
// RUN: split-file %s %t && cd %t && %hcct-cc -O2 main.c rec.c pointers.c callees.c g.c -o x
// RUN: HCCT_OPTIONS=mode=cct ./x && %hcct-decode --all --format=folded --max-depth=0 | sed 's/;rec//g' | sort | uniq -c | sed 's/^ *//' | FileCheck --match-full-lines %s --implicit-check-not='{{.}}'
// RUN: %hcct-decode | FileCheck %s --check-prefix=SOUND
// SOUND: sound:
// Each c has two calls of the next one, so f has 2^55 paths that never run.
// (f's pointer is of its own type: another call would be a plain one.)
//--- main.c
typedef void fn(int);
extern fn *volatile gp, *volatile wp;
volatile int sink;
static volatile int zero;
void rec(int);
#define N __attribute__((noinline))
N void f(int pushes)
{
    if (!pushes) {
        gp(0);
        return;
    }
    wp(0);
    sink++;
}
#define C(name, next) N void name(void) { next(); sink++; next(); sink++; }
#define TEN(a, next) \
    C(a##9, next) C(a##8, a##9) C(a##7, a##8) C(a##6, a##7) C(a##5, a##6) C(a##4, a##5) C(a##3, a##4) C(a##2, a##3) C(a##1, a##2) C(a##0, a##1)
N void last(void)
{
    sink++;
    f(0);
    f(1);
    sink++;
}
C(f3, last) C(f2, f3) C(f1, f2) C(f0, f1)
TEN(e, f0) TEN(d, e0) TEN(c, d0) TEN(b, c0) TEN(a, b0)
int main(void)
{
    if (zero)
        a0();
    rec(2999);
    return 0;
}
//--- rec.c
extern volatile int sink;
void f(int);
extern void (*volatile rp)(int);
void rec(int depth)
{
    for (int i = 0; i < 2; i++) {
        __asm__("" : "+r"(i));
        f(i);
    }
    if (depth)
        rp(depth - 1);
    sink++;
}
//--- pointers.c
typedef void fn(int);
void leaf(int), g(int), work(int), rec(int);
fn *volatile lp = leaf, *volatile gp = g, *volatile wp = work;
void (*volatile rp)(int) = rec;
//--- callees.c
extern volatile int sink;
void leaf(int x) { sink += x + 1; }
void work(int x) { sink += x + 1; }
//--- g.c
typedef void fn(int);
extern fn *volatile lp;
extern volatile int sink;
void g(int x) { sink++; lp(x); }
// CHECK: 3001 main 1
// CHECK-NEXT: 3000 main;f 2
// CHECK-NEXT: 3000 main;f;g 1
// CHECK-NEXT: 3000 main;f;g;leaf 1
// CHECK-NEXT: 3000 main;f;work 1
