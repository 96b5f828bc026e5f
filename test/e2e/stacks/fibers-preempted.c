// Fibers that are switched by a timer's handler, every 200 us, in the middle of whatever they do, pushes and counts: not one
// count lands elsewhere.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <ucontext.h>

#include "e2e.h"

enum { FIBERS = 3, CALLS = 5000000, BYTES = 256 * 1024 };

static ucontext_t home, fibers[FIBERS];
static int volatile current, ended;
static volatile unsigned long switches;
static sigset_t timer; /* blocked wherever `current` and the stack disagree */

NOINLINE void leaf(void) { work(); }
static void (*volatile pointer)(void) = leaf;

NOINLINE void nest(int depth)
{
    if (depth)
        nest(depth - 1);
    else
        pointer();
    work();
}

void fiber(int number)
{
    sigprocmask(SIG_UNBLOCK, &timer, NULL);
    for (int i = 0; i < CALLS; i++)
        nest(number);
    sigprocmask(SIG_BLOCK, &timer, NULL);
    ended |= 1 << number;
    swapcontext(&fibers[number], &home);
    abort();
}

__attribute__((no_profile_instrument_function)) void preempt(int signal)
{
    int from = current, to = from;
    (void)signal;
    do
        to = (to + 1) % FIBERS;
    while (ended & 1 << to);
    current = to;
    switches = switches + 1;
    if (to != from)
        swapcontext(&fibers[from], &fibers[to]);
}

int main(void)
{
    struct itimerval every = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
    struct sigaction action = {.sa_handler = preempt};
    sigemptyset(&timer);
    sigaddset(&timer, SIGALRM);
    sigprocmask(SIG_BLOCK, &timer, NULL);
    for (int i = 0; i < FIBERS; i++) {
        getcontext(&fibers[i]);
        fibers[i].uc_stack.ss_sp = malloc(BYTES);
        fibers[i].uc_stack.ss_size = BYTES;
        makecontext(&fibers[i], (void (*)(void))fiber, 1, i);
    }
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
    for (int i = 0; ended != (1 << FIBERS) - 1; i = (i + 1) % FIBERS) {
        if (ended & 1 << i)
            continue;
        current = i;
        swapcontext(&home, &fibers[i]);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    return switches < 10;
}
// CHECK: fiber 3
// CHECK-NEXT: fiber;nest 15000000
// CHECK-NEXT: fiber;nest;leaf 5000000
// CHECK-NEXT: fiber;nest;nest 10000000
// CHECK-NEXT: fiber;nest;nest;leaf 5000000
// CHECK-NEXT: fiber;nest;nest;nest 5000000
// CHECK-NEXT: fiber;nest;nest;nest;leaf 5000000
// CHECK-NEXT: main 1
