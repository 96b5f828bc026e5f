// Instrumented programs under the sanitizers, stack protectors, fortified functions and control-flow protection: threads,
// timers' handlers, exceptions, longjmp, fibers, fork; their profile is as exact as without, the sanitizer has nothing to say.
// RUN: %hcct-c++ -O1 -g -fsanitize=address -I%inputs %s -o %t.a -lpthread && env CHECKS=CHECK,FIBER sh %inputs/exact.sh %hcct-decode %s %t.a
// RUN: %hcct-c++ -O1 -g -fsanitize=undefined -fno-sanitize-recover=all -I%inputs %s -o %t.u -lpthread && env CHECKS=CHECK,FIBER sh %inputs/exact.sh %hcct-decode %s %t.u
// RUN: %hcct-c++ -O1 -g -fsanitize=thread -DNO_FIBERS -I%inputs %s -o %t.t -lpthread && sh %inputs/exact.sh %hcct-decode %s %t.t
// The profiler does more at the end of a thread that is told apart.
// RUN: for x in a u t; do HCCT_OPTIONS=threads=split:output=%t.split.bin %t.$x > /dev/null && %hcct-decode --by=thread --all %t.split.bin | grep -c '\[thread ' || exit 1; done
// RUN: %hcct-c++ -O2 -fstack-protector-all -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fcf-protection=full -fstack-clash-protection -I%inputs %s -o %t.h -lpthread && env CHECKS=CHECK,FIBER sh %inputs/exact.sh %hcct-decode %s %t.h
// RUN: %hcct-c++ -O2 -fsanitize=safe-stack -DNO_FIBERS -I%inputs %s -o %t.s -lpthread && sh %inputs/exact.sh %hcct-decode %s %t.s
// RUN: %hcct-c++ -O0 -fsanitize=address,undefined -fstack-protector-all -I%inputs %s -o %t.0 -lpthread && env CHECKS=CHECK,FIBER sh %inputs/exact.sh %hcct-decode %s %t.0
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "e2e.h"

enum { THREADS = 8, ROUNDS = 20000, JUMPS = 100 };

extern "C" {
static thread_local volatile int mine;
static int handled;
static jmp_buf target;
static thread_local char buffer[64];

NOINLINE void leaf() { mine = mine + 1; }
static void (*volatile pointer)() = leaf;

NOINLINE void nest(int depth)
{
    char local[32];
    memset(local, depth, sizeof local);
    memcpy(buffer + depth, local, 8);
    if (depth)
        nest(depth - 1);
    else
        pointer();
    mine = mine + 1;
}

/* Not instrumented: how often it runs is not known. */
__attribute__((no_profile_instrument_function)) void on_timer(int)
{
    __atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED);
}

void on_signal(int)
{
    pointer();
}

void *body(void *argument)
{
    for (int i = 0; i < ROUNDS; i++)
        nest(1);
    return argument;
}

NOINLINE void thrower()
{
    leaf();
    throw 1;
}

NOINLINE void catcher()
{
    try {
        thrower();
    } catch (int) {
        leaf();
    }
}

NOINLINE void jumps()
{
    leaf();
    longjmp(target, 1);
}

NOINLINE void attempt()
{
    if (setjmp(target) == 0)
        jumps();
    leaf();
}

static ucontext_t home, fiber_context;

void fiber()
{
    for (int i = 0; i < 3; i++) {
        nest(0);
        swapcontext(&fiber_context, &home);
    }
}

NOINLINE void fibers()
{
    void *stack = malloc(256 * 1024);
    getcontext(&fiber_context);
    fiber_context.uc_stack.ss_sp = stack;
    fiber_context.uc_stack.ss_size = 256 * 1024;
    fiber_context.uc_link = &home;
    makecontext(&fiber_context, fiber, 0);
    for (int i = 0; i < 4; i++) {
        swapcontext(&home, &fiber_context);
        leaf();
    }
    free(stack);
}
}

int main()
{
    pthread_t threads[THREADS];
    struct itimerval every = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    signal(SIGALRM, on_timer);
    signal(SIGUSR1, on_signal);
    if (signal(SIGUSR1, on_signal) != on_signal)
        return 2;
    setitimer(ITIMER_REAL, &every, nullptr);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], nullptr, body, nullptr);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], nullptr);
    setitimer(ITIMER_REAL, &never, nullptr);
    for (int i = 0; i < JUMPS; i++) {
        catcher();
        attempt();
    }
    raise(SIGUSR1);
#ifndef NO_FIBERS
    fibers();
#endif
    pid_t child = fork();
    if (child == 0)
        _exit(3);
    int status;
    return waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 3;
}
// CHECK: [signal 10];on_signal 1
// CHECK-NEXT: [signal 10];on_signal;leaf 1
// CHECK-NEXT: body 8
// CHECK-NEXT: body;nest 160000
// CHECK-NEXT: body;nest;nest 160000
// CHECK-NEXT: body;nest;nest;leaf 160000
// FIBER-NEXT: fiber 1
// FIBER-NEXT: fiber;nest 3
// FIBER-NEXT: fiber;nest;leaf 3
// CHECK-NEXT: main 1
// CHECK-NEXT: main;attempt 100
// CHECK-NEXT: main;attempt;jumps 100
// CHECK-NEXT: main;attempt;jumps;leaf 100
// CHECK-NEXT: main;attempt;leaf 100
// CHECK-NEXT: main;catcher 100
// CHECK-NEXT: main;catcher;leaf 100
// CHECK-NEXT: main;catcher;thrower 100
// CHECK-NEXT: main;catcher;thrower;leaf 100
// FIBER-NEXT: main;fibers 1
// FIBER-NEXT: main;fibers;leaf 4
