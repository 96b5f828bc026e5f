// A sandbox (seccomp) that forbids getpid, by an error or by ending the process: the program goes on as without profiling, and the profile is whole, with
// threads, a timer's handler, and by each end.
// UNSUPPORTED: target-aarch64
// RUN: %hcct-cc -O1 -I%inputs %s -lpthread -o %t.x
// RUN: for mode in cct hcct; do for how in error kill; do for end in return exit syscall; do rm -f %t.bin; \
// RUN:   HCCT_OPTIONS=mode=$mode:output=%t.bin %t.x $how $end; test $? = 5 && %hcct-decode --all %t.bin > %t.out && grep -x 'sound: nothing dropped, nothing lost' %t.out && \
// RUN:   %hcct-decode --format=folded --all %t.bin | FileCheck %s || exit 1; done; done; done
// CHECK-DAG: {{^}}thread;leaf 30
// CHECK-DAG: {{^}}main;many;leaf 300000
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "e2e.h"

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE void many(void)
{
    for (int i = 0; i < 300000; i++)
        leaf();
    work();
}

static NOINLINE void on_timer(int signal)
{
    (void)signal;
    leaf();
    work();
}

static void *thread(void *unused)
{
    for (int i = 0; i < 10; i++)
        leaf();
    work();
    return unused;
}

static int forbid(unsigned action)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpid, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, action),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof filter / sizeof filter[0], filter };
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int count, char **arguments)
{
    int kills = count > 2 && strcmp(arguments[1], "kill") == 0;
    const char *end = count > 2 ? arguments[2] : "";
    struct itimerval often = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };
    if (forbid(kills ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | EPERM))
        return 1;
    signal(SIGALRM, on_timer);
    setitimer(ITIMER_REAL, &often, NULL);
    many();
    setitimer(ITIMER_REAL, &never, NULL);
    for (int i = 0; i < 3; i++) {
        pthread_t made;
        pthread_create(&made, NULL, thread, NULL);
        pthread_join(made, NULL);
    }
    if (strcmp(end, "exit") == 0)
        _exit(5);
    if (strcmp(end, "syscall") == 0)
        syscall(SYS_exit_group, 5);
    return 5;
}
