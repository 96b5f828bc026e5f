// A timer's handler that strikes while a new fiber gets its context stack: its calls are below [signal 14], and nothing is lost.
// RUN: %hcct-cc -O2 %s -o %t && env HCCT_OPTIONS=output=%t.bin %t && %hcct-decode %t.bin | FileCheck %s
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <ucontext.h>

#define NOINLINE __attribute__((noinline))
enum { BYTES = 1 << 18, FIBERS = 60000 };

static ucontext_t home, away;
static volatile int sink;

static NOINLINE void leaf(void)
{
    sink++;
}

static void (*volatile call)(void) = leaf; /* needs a frame */

static NOINLINE void handler(int signal)
{
    call();
    sink += signal;
}

static void body(void)
{
    call();
    sink++;
}

static NOINLINE void run(void)
{
    char *stack = malloc(BYTES);
    getcontext(&away);
    away.uc_stack.ss_sp = stack;
    away.uc_stack.ss_size = BYTES;
    away.uc_link = &home;
    makecontext(&away, body, 0);
    swapcontext(&home, &away);
    free(stack);
}

int main(void)
{
    struct itimerval often = { { 0, 50 }, { 0, 50 } }, never = { { 0, 0 }, { 0, 0 } };
    signal(SIGALRM, handler);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < FIBERS; i++)
        run();
    setitimer(ITIMER_REAL, &never, NULL);
    signal(SIGALRM, SIG_IGN);
    return 0;
}
// CHECK: sound
