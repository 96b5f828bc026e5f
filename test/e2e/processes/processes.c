// Children by _Fork, by clone without CLONE_VM, by the raw system call, by a double fork of a daemon: each counts from zero,
// writes a file of its own, and never its parent's. By vfork and posix_spawn, with exec: the parent's profile is whole.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && %hcct-cc -O2 -I%inputs %s -o %t.2 && %hcct-cc -O2 -static -I%inputs %s -o %t.s
// RUN: for x in 0 2 s; do for mode in cct hcct; do rm -rf %t && mkdir %t && cd %t && HCCT_OPTIONS=mode=$mode:output=out.bin %t.$x && \
// RUN:   %hcct-decode --format=folded --all out.bin | FileCheck --implicit-check-not='{{.}}' --match-full-lines %s && \
// RUN:   rm out.bin && ls | count 4 && for child in out.bin.*; do %hcct-decode --format=folded --all $child | \
// RUN:   FileCheck --implicit-check-not='{{.}}' --match-full-lines --check-prefix=CHILD %s || exit 1; done || exit 1; done || exit 1; done
// An exec'd program overwrites, unless the name tells them apart.
// RUN: rm -rf %t && mkdir %t && cd %t && HCCT_OPTIONS=mode=cct:output=out.bin %t.2 exec && ls | count 1 && \
// RUN:   %hcct-decode --format=folded --all out.bin | FileCheck --implicit-check-not='{{.}}' --match-full-lines --check-prefix=EXEC %s
// RUN: rm -rf %t && mkdir %t && cd %t && HCCT_OPTIONS=mode=cct:output=%%p.bin %t.2 spawn && ls | count 2
#define _GNU_SOURCE
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

extern char **environ;

NOINLINE void leaf(void) { work(); }
static void (*volatile pointer)(void) = leaf;

NOINLINE void in_child(void)
{
    pointer();
    leaf();
    work();
}

/* What was counted before must not count in a child, whether its slot is hit or not. */
static inline __attribute__((always_inline)) void end_child(void)
{
    leaf();
    leaf();
    in_child();
    _exit(3);
}


NOINLINE void await(pid_t child, int expected)
{
    int status;
    if (child <= 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != expected)
        abort();
}

NOINLINE void children(void)
{
    leaf();
    pid_t child = _Fork();
    if (child == 0)
        end_child();
    await(child, 3);
    child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0)
        end_child();
    await(child, 3);
#ifdef SYS_fork
    child = (pid_t)syscall(SYS_fork);
#else
    child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
#endif
    if (child == 0)
        end_child();
    await(child, 3);
    child = fork(); /* a daemon */
    if (child == 0) {
        setsid();
        child = fork();
        if (child == 0)
            end_child();
        int status;
        waitpid(child, &status, 0); /* so that the test knows when its file is there */
        _exit(WEXITSTATUS(status));
    }
    await(child, 3);
    leaf();
}

NOINLINE void programs(void)
{
    char *const arguments[] = {"true", NULL};
    pid_t child = vfork();
    if (child == 0) {
        execv("/bin/true", arguments);
        _exit(9);
    }
    await(child, 0);
    if (posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environ) != 0)
        abort();
    await(child, 0);
    leaf();
}

int main(int count, char **arguments)
{
    char *const again[] = {arguments[0], "again", NULL};
    leaf();
    if (count == 1) {
        children();
        programs();
    } else if (strcmp(arguments[1], "exec") == 0) {
        execv(arguments[0], again);
        return 9;
    } else if (strcmp(arguments[1], "spawn") == 0) {
        pid_t child;
        if (posix_spawn(&child, arguments[0], NULL, NULL, again, environ) != 0)
            return 9;
        await(child, 0);
    } else {
        in_child();
    }
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;children 1
// CHECK-NEXT: main;children;await 4
// CHECK-NEXT: main;children;leaf 2
// CHECK-NEXT: main;leaf 1
// CHECK-NEXT: main;programs 1
// CHECK-NEXT: main;programs;await 2
// CHECK-NEXT: main;programs;leaf 1
// CHILD: main;children;in_child 1
// CHILD-NEXT: main;children;in_child;leaf 2
// CHILD-NEXT: main;children;leaf 2
// EXEC: main 1
// EXEC-NEXT: main;in_child 1
// EXEC-NEXT: main;in_child;leaf 2
// EXEC-NEXT: main;leaf 1
