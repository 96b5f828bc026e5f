// metric=time: the CPU time of calls that may unblock signals (select is pselect6 in the C library) is that of their callers if they got no
// mask. With a mask that unblocks the timer's signal, what came late is lost, as it belongs elsewhere.
// REQUIRES: cpu-timers
// RUN: rm -rf %t && mkdir %t && cd %t && %hcct-cc -O1 -I%inputs %s -o x
// RUN: env HCCT_OPTIONS=metric=time:mode=cct ./x && %hcct-decode | FileCheck %s
// CHECK: sound: nothing dropped, nothing lost
// CHECK-DAG: by_select
// CHECK-DAG: by_pselect
// CHECK-DAG: by_ppoll
// RUN: env HCCT_OPTIONS=metric=time:mode=cct ./x late && %hcct-decode | FileCheck --check-prefix=LATE --implicit-check-not=with_mask %s
// LATE: not exact: {{.*}} lost
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/select.h>
#include <unistd.h>

#include "spend.h"

enum { FILES = 900 };

static fd_set all, copy;
static struct pollfd polled[FILES];
static volatile int sink;

NOINLINE static void by_select(void)
{
    struct timeval at_once = { 0, 0 };
    copy = all;
    sink += select(FILES, &copy, NULL, NULL, &at_once);
}

NOINLINE static void by_pselect(void)
{
    struct timespec at_once = { 0, 0 };
    copy = all;
    sink += pselect(FILES, &copy, NULL, NULL, &at_once, NULL);
}

NOINLINE static void by_ppoll(void)
{
    struct timespec at_once = { 0, 0 };
    sink += ppoll(polled, FILES, &at_once, NULL);
}

NOINLINE static void with_mask(const sigset_t *mask)
{
    struct timespec at_once = { 0, 0 };
    sink += pselect(0, NULL, NULL, NULL, &at_once, mask);
}

NOINLINE static void blocked(void)
{
    spend(0.3);
    work();
}

int main(int argc, char **argv)
{
    int ends[2];
    sigset_t full, before;
    (void)argv;
    if (argc > 1) {
        sigfillset(&full);
        sigprocmask(SIG_BLOCK, &full, &before);
        blocked();
        with_mask(&before);
        return 0;
    }
    if (pipe(ends) != 0)
        return 1;
    for (int i = 0; i < FILES; i++) {
        if (i > ends[1])
            dup2(ends[0], i);
        if (i == ends[0] || i > ends[1])
            FD_SET(i, &all);
        polled[i] = (struct pollfd){ ends[0], POLLIN, 0 };
    }
    for (double end = cpu_now() + 2; cpu_now() < end;) {
        by_select();
        by_pselect();
        by_ppoll();
    }
    return 0;
}
