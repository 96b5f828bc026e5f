// At every single instruction unwinding finds the context, but for callers that are marked as unknown. The program goes through calls,
// recursion, pointers, callbacks, sibling calls, jumps, exceptions, signals and fibers, stepped by the processor's trap flag; where it
// says for sure which context that is (hcct_context tells it from a register), each step compares.
// REQUIRES: turn-4
// RUN: %clang -O2 -I%hcct-source -I%hcct-source/include -c %inputs/unwound.c -o %t.unwound.o
// RUN: %hcct-c++ -O0 -I%hcct-source/include -I%inputs %s %t.unwound.o -o %t.u0 && HCCT_OPTIONS=output=%t.bin %t.u0
// RUN: %hcct-c++ -O2 -I%hcct-source/include -I%inputs %s %t.unwound.o -o %t.u2 && HCCT_OPTIONS=output=%t.bin %t.u2
// RUN: %hcct-c++ -O2 -flto -I%hcct-source/include -I%inputs %s %t.unwound.o -o %t.ul && HCCT_OPTIONS=output=%t.bin %t.ul
#include <hcct/abi.h>
#include <hcct/hcct.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "e2e.h"
#include "steps.h"

/* --- what each step does -------------------------------------------------------------------------- */

static volatile uint64_t book;
static volatile bool sure;
static unsigned long steps, compared, wrong, unknown;
static const char *place = "";

/* I am here, in the context `own`, until LEAVE. */
#define AT(own) (place = __func__, book = (own), sure = true)
#define LEAVE() (sure = false)

extern "C" {
enum unwound { UNWOUND_NOT, UNWOUND_IN_PART, UNWOUND };
enum unwound unwind(const void *context, uint64_t *word); /* unwound.c */

OUTSIDE void step(int, siginfo_t *, void *context)
{
    uint64_t found = 0;
    steps++;
    if (!sure)
        return;
    compared++;
    enum unwound result = unwind(context, &found);
    unknown += result == UNWOUND_IN_PART;
    if (result == UNWOUND_IN_PART)
        return;
    found = result == UNWOUND ? found : 0;
    if (found != book && wrong++ < 10)
        fprintf(stderr, "in or below %s: %llx, not %llx\n", place, (unsigned long long)found, (unsigned long long)book);
}
}

/* --- the program ---------------------------------------------------------------------------------- */

NOINLINE static void leaf(void)
{
    AT(hcct_context());
    work();
    LEAVE();
}

static void (*volatile pointer)(void) = leaf;

NOINLINE static void down(int n)
{
    uint64_t own = hcct_context();
    AT(own);
    work();
    LEAVE();
    if (n)
        down(n - 1);
    AT(own);
    work();
    LEAVE();
    leaf();
    AT(own);
    work();
    LEAVE();
}

/* Calls back twice, and is called by `book`'s context. */
OUTSIDE void outside(void (*back)(void))
{
    uint64_t mine = book;
    for (int i = 0; i < 2; i++) {
        AT(mine);
        work();
        LEAVE();
        back();
    }
    AT(mine);
    work();
    LEAVE();
}

NOINLINE void last(void)
{
    leaf();
    work();
}

NOINLINE void sibling(void)
{
    work();
    last();
}

static void (*volatile sibling_pointer)(void) = sibling;

NOINLINE void through_pointer(void)
{
    work();
    sibling_pointer();
}

/* Two ways of sibling calls to `far`: one is a single call, the other longer than a search goes. */
NOINLINE void far(void)
{
    AT(hcct_context());
    work();
    LEAVE();
}

#define HOP(name, next)    \
    NOINLINE void name(void) \
    {                      \
        work();            \
        next();            \
    }
HOP(hop1, far)
HOP(hop2, hop1)
HOP(hop3, hop2)
HOP(hop4, hop3)
HOP(hop5, hop4)
HOP(hop6, hop5)
HOP(hop7, hop6)
HOP(hop8, hop7)

static volatile bool is_short;

NOINLINE void near(void)
{
    work();
    if (is_short)
        far();
    else
        hop8();
}

NOINLINE static void ways(void)
{
    near();
    is_short = !is_short;
    near();
    work();
}

static jmp_buf target;

NOINLINE static void jump(int n)
{
    leaf();
    if (n)
        jump(n - 1);
    longjmp(target, 1);
}

NOINLINE static void jumps(void)
{
    uint64_t own = hcct_context();
    if (!setjmp(target))
        jump(3);
    AT(own);
    work();
    LEAVE();
}

NOINLINE static void fail(void)
{
    leaf();
    throw 1;
}

NOINLINE static void catches(void)
{
    volatile uint64_t own = hcct_context();
    try {
        pointer();
        fail();
    } catch (int) {
        AT(own);
        work();
        LEAVE();
    }
    AT(own);
    work();
    LEAVE();
}

OUTSIDE void catch_outside(void)
{
    uint64_t mine = book;
    try {
        fail();
    } catch (int) {
        AT(mine);
        work();
        LEAVE();
    }
    leaf();
    AT(mine);
    work();
    LEAVE();
}

static void handle(int)
{
    AT(hcct_context());
    work();
    LEAVE();
    pointer();
}

static ucontext_t here, there;

static void fiber(void)
{
    uint64_t own = hcct_context();
    for (int i = 0; i < 2; i++) {
        AT(own);
        work();
        LEAVE();
        swapcontext(&there, &here);
    }
}

NOINLINE static void fibers(void)
{
    static char stack[65536];
    uint64_t own = hcct_context();
    getcontext(&there);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    makecontext(&there, fiber, 0);
    for (int i = 0; i < 2; i++) {
        AT(own);
        work();
        LEAVE();
        swapcontext(&here, &there);
        AT(own);
        work();
        LEAVE();
    }
}

NOINLINE static int compare(const void *a, const void *b)
{
    AT(hcct_context());
    int result = *(const int *)a - *(const int *)b;
    LEAVE();
    return result;
}

NOINLINE static void sort(void)
{
    int numbers[] = { 3, 1, 2 };
    uint64_t own = hcct_context();
    AT(own);
    char text[100];
    memset(text, numbers[0], sizeof text); /* below this function all the time */
    LEAVE();
    qsort(numbers, 3, sizeof numbers[0], compare);
    AT(own);
    work();
    LEAVE();
}

int main(void)
{
    static void (*const all[])(void) = { leaf, sibling, through_pointer, ways, jumps, catches, fibers, sort };
    static void (*volatile const *const list)(void) = all;
    uint64_t own = hcct_context();
    signal(SIGUSR1, handle);
    begin_steps();
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        AT(own);
        work();
        LEAVE();
        list[i]();
        AT(own);
        work();
        LEAVE();
        outside(list[i]);
    }
    down(3);
    AT(own);
    LEAVE();
    catch_outside();
    raise(SIGUSR1);
    AT(own);
    work();
    LEAVE();
    end_steps();
    fprintf(stderr, "%lu steps, %lu compared, %lu wrong, %lu with unknown callers\n", steps, compared, wrong, unknown);
    return wrong || compared < 200 || steps < 20000 || unknown > compared / 4;
}
