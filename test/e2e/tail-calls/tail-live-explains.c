// A function that was entered by a tail call calls on. If all paths to the function had ids, the push below the tail call would explain a part of all
// words, too. No chain is lost, and none is wrong.
// RUN: split-file %s %t && cd %t && %hcct-cc -O2 main.c rec.c pointers.c -o x
// RUN: HCCT_OPTIONS=mode=cct ./x && %hcct-decode --all --format=folded --max-depth=0 | sed 's/;rec//g' | sort | uniq -c | sed 's/^ *//' | FileCheck --match-full-lines %s --implicit-check-not='{{.}}'
// RUN: %hcct-decode | FileCheck %s --check-prefix=SOUND
// SOUND: sound:
// Each c has two calls of the next one, so f has 2^55 paths that never run.
//--- main.c
extern void (*volatile gp)(void);
volatile int sink;
static volatile int zero;
void rec(int);
#define N __attribute__((noinline))
N void h(void)
{
    gp();
    sink++;
}
N void f(void)
{
    h();
    sink++;
}
#define C(name, next) N void name(void) { next(); sink++; next(); sink++; }
#define TEN(a, next) \
    C(a##9, next) C(a##8, a##9) C(a##7, a##8) C(a##6, a##7) C(a##5, a##6) C(a##4, a##5) C(a##3, a##4) C(a##2, a##3) C(a##1, a##2) C(a##0, a##1)
C(f4, f) C(f3, f4) C(f2, f3) C(f1, f2) C(f0, f1)
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
extern void (*volatile rp)(int);
extern void (*volatile fp)(void);
__attribute__((noinline)) void tail(void) /* of the pointer's type: another call would be a plain one */
{
    sink++;
    fp();
}
void rec(int depth)
{
    tail();
    if (depth)
        rp(depth - 1);
    sink++;
}
//--- pointers.c
extern volatile int sink;
void f(void), rec(int);
void g(void) { sink++; }
void (*volatile rp)(int) = rec, (*volatile fp)(void) = f, (*volatile gp)(void) = g;
// CHECK: 3001 main 1
// CHECK-NEXT: 3000 main;tail 1
// CHECK-NEXT: 3000 main;tail;f 1
// CHECK-NEXT: 3000 main;tail;f;h 1
// CHECK-NEXT: 3000 main;tail;f;h;g 1
