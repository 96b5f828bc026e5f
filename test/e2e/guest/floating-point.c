// Floating point is the program's alone: no flag is raised at the start of main or later, and with every exception trapped, in every
// rounding direction, nothing of the runtime ends the program: in each mode, metric and way of counting, in threads, handlers
// and a child, at the start and at the end.
// Under qemu threads, timers and fork together are slow; floating-point-code.test looks at the AArch64 code.
// UNSUPPORTED: target-aarch64
// REQUIRES: turn-4
// RUN: rm -rf %t && mkdir %t && cd %t && %hcct-cc -shared -fPIC -O1 -DLIBRARY -I%inputs %s -o library.so
// RUN: %hcct-cc -O2 -I%hcct-source/include -I%inputs %s -rdynamic -lm -lpthread -o o2 && %hcct-cc -O0 -I%hcct-source/include -I%inputs %s -lm -lpthread -o o0
// RUN: %hcct-cc --hcct-clock -O1 -I%hcct-source/include -I%inputs %s -lm -lpthread -o o1 && %clang -O1 -I%hcct-source/include -I%inputs %s -lm -lpthread -o plain
// RUN: ./plain
// RUN: for x in o0 o1 o2; do for options in mode=hcct mode=cct verbosity=2:phi=0.0123:epsilon=3.21e-3 mode=cct:recursion=fold help=1; do \
// RUN:   HCCT_OPTIONS=$options ./$x 2> err || { echo $x $options; cat err; exit 1; }; done; done
// RUN: for options in budget=1%% budget=1%%:phi=0.01 counting=off snapshot=10ms metric=weight metric=weight:phi=0.01 metric=page-faults metric=cycles; do \
// RUN:   HCCT_OPTIONS=$options ./o2 2> err || { echo $options; cat err; exit 1; }; done
// RUN: for options in metric=time:frequency=250 metric=wall:frequency=250 metric=clock metric=clock:mode=cct; do HCCT_OPTIONS=$options ./o1 2> err || { echo $options; cat err; exit 1; }; done
// RUN: HCCT_OPTIONS=mode=cct:output=x.bin ./o2 && %hcct-decode --all --format=folded x.bin | FileCheck %s
// CHECK-DAG: main;{{(work_everywhere;)?}}work_all;many;many;{{.*}}leaf {{[0-9]+}}
#include "e2e.h"
#ifdef LIBRARY
NOINLINE void entry(void (*callback)(void))
{
    callback();
    work();
}
#else
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fenv.h>
#include <hcct/hcct.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int direction;
static const char *where = "before main";

/* No flag, and the direction and the traps that were set. */
static void check(void)
{
    int flags = fetestexcept(FE_ALL_EXCEPT), now = fegetround();
    if (!flags && now == direction)
        return;
    dprintf(2, "%s: flags %#x, direction %#x for %#x\n", where, (unsigned)flags, (unsigned)now, (unsigned)direction);
    _exit(1);
}

static NOINLINE void leaf(int i)
{
    worked += i;
    hcct_count((uint64_t)i + 1);
}

static void (*volatile pointer)(int) = leaf;

static NOINLINE void many(int depth, int ways)
{
    for (int i = 0; i < ways; i++)
        if (!depth)
            pointer(i);
        else if (i % 2)
            many(depth - 1, ways);
        else
            many(depth - 1, ways - 1);
    work();
}

static int compare(const void *a, const void *b)
{
    leaf(1);
    return *(const char *)a - *(const char *)b;
}

static jmp_buf place;

static NOINLINE void jumps(int depth)
{
    if (depth)
        jumps(depth - 1);
    else
        longjmp(place, 1);
    work();
}

static void back(void)
{
    leaf(1);
}

/* The kernel gives a handler an environment of its own on some machines, that of what was interrupted on others. */
static void handler(int signal)
{
    feclearexcept(FE_ALL_EXCEPT);
    many(3, 3);
    if (fetestexcept(FE_ALL_EXCEPT))
        _exit(1);
    (void)signal;
}

static NOINLINE void work_all(void)
{
    char text[] = "all contexts", buffer[4096];
    void *library = dlopen("./library.so", RTLD_NOW);
    void (*entry)(void (*)(void)) = NULL;
    if (library)
        *(void **)&entry = dlsym(library, "entry");
    for (int round = 0; round < 40; round++) {
        many(5, 4 + round % 2);
        qsort(text, sizeof text - 1, 1, compare);
        if (!setjmp(place))
            jumps(round);
        if (entry)
            entry(back);
        raise(SIGUSR1);
    }
    if (library)
        dlclose(library);
    hcct_context_pin();
    hcct_context_describe(buffer, sizeof buffer);
}

static void *body(void *unused)
{
    where = "a thread";
    check();
    work_all();
    check();
    return unused;
}

static void work_everywhere(void)
{
    pthread_t thread;
    int status = 0;
    hcct_start();
    work_all();
    hcct_dump();
    if (pthread_create(&thread, NULL, body, NULL) != 0)
        _exit(1);
    pthread_join(thread, NULL);
    where = "behind a thread";
    check();
    pid_t child = fork();
    if (!child) {
        many(3, 3);
        where = "a child";
        check();
        exit(0);
    }
    if (waitpid(child, &status, 0) != child || status) {
        dprintf(2, "the child: status %#x\n", (unsigned)status);
        _exit(1);
    }
}

__attribute__((constructor)) static void start(void)
{
    check();
    leaf(0);
    check();
}

int main(void)
{
    static const int directions[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
    where = "main";
    check();
    signal(SIGUSR1, handler);
    for (int i = 0; i < 4; i++) {
        direction = directions[i];
        fesetround(direction);
        where = "the work";
        work_everywhere();
        check();
        feenableexcept(FE_ALL_EXCEPT); /* fails on AArch64: the flags tell as much */
        work_everywhere();
        check();
        fedisableexcept(FE_ALL_EXCEPT);
    }
    feenableexcept(FE_ALL_EXCEPT);
    return 0; /* the profile is written so, too */
}
#endif
