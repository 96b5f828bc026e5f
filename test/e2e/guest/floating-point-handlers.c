// The floating-point environment that a handler begins with, what it leaves behind, and what is there behind a siglongjmp out of it are
// those without hcct, wherever the signal came, in the profiler too; so are those of stacks that swapcontext switches.
// RUN: %clang -O1 -I%inputs %s -lm -o %t.plain && %t.plain > %t.expected && FileCheck %s < %t.expected
// RUN: for level in -O0 -O2; do %hcct-cc $level -I%inputs %s -lm -o %t.x && for options in mode=hcct mode=cct mode=hcct:memory=0:phi=0.5:epsilon=0.1 snapshot=10ms budget=1%%; do \
// RUN:   HCCT_OPTIONS=output=%t.bin:$options %t.x > %t.found && diff %t.expected %t.found || { echo $level $options; exit 1; }; done; done
// CHECK: raised: begins
// CHECK-NEXT: behind: direction 1 flags 1
// CHECK: timer: 0 begin otherwise, 0 leave otherwise
#define _GNU_SOURCE
#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "e2e.h"

/* All that a program can see: control and flags. */
struct environment {
    unsigned control, status, flags;
    int direction;
};

static struct environment environment_now(void)
{
    struct environment now = { 0, 0, (unsigned)fetestexcept(FE_ALL_EXCEPT), fegetround() };
#if defined(__x86_64__)
    unsigned short control, status;
    __asm__ volatile("fnstcw %0\n\tfnstsw %1" : "=m"(control), "=m"(status));
    __asm__ volatile("stmxcsr %0" : "=m"(now.control));
    now.status = (unsigned)control << 16 | (status & 0x3fu);
#endif
    return now;
}

static void print(const char *where, struct environment e)
{
    printf("%s %#x %#x %#x %#x\n", where, e.control, e.status, e.flags, (unsigned)e.direction);
}

static void (*volatile pointer)(int);

static NOINLINE void leaf(int i)
{
    worked += i;
}

static NOINLINE void many(int depth, int ways)
{
    for (int i = 0; i < ways; i++)
        if (depth)
            many(depth - 1, ways - (i & 1));
        else
            pointer(i);
    work();
}

/* --- handlers ------------------------------------------------------------------------------------ */

static struct environment begun; /* the last handler's */
static volatile int wanted_signals, other;
static struct environment usual;
static sigjmp_buf place;

/* Leaves what another one is to see nothing of. */
static void upset(void)
{
    fesetround(FE_TOWARDZERO);
    feraiseexcept(FE_DIVBYZERO | FE_OVERFLOW);
}

static void handler(int signal)
{
    begun = environment_now();
    many(2, 3);
    upset();
    (void)signal;
}

static void on_timer(int signal)
{
    begun = environment_now();
    other += memcmp(&begun, &usual, sizeof usual) != 0;
    wanted_signals--;
    pointer(1);
    upset();
    (void)signal;
}

static void leaving(int signal)
{
    begun = environment_now();
    fesetround(FE_DOWNWARD);
    feraiseexcept(FE_UNDERFLOW);
    many(1, 2);
    siglongjmp(place, signal);
}

static void set_handler(int signal, void (*function)(int), int flags)
{
    struct sigaction action = { .sa_flags = flags };
    action.sa_handler = function;
    sigaction(signal, &action, NULL);
}

/* The program's own. */
static void set_environment(void)
{
    fesetround(FE_UPWARD);
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(FE_INEXACT);
}

static void test_raised(int flags)
{
    set_handler(SIGUSR1, handler, flags);
    set_environment();
    raise(SIGUSR1);
    struct environment now = environment_now();
    print("raised: begins", begun);
    printf("behind: direction %d flags %d\n", now.direction == FE_UPWARD, now.flags == FE_INEXACT);
    print("behind:", now);
}

static void test_left(void)
{
    set_handler(SIGUSR2, leaving, 0);
    set_environment();
    if (!sigsetjmp(place, 1))
        raise(SIGUSR2);
    struct environment now = environment_now();
    print("left: begins", begun);
    print("left: behind", now);
}

/* Wherever it comes: in the profiler it is put off. */
static void test_timer(void)
{
    const struct itimerval often = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };
    int changed = 0;
    set_environment();
    set_handler(SIGALRM, on_timer, SA_RESTART);
    usual = begun;
    raise(SIGALRM);
    usual = begun;
    wanted_signals = 300;
    other = 0;
    set_environment();
    const struct environment before = environment_now();
    setitimer(ITIMER_REAL, &often, NULL);
    while (wanted_signals > 0) {
        many(3, 4);
        struct environment now = environment_now();
        changed += memcmp(&now, &before, sizeof now) != 0;
    }
    setitimer(ITIMER_REAL, &never, NULL);
    printf("timer: %d begin otherwise, %d leave otherwise\n", other, changed);
}

/* The program's exception that is trapped. */
static void test_trapped(void)
{
    volatile double zero = 0, one = 1;
    set_handler(SIGFPE, leaving, 0);
    feclearexcept(FE_ALL_EXCEPT);
    if (feenableexcept(FE_DIVBYZERO) < 0) /* AArch64 */
        printf("not trapped\n");
    else if (!sigsetjmp(place, 1))
        one = one / zero;
    else
        print("trapped: begins", begun);
    print("trapped: behind", environment_now());
    fedisableexcept(FE_ALL_EXCEPT);
}

/* --- stacks -------------------------------------------------------------------------------------- */

static ucontext_t first, second;
static char stack[1 << 16];

static void on_stack(void)
{
    print("stack: begins", environment_now());
    fesetround(FE_TOWARDZERO);
    many(2, 2);
    swapcontext(&second, &first);
    print("stack: again", environment_now());
}

static void test_stacks(void)
{
    set_environment();
    getcontext(&second);
    second.uc_stack.ss_sp = stack;
    second.uc_stack.ss_size = sizeof stack;
    second.uc_link = &first;
    makecontext(&second, on_stack, 0);
    fesetround(FE_DOWNWARD);
    swapcontext(&first, &second);
    print("stack: back", environment_now());
    fesetround(FE_TONEAREST);
    swapcontext(&first, &second);
    print("stack: end", environment_now());
}

int main(void)
{
    static char alternate[1 << 16];
    sigaltstack(&(stack_t){ .ss_sp = alternate, .ss_size = sizeof alternate }, NULL);
    pointer = leaf;
    test_raised(0);
    test_raised(SA_ONSTACK);
    test_left();
    test_timer();
    test_trapped();
    test_stacks();
    return 0;
}
