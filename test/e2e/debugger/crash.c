// A signal handler tells the path that the signal interrupted: of a fault deep in recursion, in a callback, in code that is not
// instrumented, in a thread, in another handler, and at the end of the stack; of abort; of a signal that came in between. It tells nothing
// after a handler was left, or where there is none.
// DEFINE: %{run} = sh %inputs/crash.sh %s
// REQUIRES: turn-4
// RUN: %hcct-cc -O0 -I%hcct-source/include -I%inputs %s -o %t.0 && %{run} EXACT %t.0
// RUN: %hcct-cc -O2 -I%hcct-source/include -I%inputs %s -o %t.2 && %{run} EXACT %t.2
// RUN: %hcct-cc -O2 -flto -I%hcct-source/include -I%inputs %s -o %t.l && %{run} EXACT %t.l
// RUN: %hcct-cc -O2 -fno-asynchronous-unwind-tables -I%hcct-source/include -I%inputs %s -o %t.near && %{run} NEAR %t.near
// RUN: %clang -O2 -I%hcct-source/include -I%inputs %s -o %t.not && %{run} NONE %t.not
#define _GNU_SOURCE
#include <errno.h>
#include <hcct/hcct.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "e2e.h"

static char text[1 << 25];
static int *volatile nowhere;
static volatile long depth;
static sigjmp_buf home;

static void put(const char *line)
{
    if (write(1, line, strlen(line)) < 0 || write(1, "\n", 1) < 0)
        _exit(3);
}

static void put_interrupted(void)
{
    errno = 5;
    size_t length = hcct_context_describe_interrupted(text, sizeof text);
    put(length && errno == 5 && length == strlen(text) ? text : errno == 5 && !*text ? "nothing" : "wrong");
}

static void on_crash(int number)
{
    put_interrupted();
    (void)number;
    _exit(0);
}

/* Such a path is too long to be looked at; the oracle is its length. The last call may be under way. */
static void on_overflow(int number)
{
    size_t length = hcct_context_describe_interrupted(text, sizeof text), each = strlen(";endless");
    bool whole = !strstr(text, "...");
    size_t calls = length - strlen("main;overflow") - (whole ? 0 : strlen(";..."));
    long more = (long)(calls / each) - depth;
    bool right = calls % each == 0 && (more == 0 || more == (whole ? 1 : -1));
    put(!length ? "nothing" : !right ? "wrong" : whole ? "whole" : "near");
    (void)number;
    _exit(0);
}

static void on_user(int number)
{
    put_interrupted();
    if (number == SIGUSR2)
        siglongjmp(home, 1);
}

static NOINLINE void fault(void)
{
    *nowhere = 1;
    work();
}

static NOINLINE void down(int n)
{
    if (n)
        down(n - 1);
    else
        fault();
    work();
}

static int compare(const void *a, const void *b)
{
    static int calls;
    if (++calls == 5)
        fault();
    return *(const int *)a - *(const int *)b;
}

static NOINLINE void sort(void)
{
    int numbers[] = { 3, 1, 2, 5, 4, 8, 7, 6 };
    qsort(numbers, 8, sizeof numbers[0], compare);
    work();
}

static NOINLINE void copy(void)
{
    memcpy(nowhere, text, (size_t)depth + 64);
    work();
}

static NOINLINE void give_up(void)
{
    work();
    abort();
}

static atomic_bool joins;

/* Until the main thread sleeps in pthread_join. */
static NOINLINE void wait_for_main(void)
{
    char path[64], line[256] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)getpid());
    while (!joins || !strstr(line, ") S ")) {
        FILE *file = fopen(path, "r");
        if (file && !fgets(line, sizeof line, file))
            line[0] = 0;
        if (file)
            fclose(file);
        usleep(1000);
    }
}

static void *in_thread(void *argument)
{
    wait_for_main();
    stack_t stack = { .ss_sp = malloc(1 << 16), .ss_size = 1 << 16 };
    sigaltstack(&stack, NULL);
    down(2);
    return argument;
}

static NOINLINE void endless(int n)
{
    depth++;
    if (n >= 0)
        endless(n + 1);
    work();
}

static NOINLINE void overflow(void)
{
    endless(0);
    work();
}

static void crash_in_handler(int number)
{
    (void)number;
    fault();
    work();
}

static NOINLINE void interrupted(int number)
{
    raise(number);
    work();
}

static NOINLINE void leave_handler(void)
{
    if (!sigsetjmp(home, 1))
        interrupted(SIGUSR2);
    put_interrupted();
}

static void set(int number, void (*handler)(int))
{
    struct sigaction action = { .sa_flags = SA_ONSTACK };
    action.sa_handler = handler;
    sigaction(number, &action, NULL);
}

int main(int argc, char **argv)
{
    stack_t stack = { .ss_sp = malloc(1 << 16), .ss_size = 1 << 16 };
    const char *what = argc > 1 ? argv[1] : "";
    pthread_t thread;
    sigaltstack(&stack, NULL);
    set(SIGSEGV, strcmp(what, "overflow") ? on_crash : on_overflow);
    set(SIGABRT, on_crash);
    set(SIGUSR1, strcmp(what, "handler") ? on_user : crash_in_handler);
    set(SIGUSR2, on_user);
    if (!strcmp(what, "recursion"))
        down(3);
    else if (!strcmp(what, "callback"))
        sort();
    else if (!strcmp(what, "library"))
        copy();
    else if (!strcmp(what, "abort"))
        give_up();
    else if (!strcmp(what, "thread") && !pthread_create(&thread, NULL, in_thread, NULL)) {
        joins = true;
        pthread_join(thread, NULL);
    } else if (!strcmp(what, "overflow"))
        overflow();
    else if (!strcmp(what, "handler"))
        interrupted(SIGUSR1);
    put_interrupted();
    interrupted(SIGUSR1);
    leave_handler();
    return 0;
}
// EXACT: main;down;down;down;down;fault
// EXACT-NEXT: main;sort;[qsort];compare;fault
// EXACT-NEXT: main;copy
// EXACT-NEXT: main;give_up
// EXACT-NEXT: in_thread;down;down;down;fault
// EXACT-NEXT: [signal 10];crash_in_handler;fault
// EXACT-NEXT: whole
// EXACT-NEXT: nothing
// EXACT-NEXT: main;interrupted
// EXACT-NEXT: main;leave_handler;interrupted
// EXACT-NEXT: nothing
// NEAR: main;down;down;down;...
// NEAR-NEXT: main;sort;[qsort];...
// NEAR-NEXT: ...
// NEAR-NEXT: main;give_up;[abort];...
// NEAR-NEXT: in_thread;down;down;...
// NEAR-NEXT: [signal 10];...
// NEAR-NEXT: near
// NEAR-NEXT: nothing
// NEAR-NEXT: main;interrupted;[raise];...
// NEAR-NEXT: main;leave_handler;interrupted;[raise];...
// NEAR-NEXT: nothing
// NONE-COUNT-11: nothing
