// metric=time leaves the program its signals, all real-time ones too, its timers, masks, errno, alternate stacks and blocking calls;
// children of fork are sampled anew, exec'd programs and threads that ended leave no timer.
// REQUIRES: turn-7
// RUN: %hcct-cc -O1 -I%inputs %s -lpthread -o %t && rm -f %t.bin* && HCCT_OPTIONS=metric=time:frequency=250:output=%t.bin %t
// RUN: %hcct-decode --all --format=folded %t.bin | FileCheck --check-prefix=PARENT %s
// RUN: %hcct-decode --all --format=folded %t.bin.* | FileCheck --check-prefix=CHILD %s
// The same with metric=wall, whose observer looks at threads that wait.
// RUN: rm -f %t.bin* && HCCT_OPTIONS=metric=wall:frequency=1000:output=%t.bin %t
// RUN: %hcct-decode --all --format=folded %t.bin | FileCheck --check-prefix=PARENT %s
// RUN: %hcct-decode --all --format=folded %t.bin.* | FileCheck --check-prefix=CHILD %s
// The same with the timers of bursts.
// RUN: HCCT_OPTIONS=budget=1%%:output=%t.bin %t && %hcct-decode --all --format=folded %t.bin | FileCheck --check-prefix=NOCHILD %s
// NOCHILD-NOT: in_child
// PARENT-NOT: in_child
// PARENT: main;many_handlers;in_parent
// PARENT-NOT: in_child
// CHILD-NOT: in_parent
// CHILD: main;children;in_child
// CHILD-NOT: in_parent
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spend.h"

#define CHECK(x) ((x) ? (void)0 : (fprintf(stderr, "line %d: %s\n", __LINE__, #x), exit(1)))

static volatile int handled[NSIG], profiled;

static void handle(int number)
{
    handled[number]++;
}

static void handle_info(int number, siginfo_t *info, void *context)
{
    (void)context;
    handled[number] += info->si_code == SI_TIMER && info->si_value.sival_int == 7 ? 100 : 1;
}

static void count_profiled(int number)
{
    (void)number;
    profiled++;
}

NOINLINE static void in_parent(double seconds)
{
    spend(seconds);
}

NOINLINE static void in_child(double seconds)
{
    spend(seconds);
}

NOINLINE static void many_handlers(void)
{
    struct sigaction action, old;
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++) {
        CHECK(sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_DFL &&
              !(old.sa_flags & ~0x04000000)); /* the C library's own */
        memset(&action, 0, sizeof action);
        action.sa_handler = handle;
        if (number % 2) {
            action.sa_sigaction = handle_info;
            action.sa_flags = SA_SIGINFO | SA_RESTART;
        }
        CHECK(sigaction(number, &action, &old) == 0 && old.sa_handler == SIG_DFL);
    }
    in_parent(0.3);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++) {
        CHECK(handled[number] == 0);
        CHECK(raise(number) == 0 && handled[number] == 1);
    }
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        CHECK(sigaction(number, NULL, &old) == 0 &&
              (number % 2 ? old.sa_sigaction == handle_info : old.sa_handler == handle) &&
              (old.sa_flags & ~0x04000000) == (number % 2 ? (int)(SA_SIGINFO | SA_RESTART) : 0));
}

/* Once handled, the signal would end the program, if it were not for the profiler alone. */
NOINLINE static void once(void)
{
    struct sigaction action, old;
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++) {
        memset(&action, 0, sizeof action);
        action.sa_handler = handle;
        action.sa_flags = (int)SA_RESETHAND;
        CHECK(sigaction(number, &action, NULL) == 0 && raise(number) == 0);
    }
    in_parent(0.2);
    memset(&action, 0, sizeof action);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        CHECK(handled[number] == 2 && sigaction(number, &action, &old) == 0 && old.sa_handler == SIG_DFL);
    memset((void *)handled, 0, sizeof handled);
}

/* The program's own timer, with a signal that may be ours. */
NOINLINE static void own_timers(void)
{
    for (int number = SIGRTMIN + (SIGRTMIN % 2 == 0); number <= SIGRTMAX; number += 2) {
        timer_t timer;
        struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = number, .sigev_value.sival_int = 7 };
        struct itimerspec once = { .it_value.tv_nsec = 1000000 };
        CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 && timer_settime(timer, 0, &once, NULL) == 0);
        for (int i = 0; i < 1000 && handled[number] < 100; i++)
            usleep(1000);
        CHECK(handled[number] == 101);
        timer_delete(timer);
    }
    struct itimerval often = { { 0, 20000 }, { 0, 20000 } }, never = { { 0, 0 }, { 0, 0 } };
    signal(SIGPROF, count_profiled);
    setitimer(ITIMER_PROF, &often, NULL);
    for (int i = 0; i < 5 && !profiled; i++)
        in_parent(0.3);
    setitimer(ITIMER_PROF, &never, NULL);
    CHECK(profiled >= 1); /* on a busy machine several become one */
}

NOINLINE static void state(void)
{
    static char stack[65536];
    stack_t alternate = { .ss_sp = stack, .ss_size = sizeof stack }, found;
    sigset_t mask, masked;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR2);
    CHECK(sigprocmask(SIG_SETMASK, &mask, NULL) == 0 && sigaltstack(&alternate, NULL) == 0);
    for (int i = 0; i < 300; i++) {
        errno = EDOM;
        for (int j = 0; j < 400000; j++)
            work();
        CHECK(errno == EDOM);
    }
    CHECK(sigprocmask(SIG_SETMASK, NULL, &masked) == 0 && memcmp(&mask, &masked, sizeof(long)) == 0);
    CHECK(sigaltstack(NULL, &found) == 0 && found.ss_sp == stack && found.ss_flags == 0);
}

/* Calls that no restart helps if a signal interrupts them. */
NOINLINE static void blocking(void)
{
    for (int i = 0; i < 100; i++) {
        for (int j = 0; j < 1000000; j++)
            work();
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        CHECK(usleep(2000) == 0);
        CHECK(poll(NULL, 0, 2) == 0);
        clock_gettime(CLOCK_MONOTONIC, &end);
        CHECK((end.tv_sec - start.tv_sec) * 1000000000 + end.tv_nsec - start.tv_nsec >= 4000000); /* none was cut short */
    }
}

static int status_of(pid_t child)
{
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    return status;
}

NOINLINE static void children(void)
{
    pid_t child = fork();
    if (!child) {
        in_child(0.3);
        exit(3);
    }
    CHECK(status_of(child) == 3 << 8);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++) { /* ends a process that wants nothing of it, or is ignored */
        if (!(child = fork())) {
            signal(number, SIG_IGN);
            raise(number);
            signal(number, SIG_DFL);
            raise(number);
            _exit(4);
        }
        CHECK(status_of(child) == number);
    }
    if (!(child = fork())) {
        in_child(0.1);
        execlp("sh", "sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; exit 5", NULL);
        _exit(6);
    }
    CHECK(status_of(child) == 5 << 8);
}

static void *run(void *unused)
{
    for (int j = 0; j < 100000; j++)
        work();
    return unused;
}

NOINLINE static void threads(void)
{
    for (int i = 0; i < 300; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, run, NULL) == 0 && pthread_join(thread, NULL) == 0);
    }
    char line[256];
    int timers = 0;
    FILE *list = fopen("/proc/self/timers", "r");
    while (list && fgets(line, sizeof line, list))
        timers += strncmp(line, "ID:", 3) == 0;
    CHECK(timers <= 2); /* pthread_join does not wait for the kernel */
}

int main(void)
{
    many_handlers();
    once();
    many_handlers();
    own_timers();
    state();
    blocking();
    children();
    threads();
    return 0;
}
