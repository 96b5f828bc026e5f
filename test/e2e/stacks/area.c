// Assembly that goes on in memory of its caller's frame, with its return address there, as libffi's ffi_call: what it calls back is below
// the call that led to it, each at its own site.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
// RUN: %hcct-cc -Os -I%inputs %s -o %t.s && sh %inputs/exact.sh %hcct-decode %s %t.s
// RUN: env HCCT_OPTIONS=recursion=fold:mode=cct:output=%t.bin %t.2 && %hcct-decode --format=json --all %t.bin | FileCheck --check-prefix=FOLD %s
// FOLD: "dropped": {"memory": 0, "chain": 0,
// FOLD: "misplaced": {"stale": 0, "overflowed": 0, "lost_pushes": 0}
#include <alloca.h>
#include <setjmp.h>
#include <stdint.h>

#include "e2e.h"

typedef void function(int);
void on_area(void *top, function *callee, int argument);

#if defined(__x86_64__)
__asm__(".text\n.globl on_area\n.type on_area,@function\non_area:\n"
        "  pop %r10\n  mov %r10, (%rdi)\n  mov %rbp, 8(%rdi)\n  mov %rsp, 16(%rdi)\n"
        "  mov %rdi, %rbp\n  mov %rdi, %rsp\n  mov %edx, %edi\n  call *%rsi\n"
        "  mov (%rbp), %r10\n  mov 16(%rbp), %rsp\n  mov 8(%rbp), %rbp\n  jmp *%r10\n"
        ".size on_area, .-on_area\n");
#else
__asm__(".text\n.globl on_area\n.type on_area,%function\non_area:\n"
        "  mov x9, sp\n  stp x29, x30, [x0]\n  str x9, [x0, #16]\n  mov x29, x0\n  mov sp, x0\n"
        "  mov w0, w2\n  blr x1\n"
        "  ldr x9, [x29, #16]\n  mov sp, x9\n  ldp x29, x30, [x29]\n  ret\n"
        ".size on_area, .-on_area\n");
#endif

enum { BYTES = 1 << 13, LOOPS = 100 };
static jmp_buf target;
static function *volatile again;
static void turns(int argument);

static inline __attribute__((always_inline)) void *end_of(char *area, unsigned bytes)
{
    return (void *)(((uintptr_t)area + bytes - 64) & ~(uintptr_t)63);
}

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE void callee(int argument)
{
    leaf();
    if (argument)
        again(argument - 1);
    leaf();
}

static NOINLINE void leaver(int argument)
{
    if (!argument)
        longjmp(target, 1);
    leaf();
}

static NOINLINE void of_array(function *function)
{
    char area[BYTES];
    on_area(end_of(area, BYTES), function, 1);
    leaf();
}

static NOINLINE void of_alloca(function *function, unsigned bytes)
{
    for (int i = 0; i < 2; i++)
        on_area(end_of(alloca(bytes), bytes), function, i);
    leaf();
}

static NOINLINE void by_pointer(void (*volatile *through)(void *, function *, int))
{
    char area[BYTES];
    (*through)(end_of(area, BYTES), callee, 0);
    leaf();
}

static NOINLINE void jumps(void)
{
    char area[BYTES];
    volatile int argument = 1;
    if (!setjmp(target)) {
        on_area(end_of(area, BYTES), leaver, argument);
        on_area(end_of(area, BYTES), leaver, 0);
    }
    leaf();
    on_area(end_of(area, BYTES), callee, 0);
}

/* In a cycle of tail calls: a push's frame stays, and nobody pops it. */
static NOINLINE void goes_on(int argument)
{
    leaf();
    if (argument)
        turns(argument);
}

static NOINLINE void turns(int argument)
{
    leaf();
    goes_on(argument - 1);
}

static NOINLINE void before(void)
{
    goes_on(1);
    leaf();
}

/* Its frame is where before() had called: what the tail calls left is below its own push, and dead. */
static NOINLINE void over_tails(void)
{
    char area[BYTES];
    on_area(end_of(area, BYTES), goes_on, 1);
    on_area(end_of(area, BYTES), callee, 0);
    leaf();
}

static NOINLINE void tails(int argument)
{
    (void)argument;
    before();
    over_tails();
}

/* Not near to the frames of what it calls. */
__attribute__((no_profile_instrument_function)) static NOINLINE void twice(function *function)
{
    char away[256];
    __asm__ volatile("" : : "r"(away) : "memory");
    function(1);
    function(0);
    work();
}

int main(void)
{
    void (*volatile through)(void *, function *, int) = on_area;
    again = callee;
    for (int i = 0; i < LOOPS; i++) {
        of_array(callee);
        of_alloca(callee, BYTES);
        by_pointer(&through);
        jumps();
        twice(tails);
    }
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[twice];tails 200
// CHECK-NEXT: main;[twice];tails;before 200
// CHECK-NEXT: main;[twice];tails;before;goes_on 200
// CHECK-NEXT: main;[twice];tails;before;goes_on;leaf 200
// CHECK-NEXT: main;[twice];tails;before;goes_on;turns 200
// CHECK-NEXT: main;[twice];tails;before;goes_on;turns;goes_on 200
// CHECK-NEXT: main;[twice];tails;before;goes_on;turns;goes_on;leaf 200
// CHECK-NEXT: main;[twice];tails;before;goes_on;turns;leaf 200
// CHECK-NEXT: main;[twice];tails;before;leaf 200
// CHECK-NEXT: main;[twice];tails;over_tails 200
// CHECK-NEXT: main;[twice];tails;over_tails;[on_area];callee 200
// CHECK-NEXT: main;[twice];tails;over_tails;[on_area];callee;leaf 400
// CHECK-NEXT: main;[twice];tails;over_tails;[on_area];goes_on 200
// CHECK-NEXT: main;[twice];tails;over_tails;[on_area];goes_on;leaf 200
// CHECK-NEXT: main;[twice];tails;over_tails;[on_area];goes_on;turns 200
// CHECK-NEXT: main;[twice];tails;over_tails;[on_area];goes_on;turns;goes_on 200
// CHECK-NEXT: main;[twice];tails;over_tails;[on_area];goes_on;turns;goes_on;leaf 200
// CHECK-NEXT: main;[twice];tails;over_tails;[on_area];goes_on;turns;leaf 200
// CHECK-NEXT: main;[twice];tails;over_tails;leaf 200
// CHECK-NEXT: main;by_pointer 100
// CHECK-NEXT: main;by_pointer;callee 100
// CHECK-NEXT: main;by_pointer;callee;leaf 200
// CHECK-NEXT: main;by_pointer;leaf 100
// CHECK-NEXT: main;jumps 100
// CHECK-NEXT: main;jumps;[on_area];callee 100
// CHECK-NEXT: main;jumps;[on_area];callee;leaf 200
// CHECK-NEXT: main;jumps;[on_area];leaver 200
// CHECK-NEXT: main;jumps;[on_area];leaver;leaf 100
// CHECK-NEXT: main;jumps;leaf 100
// CHECK-NEXT: main;of_alloca 100
// CHECK-NEXT: main;of_alloca;[on_area];callee 200
// CHECK-NEXT: main;of_alloca;[on_area];callee;callee 100
// CHECK-NEXT: main;of_alloca;[on_area];callee;callee;leaf 200
// CHECK-NEXT: main;of_alloca;[on_area];callee;leaf 400
// CHECK-NEXT: main;of_alloca;leaf 100
// CHECK-NEXT: main;of_array 100
// CHECK-NEXT: main;of_array;[on_area];callee 100
// CHECK-NEXT: main;of_array;[on_area];callee;callee 100
// CHECK-NEXT: main;of_array;[on_area];callee;callee;leaf 200
// CHECK-NEXT: main;of_array;[on_area];callee;leaf 200
// CHECK-NEXT: main;of_array;leaf 100
