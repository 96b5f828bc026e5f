// A child of vfork has its own actions for signals, but its parent's memory: what it sets is not the parent's, and what it finds is what it had,
// also when another thread of the parent sets actions meanwhile. Its handlers are roots of their own; one may end the child, or call exec.
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 -lpthread && sh %inputs/exact.sh %hcct-decode %s %t.2
// RUN: %hcct-cc -O1 -static -I%inputs %s -o %t.s -lpthread && sh %inputs/exact.sh %hcct-decode %s %t.s
// RUN: %hcct-cc -O1 -I%inputs %s -o %t.time -lpthread && HCCT_OPTIONS=metric=time:output=%t.bin %t.time
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

static int handled;

static NOINLINE void handler(int signal)
{
    (void)signal;
    handled++;
}

static void other(int signal)
{
    (void)signal;
}

static inline __attribute__((always_inline)) int is(int number, void (*expected)(int))
{
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && now.sa_handler == expected;
}

static NOINLINE void leaf(void)
{
    work();
}

static void (*volatile pointer)(void) = leaf;

static NOINLINE void returns(int number)
{
    (void)number;
    pointer();
}

static NOINLINE void ends(int number)
{
    (void)number;
    pointer();
    _exit(0);
}

static NOINLINE void calls_exec(int number)
{
    (void)number;
    pointer();
    execl("/bin/true", "true", (char *)0);
}

static NOINLINE void nests(int number)
{
    (void)number;
    pointer();
    signal(SIGUSR1, ends);
    raise(SIGUSR1);
}

/* The child sets a handler of its own, which its parent does not have afterwards. */
static NOINLINE int in_child(void (*action)(int))
{
    int status;
    pid_t child = vfork();
    if (child == 0) {
        struct sigaction once = { .sa_flags = (int)SA_RESETHAND };
        once.sa_handler = action;
        if (sigaction(SIGUSR2, &once, NULL) || raise(SIGUSR2))
            _exit(1);
        _exit(is(SIGUSR2, SIG_DFL) ? 0 : 2);
    }
    pointer();
    return waitpid(child, &status, 0) != child || status || !is(SIGUSR2, SIG_DFL);
}

static NOINLINE int in_children(void)
{
    signal(SIGUSR2, SIG_DFL);
    for (int i = 0; i < 10; i++)
        if (in_child(returns) || in_child(ends) || in_child(calls_exec) || in_child(nests))
            return 5;
    return 0;
}

static atomic_int step;
static void (*volatile next)(int);

static void *set_next(void *unused)
{
    while (step != 1)
        ;
    signal(SIGUSR1, next);
    step = 2;
    return unused;
}

static NOINLINE int beside_another_thread(void)
{
    static void (*const actions[])(int) = { SIG_DFL, SIG_IGN, other };
    pthread_t thread;
    int status;
    for (int i = 0; i < 6; i++) {
        struct sigaction action = { .sa_flags = i < 3 ? (int)SA_RESETHAND : 0 };
        action.sa_handler = handler;
        step = 0;
        next = actions[i % 3];
        if (sigaction(SIGUSR1, &action, NULL) || pthread_create(&thread, NULL, set_next, NULL))
            return 6;
        pid_t child = vfork();
        if (child == 0) {
            step = 1;
            while (step != 2)
                ;
            if (!is(SIGUSR1, handler) || raise(SIGUSR1) || !is(SIGUSR1, i < 3 ? SIG_DFL : handler))
                _exit(1);
            _exit(0);
        }
        if (waitpid(child, &status, 0) != child || status || pthread_join(thread, NULL) || !is(SIGUSR1, actions[i % 3]))
            return 7;
    }
    return handled != 6;
}

int main(void)
{
    static const int numbers[] = { SIGUSR1, SIGINT, SIGTERM };
    static void (*const actions[])(int) = { SIG_DFL, SIG_IGN, other };
    int status;
    signal(SIGHUP, SIG_DFL); /* nohup would have it ignored */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (signal(numbers[i], handler) == SIG_ERR)
                return 1;
            pid_t child = vfork();
            if (child == 0) {
                int fits = signal(numbers[i], actions[j]) == handler && is(numbers[i], actions[j]);
                fits = fits && signal(SIGHUP, SIG_IGN) == SIG_DFL && is(SIGHUP, SIG_IGN);
                _exit(fits ? 0 : 9);
            }
            if (waitpid(child, &status, 0) != child || status)
                return 2;
            if (!is(numbers[i], handler) || !is(SIGHUP, SIG_DFL) || raise(numbers[i]))
                return 3;
        }
    handled -= 9;
    return handled ? 4 : in_children() || beside_another_thread();
}
// CHECK: [signal 10];ends 10
// CHECK-NEXT: [signal 10];ends;leaf 10
// CHECK-NEXT: [signal 10];handler 9
// CHECK-NEXT: [signal 12];calls_exec 10
// CHECK-NEXT: [signal 12];calls_exec;leaf 10
// CHECK-NEXT: [signal 12];ends 10
// CHECK-NEXT: [signal 12];ends;leaf 10
// CHECK-NEXT: [signal 12];nests 10
// CHECK-NEXT: [signal 12];nests;leaf 10
// CHECK-NEXT: [signal 12];returns 10
// CHECK-NEXT: [signal 12];returns;leaf 10
// CHECK-NEXT: [signal 15];handler 3
// CHECK-NEXT: [signal 2];handler 3
// CHECK-NEXT: main 1
// CHECK-NEXT: main;beside_another_thread 1
// CHECK-NEXT: main;in_children 1
// CHECK-NEXT: main;in_children;in_child 40
// CHECK-NEXT: main;in_children;in_child;leaf 40
// CHECK-NEXT: set_next 6
