// A full signal queue (ulimit -i): the kernel sends SIGIO in place of a counter's signal. The profiler takes it as a tick; the program's own SIGIO ends it,
// or comes to its handler, as without the profiler.
// REQUIRES: turn-5
// RUN: %hcct-cc -O2 %s -o %t
// RUN: %t
// RUN: env HCCT_OPTIONS=mode=cct:budget=1%%:output=%t.bin %t
// RUN: %hcct-decode --view=flat --all %t.bin | sed "s, *$,," | FileCheck %s
// CHECK-DAG: {{ spin$}}
// CHECK-DAG: {{ spin_with_handler$}}
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
static volatile sig_atomic_t handled;

static void handle(int signal)
{
    (void)signal;
    handled++;
}

static double cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6;
}

static NOINLINE void step(void)
{
    for (int i = 0; i < 1000; i++)
        __asm__ volatile("nop");
}

static inline __attribute__((always_inline)) void spin_for(double seconds)
{
    for (double end = cpu_seconds() + seconds; cpu_seconds() < end;)
        for (int i = 0; i < 1000; i++)
            step();
}

static NOINLINE void spin(void)
{
    spin_for(0.3);
}

static NOINLINE void spin_with_handler(void)
{
    spin_for(0.3);
}

/* A signal of the kernel, which looks like a counter's. */
static void send_from_file(void)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) || fcntl(pair[0], F_SETOWN, getpid()) ||
        fcntl(pair[0], F_SETFL, O_ASYNC) || write(pair[1], "", 1) != 1)
        abort();
}

static void expect_end(void (*send)(void))
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        spin();
        send();
        _exit(0);
    }
    if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status) || WTERMSIG(status) != SIGIO) {
        printf("a child ended with %x\n", (unsigned)status);
        exit(1);
    }
}

static void send_to_self(void)
{
    kill(getpid(), SIGIO);
}

static void expect_handled(int count)
{
    if (handled != count) {
        printf("%d signals came, not %d\n", (int)handled, count);
        exit(1);
    }
}

/* The program's own SIGIO comes while its thread's counter is stopped, as the counter's signal waits. */
static void expect_own(void)
{
    enum { SIGNALS = 20 };
    int pair[2];
    struct sigaction action = { .sa_handler = handle, .sa_flags = SA_RESTART };
    struct f_owner_ex owner = { F_OWNER_TID, gettid() };
    sigset_t all, before;
    char byte;
    sigfillset(&action.sa_mask);
    sigfillset(&all);
    sigaction(SIGIO, &action, NULL);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) || fcntl(pair[0], F_SETOWN_EX, &owner) ||
        fcntl(pair[0], F_SETFL, O_ASYNC | O_NONBLOCK))
        abort();
    for (int i = 0; i < SIGNALS; i++) {
        sigprocmask(SIG_BLOCK, &all, &before);
        spin_for(0.01);
        if (write(pair[1], "", 1) != 1)
            abort();
        sigprocmask(SIG_SETMASK, &before, NULL);
        if (read(pair[0], &byte, 1) != 1)
            abort();
    }
    close(pair[0]);
    close(pair[1]);
    expect_handled(SIGNALS);
    handled = 0;
    signal(SIGIO, SIG_DFL);
}

int main(void)
{
    struct rlimit limit = { 0, 0 };
    struct sigaction action;
    expect_own();
    setrlimit(RLIMIT_SIGPENDING, &limit);
    setrlimit(RLIMIT_CORE, &limit);
    spin();
    expect_end(send_to_self);
    expect_end(send_from_file);
    if (sigaction(SIGIO, NULL, &action) || action.sa_handler != SIG_DFL)
        return 2;
    signal(SIGIO, handle);
    spin_with_handler();
    expect_handled(0);
    send_to_self();
    expect_handled(1);
    send_from_file();
    expect_handled(2);
    spin_with_handler();
    signal(SIGIO, SIG_DFL);
    spin();
    expect_end(send_from_file);
    signal(SIGIO, SIG_IGN);
    send_to_self();
    spin();
    return 0;
}
