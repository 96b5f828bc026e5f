// Handlers of a timer left by siglongjmp, many thousand times, out of the middle of calls, pushes and counts; on the thread's
// stack and on an alternate one: later calls hang where they belong, and the program's own counters say how often.
// REQUIRES: turn-7
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2
// RUN: for way in stack alternate; do for mode in cct hcct; do for x in 0 2; do HCCT_OPTIONS=mode=$mode:output=%t.bin %t.$x $way > %t.expected && \
// RUN:   %hcct-decode --format=folded --all %t.bin | grep -v busy > %t.folded && diff %t.expected %t.folded || exit 1; done; done; done
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#include "e2e.h"

enum { JUMPS = 20000 };

static sigjmp_buf target;
static char alternate[64 * 1024];
static volatile int armed;
static volatile unsigned long jumps, handled;

NOINLINE void leaf(void) { work(); }
static void (*volatile pointer)(void) = leaf;

/* The interrupted ones, of which nobody knows how often they were called. */
NOINLINE void busy(int depth)
{
    if (depth)
        busy(depth - 1);
    else
        pointer();
    work();
}

void on_timer(int signal)
{
    (void)signal;
    handled = handled + 1;
    leaf();
    if (!armed)
        return;
    armed = 0;
    pointer();
    jumps = jumps + 1;
    siglongjmp(target, 1);
}

NOINLINE void attempt(void)
{
    if (sigsetjmp(target, 1) == 0) {
        armed = 1;
        for (;;)
            busy(3);
    }
    leaf();
    pointer();
}

int main(int count, char **arguments)
{
    const char *way = arguments[count - 1];
    struct itimerval every = {{0, 30}, {0, 30}}, never = {{0, 0}, {0, 0}};
    stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
    struct sigaction action = {.sa_handler = on_timer, .sa_flags = strcmp(way, "alternate") == 0 ? SA_ONSTACK : 0};
    sigaltstack(&stack, NULL);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
    while (jumps < JUMPS)
        attempt();
    setitimer(ITIMER_REAL, &never, NULL);
    leaf();
    printf("[signal 14];on_timer %lu\n[signal 14];on_timer;leaf %lu\n", handled, handled + jumps);
    printf("main 1\nmain;attempt %lu\nmain;attempt;leaf %lu\nmain;leaf 1\n", jumps, 2 * jumps);
    return 0;
}
