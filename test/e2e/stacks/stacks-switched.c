// A stack that the program switches to by assembly of its own, which nothing tells of: every context is a true one with no more
// calls than it had, or below [unknown], which is counted; none is lost. Such a stack begins below the call that switched to it first, or, if it lies above that one, as a root.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/true_or_unknown.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/true_or_unknown.sh %hcct-decode %s %t.2
// RUN: for x in 0 2; do env HCCT_TEST_OPTIONS=:recursion=fold sh %inputs/true_or_unknown.sh %hcct-decode %inputs/stacks_folded.txt %t.$x || exit 1; done
// RUN: %hcct-cc -O2 -DABOVE -I%inputs %s %t.o -o %t.above -lpthread && env ROOT=body sh %inputs/true_or_unknown.sh %hcct-decode %s %t.above
// RUN: %hcct-cc -O2 -fno-optimize-sibling-calls -DBEYOND -I%inputs -I%hcct-source/include %s %t.o -o %t.beyond -lpthread
// RUN: (ulimit -v 400000 && sh %inputs/true_or_unknown.sh %hcct-decode %s %t.beyond)
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "e2e.h"
#include "library.h"

void switch_to(void **left, void *to);
void start_here(void);

#if defined(__x86_64__)
__asm__(".text\n.globl switch_to\n.type switch_to,@function\nswitch_to:\n"
        "  push %rbp\n  push %rbx\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n"
        "  mov %rsp, (%rdi)\n  mov %rsi, %rsp\n"
        "  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbx\n  pop %rbp\n  ret\n"
        ".globl start_here\nstart_here:\n  sub $8, %rsp\n  call *%rbx\n  ud2\n");
enum { SAVED = 8, FUNCTION = 4, START = 6 };
#else
__asm__(".text\n.globl switch_to\n.type switch_to,@function\nswitch_to:\n"
        "  stp x19, x20, [sp, #-96]!\n  stp x21, x22, [sp, #16]\n  stp x23, x24, [sp, #32]\n"
        "  stp x25, x26, [sp, #48]\n  stp x27, x28, [sp, #64]\n  stp x29, x30, [sp, #80]\n"
        "  mov x9, sp\n  str x9, [x0]\n  mov sp, x1\n"
        "  ldp x21, x22, [sp, #16]\n  ldp x23, x24, [sp, #32]\n  ldp x25, x26, [sp, #48]\n"
        "  ldp x27, x28, [sp, #64]\n  ldp x29, x30, [sp, #80]\n  ldp x19, x20, [sp], #96\n  ret\n"
        ".globl start_here\nstart_here:\n  blr x19\n  brk #1\n");
enum { SAVED = 12, FUNCTION = 0, START = 11 };
#endif

enum { BYTES = 1 << 16, LOOPS = 3 };
static void *home, *away;

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE void yield(void)
{
    switch_to(&away, home);
    work();
}

static NOINLINE void middle(void)
{
    call(leaf);
    yield();
    call(leaf);
    leaf();
    work();
}

static NOINLINE void yields(void)
{
    leaf();
    yield();
    leaf();
    work();
}

static NOINLINE void body(void)
{
    for (int i = 0; i < LOOPS; i++) {
        middle();
        call_both(yields, leaf); /* leaf enters fresh, after a switch that only yield saw */
    }
    yield();
}

static NOINLINE void resume(void)
{
    switch_to(&home, away);
    work();
}

static NOINLINE void deep(int more)
{
    if (more)
        deep(more - 1);
    else
        resume();
    call(leaf);
    work();
}

/* What lies on the thread's context stack is another thing each time. */
static NOINLINE void run(uintptr_t *stack)
{
    uintptr_t *top = stack + BYTES / sizeof *stack - SAVED;
    top[FUNCTION] = (uintptr_t)body;
    top[START] = (uintptr_t)start_here;
    away = top;
    resume();
    for (int i = 1; i <= 2 * LOOPS; i++)
        deep(i % 3);
}

#ifdef ABOVE /* in memory above the thread's stack */
static void *thread(void *unused)
{
    static _Alignas(16) uintptr_t stack[BYTES / sizeof(uintptr_t)];
    run(stack);
    return unused;
}
#endif

#ifdef BEYOND /* another thread has passed the limit of its context stack, which is small where address space is short */
#include <hcct/hcct.h>

static NOINLINE int pass(int depth)
{
    int result = depth ? pass(depth - 1) : 0;
    work();
    return result + 1;
}

static void *beyond(void *unused)
{
    pass(60000);
    return unused;
}

__attribute__((no_profile_instrument_function)) static void pass_limit(void)
{
    pthread_t id;
    hcct_stop();
    pthread_create(&id, NULL, beyond, NULL);
    pthread_join(id, NULL);
    hcct_start();
}
#endif

int main(void)
{
#ifdef BEYOND
    pass_limit();
#endif
#ifdef ABOVE
    pthread_attr_t attributes;
    pthread_t id;
    static _Alignas(65536) char low[1 << 18];
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, low, sizeof low);
    pthread_create(&id, &attributes, thread, NULL);
    pthread_join(id, NULL);
#else
    static _Alignas(16) uintptr_t stack[BYTES / sizeof(uintptr_t)];
    run(stack);
#endif
    return 0;
}
// TRUE: run 1
// TRUE: run;resume 1
// TRUE: run;deep 6
// TRUE: run;deep;deep 4
// TRUE: run;deep;deep;deep 2
// TRUE: run;deep;resume 2
// TRUE: run;deep;deep;resume 2
// TRUE: run;deep;deep;deep;resume 2
// TRUE: run;deep;[call];leaf 6
// TRUE: run;deep;deep;[call];leaf 4
// TRUE: run;deep;deep;deep;[call];leaf 2
// TRUE: run;resume;[switch_to];body 1
// TRUE: run;resume;[switch_to];body;middle 3
// TRUE: run;resume;[switch_to];body;middle;[call];leaf 6
// TRUE: run;resume;[switch_to];body;middle;leaf 3
// TRUE: run;resume;[switch_to];body;middle;yield 3
// TRUE: run;resume;[switch_to];body;[call_both];yields 3
// TRUE: run;resume;[switch_to];body;[call_both];yields;leaf 6
// TRUE: run;resume;[switch_to];body;[call_both];yields;yield 3
// TRUE: run;resume;[switch_to];body;[call_both];leaf 3
// TRUE: run;resume;[switch_to];body;yield 1
