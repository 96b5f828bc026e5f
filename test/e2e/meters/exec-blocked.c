// A signal of ours that the program blocks ends no program that it executes. A call of exec that fails leaves the signal waiting, and the counter running.
// REQUIRES: turn-4, perf-events
// UNSUPPORTED: target-aarch64
// RUN: %clang -O1 -DNEXT -I%inputs %s -o %t.next && %hcct-cc -O1 -I%inputs %s -o %t
// RUN: for by in execve execv execvp execvpe fexecve execveat execl execlp execle vfork; do \
// RUN:   HCCT_OPTIONS=budget=10%%:output=%t.bin timeout 60 %t %t.next $by 2>&1 | FileCheck %s || exit 1; done
// RUN: HCCT_OPTIONS=metric=page-faults:output=%t.bin timeout 60 %t %t.next execv 2>&1 | FileCheck %s
// CHECK: next: a=1, HERE=there
// CHECK-NOT: {{.}}
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

#ifdef NEXT
int main(int argc, char **argv)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    return argc != 2 || printf("next: %s, HERE=%s\n", argv[1], getenv("HERE")) < 0;
}
#else

static NOINLINE void call(void)
{
    work();
}

static NOINLINE int waiting(void)
{
    sigset_t set;
    sigpending(&set);
    for (int i = SIGRTMIN; i <= SIGRTMAX; i++)
        if (sigismember(&set, i))
            return i;
    return 0;
}

/* For a counter's, which is put back. Those of timers are dropped at exec. */
static NOINLINE int wait_for_signal(void)
{
    enum { BYTES = 1 << 16 };
    for (;;) {
        int signal = waiting();
        siginfo_t info;
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, signal ? signal : SIGUSR1);
        if (signal && sigwaitinfo(&set, &info) == signal && info.si_code != SI_TIMER) {
            syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), signal, &info);
            return signal;
        }
        char *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        for (int i = 0; i < BYTES; i += 4096)
            memory[i] = 1;
        munmap(memory, BYTES);
        for (int i = 0; i < 1000; i++)
            call();
    }
}

static NOINLINE int execute(const char *next, const char *by)
{
    char *arguments[] = { (char *)"next", (char *)"a=1", NULL };
    char *environment[] = { (char *)"HERE=there", NULL };
    if (strcmp(by, "execve") == 0)
        return execve(next, arguments, environment);
    if (strcmp(by, "execvpe") == 0)
        return execvpe(next, arguments, environment);
    if (strcmp(by, "fexecve") == 0)
        return fexecve(open(next, O_RDONLY | O_CLOEXEC), arguments, environment);
    if (strcmp(by, "execveat") == 0)
        return execveat(AT_FDCWD, next, arguments, environment, 0);
    if (strcmp(by, "execle") == 0)
        return execle(next, "next", "a=1", (char *)NULL, environment);
    setenv("HERE", "there", 1);
    if (strcmp(by, "execvp") == 0)
        return execvp(next, arguments);
    if (strcmp(by, "execl") == 0)
        return execl(next, "next", "a=1", (char *)NULL);
    if (strcmp(by, "execlp") == 0)
        return execlp(next, "next", "a=1", (char *)NULL);
    if (strcmp(by, "vfork") != 0)
        return execv(next, arguments);
    int status, before = waiting();
    pid_t child = vfork();
    if (child == 0) {
        execv(next, arguments);
        _exit(1);
    }
    return waitpid(child, &status, 0) == child && status == 0 && waiting() == before ? 0 : 1;
}

int main(int argc, char **argv)
{
    sigset_t all, none, one;
    if (argc != 3)
        return 1;
    sigfillset(&all);
    sigemptyset(&none);
    sigprocmask(SIG_BLOCK, &all, NULL);
    int signal = wait_for_signal();
    errno = 0;
    if (execl("/nowhere/next", "next", "a=1", (char *)NULL) != -1 || errno != ENOENT || waiting() != signal)
        return puts("the signal is gone");
    sigprocmask(SIG_SETMASK, &none, NULL); /* the counter runs again, */
    execl("/nowhere/next", "next", "a=1", (char *)NULL);
    sigprocmask(SIG_BLOCK, &all, NULL);
    /* and this stops it neither */
    if (execl("/nowhere/next", "next", "a=1", (char *)NULL) != -1)
        return 1;
    sigemptyset(&one);
    sigaddset(&one, wait_for_signal());
    sigqueue(getpid(), signal, (union sigval){ .sival_int = 1 }); /* the program's own stays in its place, */
    sigqueue(getpid(), signal, (union sigval){ .sival_int = 2 });
    execl("/nowhere/next", "next", "a=1", (char *)NULL);
    siginfo_t info, tick = { .si_signo = 0 };
    for (int seen = 0; seen < 2;) {
        sigwaitinfo(&one, &info);
        if (info.si_code == SI_QUEUE && info.si_value.sival_int != ++seen)
            return puts("signals are out of order");
        if (info.si_code > 0)
            tick = info;
    }
    if (syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), signal, &tick) != 0)
        return 1;
    return execute(argv[1], argv[2]);
}
#endif
