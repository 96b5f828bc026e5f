// longjmp, _longjmp, siglongjmp and __longjmp_chk by code that is not instrumented, caught by such code too, which then calls
// back from deeper than what it left; in a static program as well.
// RUN: split-file %s %t && cd %t && %clang -O2 -c -I. library.c -o library.o && %clang -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -c -I. checked.c -o checked.o
// RUN: %hcct-cc -O0 -I%inputs -I. main.c library.o checked.o -o 0 && sh %inputs/exact.sh %hcct-decode %s %t/0
// RUN: %hcct-cc -O2 -I%inputs -I. main.c library.o checked.o -o 2 && sh %inputs/exact.sh %hcct-decode %s %t/2
// RUN: %hcct-cc -O2 -static -I%inputs -I. main.c library.o checked.o -o s && sh %inputs/exact.sh %hcct-decode %s %t/s
//--- library.h
void catching(void (*leaves)(int), int how, void (*after)(void));
void leave(int how);
void leave_checked(void);
//--- checked.c
#include <setjmp.h>
extern jmp_buf target;
void leave_checked(void)
{
    longjmp(target, 3);
}
//--- library.c
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdlib.h>
#include "library.h"
jmp_buf target;
static sigjmp_buf target_with_mask;
static __attribute__((noinline)) void deeper(void (*function)(void))
{
    char room[20000];
    __asm__ volatile("" ::"r"(room) : "memory"); /* all of it is there */
    function();
    __asm__ volatile("" ::"r"(room) : "memory");
}
void catching(void (*leaves)(int), int how, void (*after)(void))
{
    int came = how == 2 ? sigsetjmp(target_with_mask, 1) : setjmp(target);
    if (came == 0)
        leaves(how);
    else if (came != how + (how == 0))
        abort();
    deeper(after);
    deeper(after);
}
void leave(int how)
{
    if (how == 0)
        longjmp(target, 0); /* arrives as 1 */
    if (how == 1)
        _longjmp(target, 1);
    if (how == 2)
        siglongjmp(target_with_mask, 2);
    leave_checked();
}
//--- main.c
#include "e2e.h"
#include "library.h"
static NOINLINE void leaf(void) { work(); }
static void (*volatile pointer)(int) = leave;
static NOINLINE void sink(int depth, int how)
{
    if (depth)
        sink(depth - 1, how);
    else
        pointer(how);
    work();
}
static void leaves(int how)
{
    leaf();
    sink(1, how);
    work();
}
static void after(void)
{
    leaf();
    work();
}
int main(void)
{
    for (int how = 0; how < 4; how++)
        catching(leaves, how, after);
    leaf();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[catching];after 8
// CHECK-NEXT: main;[catching];after;leaf 8
// CHECK-NEXT: main;[catching];leaves 4
// CHECK-NEXT: main;[catching];leaves;leaf 4
// CHECK-NEXT: main;[catching];leaves;sink 4
// CHECK-NEXT: main;[catching];leaves;sink;sink 4
// CHECK-NEXT: main;leaf 1
