// continuous=1: a child of fork, _Fork, clone or a raw system call never counts into its parent's file, not its first call either, in contexts that the
// parent counts too; all are killed, the parent last.
// RUN: %hcct-cc -O2 -I%inputs -I%hcct-source/include %s -o %t.x -lpthread
// RUN: for mode in cct hcct; do for how in 0 1 2 3 4 5; do rm -rf %t && mkdir %t && cd %t && \
// RUN:   (HCCT_OPTIONS=mode=$mode:continuous=1:output=out.bin %t.x $how || true) && %hcct-decode --format=folded --all out.bin | \
// RUN:   FileCheck --implicit-check-not='{{.}}' --match-full-lines %s && rm out.bin && ls | count 20 && \
// RUN:   for child in *; do %hcct-decode --format=folded --all $child | sed '/^cloned 1$/d; s/^cloned;/main;/' | \
// RUN:   FileCheck --implicit-check-not='{{.}}' --match-full-lines --check-prefix=CHILD %s || exit 1; done || exit 1; done; done
// CHECK-DAG: main 1
// CHECK-DAG: main;middle 21
// CHECK-DAG: main;middle;leaf 63
// CHILD-DAG: main;middle 5
// CHILD-DAG: main;middle;leaf 15
// A vfork child has its parent's memory, and counts there.
// RUN: rm -rf %t && mkdir %t && cd %t && (HCCT_OPTIONS=mode=cct:continuous=1:output=out.bin %t.x 6 || true) && ls | count 1 && \
// RUN:   %hcct-decode --format=folded --all out.bin | FileCheck --implicit-check-not='{{.}}' --match-full-lines --check-prefix=SHARED %s
// SHARED-DAG: main 1
// SHARED-DAG: main;middle 121
// SHARED-DAG: main;middle;leaf 363
// A timer's handler makes the children, in the middle of counting; they go on for a moment in what it interrupted.
// RUN: for mode in cct hcct; do rm -rf %t && mkdir %t && cd %t && (HCCT_OPTIONS=mode=$mode:continuous=1:output=out.bin %t.x 7 > middles || true) && \
// RUN:   %hcct-decode --format=folded --all out.bin > out && grep -Fx "main;middle $(cat middles)" out && \
// RUN:   grep -Fx "main;middle;leaf $((3 * $(cat middles)))" out || exit 1; done
// Of a parent that has stopped counting, the children do not count either, and those of _Fork and clone leave files only if they notice.
// RUN: for how in 0 1 4; do rm -rf %t && mkdir %t && cd %t && (HCCT_OPTIONS=continuous=1:output=out.bin %t.x $how stop || true) && \
// RUN:   { test $how != 0 || ls | count 21; } && for file in out.bin.*; do %hcct-decode $file | grep -i 'no calls' || exit 1; done && \
// RUN:   %hcct-decode --format=folded --all out.bin | FileCheck --implicit-check-not='{{.}}' --match-full-lines --check-prefix=STOP %s || exit 1; done
// STOP-DAG: main 1
// STOP-DAG: main;middle 1
// STOP-DAG: main;middle;leaf 3
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"
#include "hcct/hcct.h"

#define NOT_COUNTED __attribute__((no_profile_instrument_function))
enum { CHILDREN = 20 };
static volatile pid_t forked = 1;
static volatile int made;

static NOINLINE void leaf(void) { work(); }

static NOINLINE void middle(void)
{
    for (int i = 0; i < 3; i++)
        leaf();
    work();
}

static inline __attribute__((always_inline)) void run_child(void)
{
    for (int i = 0; i < 5; i++)
        middle();
    kill((pid_t)syscall(SYS_getpid), SIGKILL);
}

static int cloned(void *unused)
{
    (void)unused;
    run_child();
    return 0;
}

static NOT_COUNTED pid_t raw_fork(void)
{
#if defined(__x86_64__)
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_fork) : "rcx", "r11", "memory");
    return (pid_t)result;
#else
    return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
#endif
}

static NOT_COUNTED void on_signal(int number)
{
    (void)number;
    pid_t child = raw_fork();
    forked = child;
    if (child)
        waitpid(child, NULL, 0);
    made += child != 0;
}

static inline __attribute__((always_inline)) pid_t make_child(int how, char *stack_end)
{
    switch (how) {
    case 0: return fork();
    case 1: return _Fork();
    case 2: return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    case 3: return clone(cloned, stack_end, SIGCHLD, NULL);
    case 4: return raw_fork();
    case 5: raise(SIGUSR1); return forked;
    default: abort();
    }
}

/* One at a time: a timer that is faster than its handler would leave the program no instruction. */
static inline __attribute__((always_inline)) void make_by_timer(void)
{
    long middles = 0;
    /* `made` is read once: the last handler might run between two reads, and a timer too many would fire. */
    for (int next = 0, now; (now = made) < 10 * CHILDREN; middles++) {
        if (now == next)
            setitimer(ITIMER_REAL, &(struct itimerval){ .it_value.tv_usec = 50 + 7 * ++next % 50 }, NULL);
        middle();
        if (!forked)
            syscall(SYS_exit_group, 0);
    }
    printf("%ld\n", middles);
    fflush(stdout);
}

int main(int count, char **arguments)
{
    _Alignas(16) char stack[1 << 14];
    int how = atoi(arguments[1]);
    signal(how == 7 ? SIGALRM : SIGUSR1, on_signal);
    if (how != 7)
        middle();
    if (count > 2)
        hcct_stop();
    for (int i = 0; i < CHILDREN && how != 7; i++) {
        pid_t child = how == 6 ? vfork() : make_child(how, stack + sizeof stack);
        if (child == 0 && how == 6) {
            for (int n = 0; n < 5; n++)
                middle();
            syscall(SYS_exit_group, 0);
        }
        if (child == 0)
            run_child();
        waitpid(child, NULL, 0);
        middle();
    }
    if (how == 7)
        make_by_timer();
    kill(getpid(), SIGKILL);
}
