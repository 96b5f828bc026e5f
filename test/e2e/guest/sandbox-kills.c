// A sandbox (seccomp) that ends the program for any system call but its own, or for one that the profile needs, or lets them fail; the strict mode:
// the program does what it does without profiling, and its profile is that of the moment before. By prctl and by number; each way to measure.
// REQUIRES: turn-7
// UNSUPPORTED: target-aarch64
// RUN: rm -rf %t && mkdir -p %t && cd %t && %clang -O1 -I%inputs %s -lpthread -o plain && %hcct-cc -O1 -I%inputs %s -lpthread -o dynamic && %hcct-cc -O1 -static -I%inputs %s -lpthread -o static && \
// RUN:   %hcct-cc -O1 -I%inputs %s -lpthread -o timed && %hcct-cc -O1 --hcct-clock -I%inputs %s -lpthread -o clocked
// What each may do, and how it ends; the same as without profiling.
// RUN: run() { program=$1 options=$2; shift 2; timeout 600 ./plain "$@" > plain.out; plain=$?; rm -f out.bin; HCCT_OPTIONS=output=out.bin:$options timeout 600 ./$program "$@" > our.out 2> our.err; our=$?; \
// RUN:   test $our = $plain && cmp plain.out our.out && grep -c . our.out || { echo "$program $options $*: $our for $plain"; return 1; }; } && \
// RUN: for program in dynamic static; do for options in mode=cct mode=hcct; do for by in prctl number; do \
// RUN:   for what in "kill own" "error own" "strict own"; do for end in exit abort; do case "$what $end" in strict*abort) continue;; esac; \
// RUN:     run $program $options $by $what $end || exit 1; grep -x 'hcct: a sandbox (seccomp) forbids system calls that profiling needs: the profile ends here' our.err && \
// RUN:     %hcct-decode --format=folded --all out.bin > out && FileCheck --match-full-lines %s < out || exit 1; done; done; \
// RUN:   for what in openat mmap rename write madvise gettid tgkill rt_sigtimedwait fstat prlimit64; do run $program $options $by kill $what return || exit 1; \
// RUN:     %hcct-decode --format=folded --all out.bin > out && FileCheck --match-full-lines %s < out || exit 1; done; \
// RUN:   for what in openat rename rt_sigtimedwait fstat prlimit64; do for end in threads fork term; do run $program $options $by kill $what $end || exit 1; \
// RUN:     %hcct-decode --format=folded --all out.bin > out && FileCheck --match-full-lines %s < out || exit 1; done; done; \
// RUN:   for what in openat mmap rename; do run $program $options $by error $what return || exit 1; \
// RUN:     %hcct-decode --format=folded --all out.bin > out && FileCheck --match-full-lines %s < out || exit 1; done; done; done; done
// CHECK-NOT: main;after{{.*}}
// CHECK: main;before;leaf 3
// CHECK-NOT: main;after{{.*}}
// RUN: for options in metric=time metric=wall budget=1%% snapshot=10ms:metric=time metric=weight; do for what in "kill own" "error own" "strict own"; do \
// RUN:   run timed $options prctl $what exit && %hcct-decode --all out.bin || exit 1; done; done
// RUN: for what in "dump=1 kill access" "trace=calls.trace kill ftruncate" "metric=heap kill mprotect" "metric=heap:heap_scan=on kill pipe2"; do set -- $what; run dynamic $1 prctl $2 $3 return && grep 'the profile ends here' our.err && \
// RUN:   %hcct-decode --all out.bin && run dynamic mode=cct prctl $2 $3 return && not grep 'the profile ends here' our.err || exit 1; done
// RUN: for what in "kill own" "error own" "strict own"; do run clocked metric=clock prctl $what exit && %hcct-decode --all out.bin || exit 1; done
// A filter that allows what the profile needs, and one that the kernel refuses, end nothing.
// RUN: for what in "kill getcwd" "refused own"; do run dynamic mode=cct prctl $what return && %hcct-decode --format=folded --all out.bin > out && FileCheck --match-full-lines --check-prefix=ALL %s < out || exit 1; done
// Nor does one without the calls that let two profiles change names: rename is enough, also where a profile stands already.
// RUN: for what in "kill renameat2" "error renameat2" "kill link" "error link"; do run dynamic mode=cct prctl $what return && { HCCT_OPTIONS=output=out.bin:mode=cct ./dynamic prctl $what return; test $? = $plain; } && \
// RUN:   %hcct-decode --format=folded --all out.bin > out && FileCheck --match-full-lines --check-prefix=ALL %s < out && ls | not grep tmp || exit 1; done
// ALL-DAG: main;before;leaf 3
// ALL-DAG: main;after;leaf 5000
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

static NOINLINE void leaf(void) { work(); }

static NOINLINE void before(void)
{
    for (int i = 0; i < 3; i++)
        leaf();
    work();
}

/* New contexts, and more frames than a page has. */
static NOINLINE int deep(int depth)
{
    void (*volatile call)(void) = leaf;
    call();
    int sum = depth ? deep(depth - 1) : 0;
    work();
    return sum + 1;
}

static NOINLINE void after(void)
{
    for (int i = 0; i < 5000; i++)
        leaf();
    deep(3000);
}

static volatile int handled;
static NOINLINE void on_signal(int signal)
{
    (void)signal;
    leaf();
    handled++;
}

static void say(const char *text)
{
    if (write(1, text, strlen(text)) < 0)
        syscall(SYS_exit, 9);
}

static const struct { const char *name; int number; } calls[] = {
    { "openat", SYS_openat }, { "mmap", SYS_mmap }, { "rename", SYS_rename }, { "write", SYS_pwrite64 }, { "madvise", SYS_madvise }, { "gettid", SYS_gettid },
    { "tgkill", SYS_rt_tgsigqueueinfo }, { "rt_sigtimedwait", SYS_rt_sigtimedwait }, { "fstat", SYS_newfstatat }, { "prlimit64", SYS_prlimit64 }, { "getcwd", SYS_getcwd },
    { "renameat2", SYS_renameat2 }, { "link", SYS_link }, { "access", SYS_access }, { "ftruncate", SYS_ftruncate }, { "mprotect", SYS_mprotect }, { "pipe2", SYS_pipe2 },
};

static int enter(int by_number, unsigned action, const char *name)
{
    enum { OWN = 8 };
    static const int own[OWN] = { SYS_write, SYS_exit, SYS_exit_group, SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_rt_sigaction, SYS_getpid, SYS_tgkill };
    struct sock_filter filter[64] = { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)) };
    unsigned short at = 1;
    int listed = strcmp(name, "own") == 0;
    for (int i = 0; listed && i < OWN; i++) {
        filter[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own[i], 0, 1);
        filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    if (listed) /* raise() */
        filter[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_gettid, 1, 0);
    for (size_t i = 0; !listed && i < sizeof calls / sizeof calls[0]; i++)
        if (strcmp(calls[i].name, name) == 0)
            filter[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i].number, 0, 1);
    filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
    filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = { at, filter };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return -1;
    return by_number ? (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* 1: the sandbox is there. */
static volatile int stage;

static NOINLINE void *thread(void *unused)
{
    while (!stage)
        leaf();
    after();
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t waiting;
    if (count < 5)
        return 1;
    int by_number = strcmp(arguments[1], "number") == 0, strict = strcmp(arguments[2], "strict") == 0;
    const char *end = arguments[4];
    struct sigaction once = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };
    sigaction(SIGWINCH, &once, NULL); /* which is ignored by default */
    before();
    if (strcmp(end, "threads") == 0 && pthread_create(&waiting, NULL, thread, NULL))
        return 1;
    if (strcmp(arguments[2], "refused") == 0 && (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) == 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, 8) == 0))
        return 2;
    if (strict && (by_number ? syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, NULL) : prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT)))
        return 3;
    if (strcmp(arguments[2], "kill") == 0 && enter(by_number, SECCOMP_RET_KILL_PROCESS, arguments[3]))
        return 4;
    if (strcmp(arguments[2], "error") == 0 && enter(by_number, SECCOMP_RET_ERRNO | 1, arguments[3]))
        return 5;
    say("in\n");
    after();
    if (!strict && strcmp(arguments[3], "gettid") != 0) {
        raise(SIGWINCH);
        raise(SIGWINCH);
        signal(SIGUSR1, on_signal);
        raise(SIGUSR1);
        if (handled != 2)
            say("not handled\n");
    }
    say("out\n");
    if (strict)
        syscall(SYS_exit, 7);
    if (strcmp(end, "threads") == 0) {
        pthread_t made;
        stage = 1;
        pthread_join(waiting, NULL);
        for (int i = 0; i < 3; i++)
            if (pthread_create(&made, NULL, thread, NULL) || pthread_join(made, NULL))
                return 10;
    }
    if (strcmp(end, "fork") == 0) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            after();
            say("child\n");
            _exit(3);
        }
        if (waitpid(child, &status, 0) != child || status != 3 << 8)
            return 11;
    }
    if (strcmp(end, "term") == 0)
        kill(getpid(), SIGTERM);
    if (strcmp(end, "abort") == 0)
        abort();
    if (strcmp(end, "exit") == 0)
        _exit(8);
    return 6;
}
